// The wall of the gut: rosy, unevenly so, with fine vessels, under a film of water.
in vec3 world;
in vec3 normal;
in vec3 tissue;
in vec3 in_light;

uniform vec4 highlighted;  // place and reach of a light touch; reach 0: none

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    Material m;
    vec3 pale = linear(vec3(0.93, 0.68, 0.60));
    vec3 rosy = linear(vec3(0.82, 0.44, 0.40));
    m.scatter = linear(vec3(0.85, 0.22, 0.16));
#ifdef FINE
    vec3 deep = linear(vec3(0.64, 0.24, 0.24));
    vec4 broad = noise_at(tissue, 0.07);
    vec4 middle = noise_at(tissue * vec3(1.0, 0.7, 0.7) + 0.31, 0.016);
    m.colour = mix(rosy, pale, smoothstep(-0.55, 0.65, broad.w + 0.25 * middle.w));
    m.colour = mix(m.colour, deep, 0.40 * smoothstep(0.0, 0.7, -middle.w));
    // Vessels run around the tube: thin where the noise crosses zero.
    vec4 strands = noise_at(tissue * vec3(1.0, 0.40, 0.40) + 0.0025 * broad.xyz, 0.010);
    vec4 twigs = noise_at(tissue * vec3(1.0, 0.6, 0.6) + 0.43 + 0.001 * middle.xyz, 0.0055);
    vec4 where = noise_at(tissue + 0.77, 0.04);
    float vessel = (1.0 - smoothstep(0.0, 0.075, abs(strands.w))) * smoothstep(-0.15, 0.35, where.w);
    float twig = 0.6 * (1.0 - smoothstep(0.0, 0.09, abs(twigs.w))) * smoothstep(-0.2, 0.4, -where.w);
    m.colour = mix(m.colour, linear(vec3(0.60, 0.14, 0.15)), 0.5 * max(vessel, twig));
    // The wet surface is not quite even: soft folds below, grain above. The noise is as smooth in all directions, so that
    // any two axes across the normal will do.
    vec4 grain = noise_at(tissue + 0.5, 0.0030);
    vec2 slope = 0.16 * middle.xy + 0.055 * grain.xy + 0.05 * strands.xy;
    vec3 t = normalize(cross(n, vec3(0.31, 0.87, 0.38)));
    n = normalize(n - t * slope.x - cross(n, t) * slope.y);
    m.gloss = 150.0 + 80.0 * grain.w;
    m.shine = 1.7;
#else
    m.colour = mix(rosy, pale, 0.5 + 0.5 * sin(90.0 * tissue.x));
    m.gloss = 70.0;
    m.shine = 1.0;
#endif
    float near = 1.0 - smoothstep(0.6, 1.0, distance(world, highlighted.xyz) / max(highlighted.w, 1e-6));
    m.colour = mix(m.colour, linear(vec3(1.0, 0.93, 0.55)), 0.45 * near);
    colour = vec4(to_display(shade(m, world, n, in_light)), 1.0);
}
