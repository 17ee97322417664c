// The inner wall of the abdomen.
in vec3 world;
in vec3 normal;
in vec3 in_light;
in vec3 tissue;

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    Material m;
    vec3 dark = linear(vec3(0.50, 0.20, 0.19)), light = linear(vec3(0.70, 0.42, 0.35));
    m.scatter = linear(vec3(0.6, 0.12, 0.1));
    m.gloss = 35.0;
    m.shine = 0.7;
#ifdef FINE
    vec4 broad = noise_at(tissue, 0.09);
    vec4 middle = noise_at(tissue + 0.4, 0.02);
    m.colour = mix(dark, light, smoothstep(-0.6, 0.7, broad.w));
    vec4 strands = noise_at(tissue + 0.9 + 0.01 * broad.xyz, 0.03);
    float vessel = (1.0 - smoothstep(0.0, 0.06, abs(strands.w))) * smoothstep(0.0, 0.5, broad.w);
    m.colour = mix(m.colour, linear(vec3(0.42, 0.1, 0.12)), 0.5 * vessel);
    n = normalize(n - 0.22 * (middle.xyz - n * dot(middle.xyz, n)));
#else
    m.colour = 0.5 * (dark + light);
#endif
    colour = vec4(to_display(shade(m, world, n, in_light)), 1.0);
}
