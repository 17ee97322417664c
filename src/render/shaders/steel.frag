// An instrument: brushed steel, dark but for what it shows of the lamps and of the bright room above.
in vec3 world;
in vec3 normal;
in vec3 tissue;
in vec3 in_light;

uniform vec3 brushed;      // unit: the way it was brushed, at rest
uniform vec4 highlighted;  // reach 0: none; all of it can be taken

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    Material m;
    m.colour = linear(vec3(0.36, 0.375, 0.395));
    m.scatter = vec3(0.0);
    m.gloss = 46.0;
    m.shine = 1.7;
#ifdef FINE
    // Scratches are long and fine: too fine to be seen from afar.
    float seen = 1.0 - smoothstep(0.0002, 0.0010, length(fwidth(tissue)));
    vec3 across = tissue - 0.975 * brushed * dot(tissue, brushed);
    vec4 fine = noise_at(across + 0.2, 0.0007), wide = noise_at(across.yzx + 0.5, 0.0050);
    m.colour *= 1.0 + 0.16 * seen * fine.w + 0.10 * wide.w;
    vec3 scratch = 0.07 * seen * fine.xyz + 0.03 * wide.zxy;
    scratch -= brushed * dot(scratch, brushed);
    n = normalize(n - (scratch - n * dot(scratch, n)));
#endif
    m.colour *= highlighted.w > 0.0 ? 1.9 : 1.0;
    vec3 c = shade(m, world, n, in_light);
    vec3 to_eye = normalize(eye - world), to_lamp = normalize(lamp - world);
    float lit = lit_share(in_light, max(dot(n, to_lamp), 0.0));
    vec3 seen_there = reflect(-to_eye, n);
    float sky = dot(seen_there, vec3(0.2, 0.3, 0.93));
    float room = 0.025 + 0.11 * smoothstep(-0.30, 0.45, sky) + 0.26 * smoothstep(0.50, 0.98, sky);
    float grazing = 1.0 - max(dot(n, to_eye), 0.0);
    c += vec3(0.96, 0.98, 1.0) * room * (0.55 + 0.45 * lit) * (0.62 + 0.38 * grazing * grazing * grazing);
    colour = vec4(to_display(c), 1.0);
}
