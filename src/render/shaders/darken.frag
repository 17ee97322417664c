// Spreads the occlusion over a few pixels, not over edges, and darkens the picture by it.
in vec2 place;

uniform sampler2D occlusion;
uniform vec2 texel;

out vec4 colour;

void main() {
    vec4 here = texture(occlusion, place);
    float depth = here.y + here.z / 255.0;
    float sum = 0.0, weights = 0.0;
    for (int i = -2; i <= 1; ++i) {
        for (int j = -2; j <= 1; ++j) {
            vec4 there = texture(occlusion, place + (vec2(i, j) + 0.5) * texel);
            float w = 1.0 / (0.0001 + abs(there.y + there.z / 255.0 - depth));
            sum += w * there.x;
            weights += w;
        }
    }
    float open = sum / weights;
    colour = vec4(mix(vec3(0.20, 0.05, 0.05), vec3(1.0), open), 1.0);
}
