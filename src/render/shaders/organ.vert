// One triangle of an organ's boundary, curved over its corners' normals (Phong tessellation) except towards creases.
layout(location = 0) in vec2 corner;  // two of the three barycentric coordinates

uniform highp sampler2D nodes;       // two texels a vertex: position and the field's share, normal and bend
uniform highp sampler2D rest;        // where each was at rest, m
uniform highp isampler2D triangles;  // vertices of each
uniform mat4 to_clip;
uniform mat4 to_light;

out vec3 world;
out vec3 normal;
out vec3 in_light;
out vec3 tissue;
out float field;

void main() {
    ivec4 corners = texelFetch(triangles, ivec2(gl_InstanceID % 512, gl_InstanceID / 512), 0);
    vec4 p[3];
    vec4 n[3];
    vec3 share = vec3(1.0 - corner.x - corner.y, corner);
    tissue = vec3(0.0);
    for (int i = 0; i < 3; ++i) {
        ivec2 at = ivec2(corners[i] % 512 * 2, corners[i] / 512);
        p[i] = texelFetch(nodes, at, 0);
        n[i] = texelFetch(nodes, at + ivec2(1, 0), 0);
        tissue += share[i] * texelFetch(rest, ivec2(corners[i] % 1024, corners[i] / 1024), 0).xyz;
    }
    vec4 mean = share.x * p[0] + share.y * p[1] + share.z * p[2];
    vec4 facing = share.x * n[0] + share.y * n[1] + share.z * n[2];
    vec3 bent = vec3(0.0);
    for (int i = 0; i < 3; ++i) bent += share[i] * (mean.xyz - dot(mean.xyz - p[i].xyz, n[i].xyz) * n[i].xyz);
    world = mix(mean.xyz, bent, 0.5 * facing.w);  // half way: a sphere comes out as one
    normal = normalize(facing.xyz + vec3(1e-9));
    field = mean.w;
    vec4 light = to_light * vec4(world, 1.0);
    in_light = light.xyz / light.w * 0.5 + 0.5;
    gl_Position = to_clip * vec4(world, 1.0);
}
