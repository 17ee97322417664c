// Strokes (kind 0), plain boxes (1) and the bar of colours (2), with edges of one pixel.
flat in vec4 ends;
flat in vec4 look;
in vec2 place;

uniform sampler2D colour_map;

out vec4 colour;

float outside_stroke() {
    vec2 along = ends.zw - ends.xy, from = place - ends.xy;
    float part = clamp(dot(from, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    return length(from - part * along) - look.x;
}

float outside_box() {
    vec2 q = abs(place - 0.5 * (ends.xy + ends.zw)) - 0.5 * abs(ends.zw - ends.xy) + look.x;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - look.x;
}

void main() {
    float cover = clamp(0.5 - (look.y < 0.5 ? outside_stroke() : outside_box()), 0.0, 1.0);
    vec3 c = vec3(look.z);
    if (look.y > 1.5) {
        float share = clamp((place.y - ends.y) / (ends.w - ends.y), 0.5 / 256.0, 255.5 / 256.0);
        c = textureLod(colour_map, vec2(share, 0.5), 0.0).rgb;
    }
    colour = vec4(c, look.w * cover);
}
