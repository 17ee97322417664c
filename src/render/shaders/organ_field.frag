// An organ coloured by a field over its nodes. Lit so softly that colours keep the place that the legend gives them; a
// value that is not known is grey.
in vec3 world;
in vec3 normal;
in vec3 in_light;
in float field;

uniform vec4 highlighted;
uniform sampler2D colour_map;

out vec4 colour;

void main() {
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 to_lamp = normalize(lamp - world), to_eye = normalize(eye - world);
    float facing = max(dot(n, to_lamp), 0.0);
    float lit = lit_share(in_light, facing);
    float soft = 0.76 + 0.13 * lit * facing + 0.13 * max(dot(n, to_eye), 0.0);
    float x = clamp(field, 0.5 / 256.0, 255.5 / 256.0);
    vec3 c = textureLod(colour_map, vec2(x, 0.5), 0.0).rgb;
    c = mix(c, vec3(0.55), clamp(-field / 0.1, 0.0, 1.0));
    c *= soft;
    float near = 1.0 - smoothstep(0.6, 1.0, distance(world, highlighted.xyz) / max(highlighted.w, 1e-6));
    colour = vec4(mix(c, vec3(1.0), 0.35 * near), 1.0);
}
