// One triangle of a sheet, curved over its corners' normals (Phong tessellation). The sheet has a thickness: what faces
// the eye stands out by half of it, what is seen edge-on does not, so that there is no crack between the two faces.
layout(location = 0) in vec2 corner;  // two of the three barycentric coordinates
layout(location = 1) in int order;    // which triangle: the farthest first

uniform highp sampler2D nodes;       // two texels a node: position and place along, normal and place from the root
uniform highp isampler2D triangles;  // nodes of each
uniform mat4 to_clip;
uniform mat4 to_light;
uniform vec3 seen_from;
uniform float half_thickness;

out vec3 world;
out vec3 normal;
out vec3 in_light;
out vec2 place;

void main() {
    ivec4 corners = texelFetch(triangles, ivec2(order % 512, order / 512), 0);
    vec4 p[3];
    vec4 n[3];
    for (int i = 0; i < 3; ++i) {
        ivec2 at = ivec2(corners[i] % 512 * 2, corners[i] / 512);
        p[i] = texelFetch(nodes, at, 0);
        n[i] = texelFetch(nodes, at + ivec2(1, 0), 0);
    }
    vec3 share = vec3(1.0 - corner.x - corner.y, corner);
    vec3 flat_point = share.x * p[0].xyz + share.y * p[1].xyz + share.z * p[2].xyz;
    normal = normalize(share.x * n[0].xyz + share.y * n[1].xyz + share.z * n[2].xyz + vec3(1e-9));
    vec3 bent = vec3(0.0);
    for (int i = 0; i < 3; ++i) bent += share[i] * (flat_point - dot(flat_point - p[i].xyz, n[i].xyz) * n[i].xyz);
    world = mix(flat_point, bent, 0.75);
    world += half_thickness * clamp(2.0 * dot(normal, normalize(seen_from - world)), -1.0, 1.0) * normal;
    place = vec2(share.x * p[0].w + share.y * p[1].w + share.z * p[2].w,
                 share.x * n[0].w + share.y * n[1].w + share.z * n[2].w);
    vec4 light = to_light * vec4(world, 1.0);
    in_light = light.xyz / light.w * 0.5 + 0.5;
    gl_Position = to_clip * vec4(world, 1.0);
}
