// Smooths jagged edges (one step of FXAA's idea: blur along an edge where the contrast is high) and darkens the corners.
in vec2 place;

uniform sampler2D picture;
uniform vec2 texel;

out vec4 colour;

float bright(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

void main() {
    vec3 m = texture(picture, place).rgb;
    {
        float nw = bright(texture(picture, place + vec2(-1.0, 1.0) * texel).rgb);
        float ne = bright(texture(picture, place + vec2(1.0, 1.0) * texel).rgb);
        float sw = bright(texture(picture, place + vec2(-1.0, -1.0) * texel).rgb);
        float se = bright(texture(picture, place + vec2(1.0, -1.0) * texel).rgb);
        float c = bright(m);
        float low = min(c, min(min(nw, ne), min(sw, se))), high = max(c, max(max(nw, ne), max(sw, se)));
        if (high - low > max(0.03, 0.1 * high)) {
            vec2 d = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
            d /= min(abs(d.x), abs(d.y)) + max((nw + ne + sw + se) * 0.03, 0.004);
            d = clamp(d, -6.0, 6.0) * texel;
            vec3 near = 0.5 * (texture(picture, place - d / 6.0).rgb + texture(picture, place + d / 6.0).rgb);
            vec3 wide = 0.5 * near + 0.25 * (texture(picture, place - 0.5 * d).rgb + texture(picture, place + 0.5 * d).rgb);
            float b = bright(wide);
            m = b < low || b > high ? near : wide;
        }
    }
    vec2 off = place - 0.5;
    colour = vec4(m * (1.0 - 0.45 * dot(off, off)), 1.0);
}
