// The round end of a tube: half a sphere on the first or the last frame of its axis.
layout(location = 0) in vec2 corner;      // share of a turn, height over the rim
layout(location = 1) in vec4 a_position;
layout(location = 2) in vec4 a_tangent;   // unit, points outwards; -1 at the tube's start, 1 at its end
layout(location = 3) in vec4 a_normal;

uniform mat4 to_clip;
uniform mat4 to_light;

out vec3 world;
out vec3 normal;
out vec3 tissue;
out vec3 in_light;
out float bend;

void main() {
    float phi = 6.28318530718 * corner.x;
    float height = sin(1.57079632679 * corner.y), rim = cos(1.57079632679 * corner.y);
    vec3 binormal = a_tangent.w * cross(a_tangent.xyz, a_normal.xyz);
    normal = rim * (cos(phi) * a_normal.xyz + sin(phi) * binormal) + height * a_tangent.xyz;
    world = a_position.xyz + a_position.w * normal;
    tissue = vec3(a_normal.w + a_tangent.w * a_position.w * height, a_position.w * rim * cos(phi), a_position.w * rim * sin(phi));
    bend = 0.0;
    vec4 light = to_light * vec4(world, 1.0);
    in_light = light.xyz / light.w * 0.5 + 0.5;
    gl_Position = to_clip * vec4(world, 1.0);
}
