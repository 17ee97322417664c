// Coloured by how sharply the tube bends: blue where it is straight, red where it bends over its own radius.
in vec3 world;
in vec3 normal;
in vec3 in_light;
in float bend;

out vec4 colour;

void main() {
    float x = clamp(bend, 0.0, 1.0);
    vec3 scale = clamp(1.5 - abs(4.0 * x - vec3(3.0, 2.0, 1.0)), 0.0, 1.0);
    Material m;
    m.colour = 0.8 * linear(scale);
    m.scatter = 0.3 * m.colour;
    m.gloss = 60.0;
    m.shine = 0.5;
    colour = vec4(to_display(shade(m, world, normalize(normal), in_light)), 1.0);
}
