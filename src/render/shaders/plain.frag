// A bowl or a table.
in vec3 world;
in vec3 normal;
in vec3 in_light;

uniform vec4 tint;  // colour on a display, shine
uniform vec4 fade;  // centre, and the distance from it at which it ends

out vec4 colour;

void main() {
    Material m;
    m.colour = linear(tint.rgb);
    m.scatter = vec3(0.0);
    m.gloss = 40.0;
    m.shine = tint.a;
    float cover = 1.0 - smoothstep(0.55, 1.0, distance(world, fade.xyz) / fade.w);
    colour = vec4(to_display(shade(m, world, normalize(normal), in_light)), cover);
}
