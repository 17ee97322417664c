// Soft organs: grains of tissue, those of a liver lobules, those of a muscle fibres, under a thin, wet capsule.
in vec3 world;
in vec3 normal;
in vec3 tissue;
in vec3 in_light;

uniform vec3 deep_colour;  // on a display; see TissueColours
uniform vec3 warm_colour;
uniform vec3 pale_colour;
uniform vec3 scatter_colour;
uniform vec4 grain_size;   // stretch of coordinates; size, m
uniform vec4 highlighted;  // place and reach of a light touch; reach 0: none

out vec4 colour;

void main() {
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    Material m;
    vec3 deep = linear(deep_colour);
    vec3 warm = linear(warm_colour);
    m.scatter = linear(scatter_colour);
    vec3 film = n;
#ifdef FINE
    vec3 pale = linear(pale_colour);
    vec4 broad = noise_at(tissue + 0.11, 0.045);
    vec3 grained = tissue * grain_size.xyz;
    float size = grain_size.w;
    vec4 middle = noise_at(grained + 0.37 + 0.003 * broad.xyz, 0.011);
    m.colour = mix(deep, warm, smoothstep(-0.6, 0.6, broad.w + 0.5 * middle.w));
    // Grains of a millimetre or two, darker in their middle, too fine to be seen from afar.
    float pixel = length(fwidth(tissue)) / size;
    float seen = 1.0 - smoothstep(0.235, 0.647, pixel), close = 1.0 - smoothstep(0.0588, 0.235, pixel);
    vec4 cells = noise_at(grained + 0.63 + 0.235 * size * middle.xyz, size);
    vec4 others = noise_at(grained.yzx + 0.29, 1.353 * size);
    vec4 dust = noise_at(grained.zxy + 0.47, 0.353 * size);
    float between = smoothstep(-0.55, 0.65, cells.w + 0.7 * others.w + 0.35 * close * dust.w);
    m.colour *= 1.0 + 0.28 * seen * (between - 0.5);
    m.colour = mix(m.colour, pale, 0.10 * seen * between * between);
    // The capsule is tight: long soft waves, a little of the lobules below. The film of water on it breaks the lamp into
    // glints.
    vec3 waves = 0.035 * broad.xyz + 0.05 * middle.xyz;
    vec3 grain = seen * (0.05 * cells.xyz * grain_size.xyz + 0.02 * close * dust.xyz);
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
