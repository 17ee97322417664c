in vec3 world;
in vec3 normal;
in vec3 tissue;
in vec3 in_light;

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    Material m;
    m.colour = linear(vec3(0.62, 0.64, 0.67));
    m.scatter = vec3(0.0);
    m.gloss = 60.0;
    m.shine = 2.5;
    vec3 c = shade(m, world, n, in_light);
    float sky = dot(reflect(normalize(world - eye), n), vec3(0.2, 0.3, 0.93));
    c += vec3(0.25) * smoothstep(-0.2, 0.9, sky);
    colour = vec4(to_display(c), 1.0);
}
