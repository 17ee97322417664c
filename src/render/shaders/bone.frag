// What stands and does not give: bone. Warm ivory, nearly matte.
in vec3 world;
in vec3 normal;
in vec3 tissue;
in vec3 in_light;

uniform float plain;  // 1: without its hue, beside colours that mean something

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    Material m;
    vec3 ivory = linear(vec3(0.800, 0.735, 0.600));
    m.colour = ivory;
    m.scatter = linear(vec3(0.42, 0.26, 0.14));
#ifdef FINE
    vec3 stained = linear(vec3(0.690, 0.590, 0.440));
    vec4 broad = noise_at(tissue + 0.17, 0.035);
    vec4 middle = noise_at(tissue + 0.53 + 0.002 * broad.xyz, 0.008);
    m.colour = mix(ivory, stained, 0.75 * smoothstep(-0.2, 0.8, broad.w + 0.6 * middle.w));
    // Pores, and the soft unevenness of the compact layer.
    float seen = 1.0 - smoothstep(0.0003, 0.0009, length(fwidth(tissue)));
    vec4 pores = noise_at(tissue.yzx + 0.71, 0.0013);
    m.colour *= 1.0 - 0.20 * seen * smoothstep(0.25, 0.65, pores.w);
    vec3 uneven = 0.06 * middle.xyz + 0.05 * seen * pores.zxy;
    n = normalize(n - (uneven - n * dot(uneven, n)));
#endif
    m.colour = mix(m.colour, vec3(0.38), plain);
    m.scatter = mix(m.scatter, vec3(0.06), plain);
    m.gloss = 12.0;
    m.shine = 0.22;
    colour = vec4(to_display(shade(m, world, n, in_light)), 1.0);
}
