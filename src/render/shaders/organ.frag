// The liver: brown-red lobules under a thin, wet capsule.
in vec3 world;
in vec3 normal;
in vec3 tissue;
in vec3 in_light;

uniform vec4 highlighted;  // place and reach of a light touch; reach 0: none

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    Material m;
    vec3 deep = linear(vec3(0.285, 0.128, 0.112));
    vec3 warm = linear(vec3(0.385, 0.200, 0.165));
    m.scatter = linear(vec3(0.34, 0.09, 0.06));
    vec3 film = n;
#ifdef FINE
    vec3 pale = linear(vec3(0.50, 0.28, 0.22));
    vec4 broad = noise_at(tissue + 0.11, 0.045);
    vec4 middle = noise_at(tissue + 0.37 + 0.003 * broad.xyz, 0.011);
    m.colour = mix(deep, warm, smoothstep(-0.6, 0.6, broad.w + 0.5 * middle.w));
    // Lobules: grains of a millimetre or two, darker in their middle, too fine to be seen from afar.
    float pixel = length(fwidth(tissue));
    float seen = 1.0 - smoothstep(0.0004, 0.0011, pixel), close = 1.0 - smoothstep(0.0001, 0.0004, pixel);
    vec4 cells = noise_at(tissue + 0.63 + 0.0004 * middle.xyz, 0.0017);
    vec4 others = noise_at(tissue.yzx + 0.29, 0.0023);
    vec4 dust = noise_at(tissue.zxy + 0.47, 0.0006);
    float between = smoothstep(-0.55, 0.65, cells.w + 0.7 * others.w + 0.35 * close * dust.w);
    m.colour *= 1.0 + 0.28 * seen * (between - 0.5);
    m.colour = mix(m.colour, pale, 0.10 * seen * between * between);
    // The capsule is tight: long soft waves, a little of the lobules below. The film of water on it breaks the lamp into
    // glints.
    vec3 waves = 0.035 * broad.xyz + 0.05 * middle.xyz;
    vec3 grain = seen * (0.05 * cells.xyz + 0.02 * close * dust.xyz);
    film = normalize(n - (waves + 1.3 * grain - n * dot(waves + 1.3 * grain, n)));
    n = normalize(n - (waves + grain - n * dot(waves + grain, n)));
#else
    m.colour = 0.5 * (deep + warm);
#endif
    m.gloss = 30.0;
    m.shine = 1.05;
    float near = 1.0 - smoothstep(0.3, 1.0, distance(world, highlighted.xyz) / max(highlighted.w, 1e-6));
    m.colour *= mix(vec3(1.0), vec3(2.3, 2.5, 1.7), near);
    vec3 c = shade(m, world, n, in_light);
    vec3 to_eye = normalize(eye - world), to_lamp = normalize(lamp - world);
    float lit = lit_share(in_light, max(dot(n, to_lamp), 0.0));
    c += vec3(0.05, 0.048, 0.045) * lit * highlight(film, to_eye, to_lamp, 420.0);
    // What the film shows of the bright room above.
    float facing = dot(film, to_eye), grazing = 1.0 - facing;
    float above = facing > 0.0 ? smoothstep(0.1, 0.9, reflect(-to_eye, film).z) : 0.0;
    c += vec3(0.80, 0.74, 0.72) * above * (0.02 + 0.35 * grazing * grazing * grazing * grazing);
    colour = vec4(to_display(c), 1.0);
}
