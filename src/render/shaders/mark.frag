in vec2 place;

uniform vec4 tint;

out vec4 colour;

void main() {
    float r = dot(place, place);
    if (r > 1.0) discard;
    colour = vec4(tint.rgb * (1.0 - 0.6 * smoothstep(0.5, 1.0, r)), tint.a);
}
