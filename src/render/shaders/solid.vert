// Surroundings and tools' balls: a mesh that is there once and placed by a matrix.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 outward;

uniform mat4 to_world;
uniform mat4 to_clip;
uniform mat4 to_light;
uniform vec3 inverse_radii;  // normals of a stretched sphere

out vec3 world;
out vec3 normal;
out vec3 in_light;
out vec3 tissue;

void main() {
    world = (to_world * vec4(corner, 1.0)).xyz;
    normal = normalize((to_world * vec4(outward * inverse_radii, 0.0)).xyz + vec3(1e-9));
    tissue = world;
    vec4 light = to_light * vec4(world, 1.0);
    in_light = light.xyz / light.w * 0.5 + 0.5;
    gl_Position = to_clip * vec4(world, 1.0);
}
