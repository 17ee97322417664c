// One cell of a tube: a straight cylinder bent from one frame of the axis to the next (Raghupathi 2004, eq. 1, 13, 14).
layout(location = 0) in vec2 corner;      // share of a turn, place along the cell
layout(location = 1) in vec4 a_position;  // m, radius
layout(location = 2) in vec4 a_tangent;   // unit, half the arc of the cell
layout(location = 3) in vec4 a_normal;    // unit, arc from the tube's start
layout(location = 4) in vec4 a_bend;      // 1/m, towards the line about which the axis turns
layout(location = 5) in vec4 b_position;
layout(location = 6) in vec4 b_tangent;
layout(location = 7) in vec4 b_normal;
layout(location = 8) in vec4 b_bend;

uniform mat4 to_clip;
uniform mat4 to_light;

out vec3 world;
out vec3 normal;
out vec3 tissue;   // m, place on the undeformed tube: texture that sticks to it
out vec3 in_light;
out float bend;    // turn of the axis over the cell per radius of arc

// Presses the inner wall of a tight bend flat, so that rings do not go through each other (render/skin.hpp).
void flatten(vec3 bend, inout vec3 outward, inout vec3 around) {
    float tightness = max(length(bend), 1e-6);
    vec3 inward = bend / tightness;
    float q = dot(outward, inward);
    float from = 0.6 / tightness, room = 0.32 / tightness;
    float fall = exp(-max(q - from, 0.0) / room);
    outward += (min(q, from) + room * (1.0 - fall) - q) * inward;
    around += (fall - 1.0) * dot(around, inward) * inward;
}

void main() {
    float z = corner.y;
    float z2 = z * z;
    float rest = 1.0 - z2;
    float below = 0.75 + 1.5 * z2;
    float w = z2 < 0.25 ? 1.0 - 2.0 * z2 : rest * rest / below;
    float dw = z2 < 0.25 ? -4.0 * z : (-4.0 * z * rest * below - 3.0 * z * rest * rest) / (below * below);

    float phi = 6.28318530718 * corner.x;
    float c = cos(phi), s = sin(phi);
    float len = a_tangent.w;
    vec3 a_binormal = cross(a_tangent.xyz, a_normal.xyz);
    vec3 b_binormal = cross(b_tangent.xyz, b_normal.xyz);
    vec3 a_out = a_position.w * (c * a_normal.xyz + s * a_binormal);
    vec3 b_out = b_position.w * (c * b_normal.xyz + s * b_binormal);
    vec3 a_around = a_position.w * (c * a_binormal - s * a_normal.xyz);
    vec3 b_around = b_position.w * (c * b_binormal - s * b_normal.xyz);
    flatten(a_bend.xyz, a_out, a_around);
    flatten(b_bend.xyz, b_out, b_around);
    vec3 a = a_position.xyz + a_out + z * len * a_tangent.xyz;
    vec3 b = b_position.xyz + b_out + (z - 1.0) * len * b_tangent.xyz;
    world = w * a + (1.0 - w) * b;

    // The exact normal: across the derivatives along the cell and around it.
    vec3 along = dw * (a - b) + len * (w * a_tangent.xyz + (1.0 - w) * b_tangent.xyz);
    vec3 around = w * a_around + (1.0 - w) * b_around;
    normal = cross(around, along);
    if (dot(normal, normal) < 1e-20 || len <= 0.0) normal = w * a_out + (1.0 - w) * b_out;
    normal = normalize(normal);

    float radius = mix(b_position.w, a_position.w, w);
    tissue = vec3(mix(a_normal.w, b_normal.w, z), radius * c, radius * s);
    bend = len > 0.0 ? acos(clamp(dot(a_tangent.xyz, b_tangent.xyz), -1.0, 1.0)) * radius / (2.0 * len) : 0.0;
    vec4 light = to_light * vec4(world, 1.0);
    in_light = light.xyz / light.w * 0.5 + 0.5;
    // No cell spans two tubes.
    gl_Position = len > 0.0 ? to_clip * vec4(world, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
