// How much of the sky over a point is hidden by what is near it on the screen.
in vec2 place;

uniform highp sampler2D depth;
uniform vec4 lens;      // half extents of the view at distance 1; near, far, m
uniform float radius;   // m, within which things hide each other
uniform vec2 texel;     // of the depth

out vec4 colour;

float distance_at(vec2 uv) {
    float z = texture(depth, uv).r * 2.0 - 1.0;
    return 2.0 * lens.z * lens.w / (lens.w + lens.z - z * (lens.w - lens.z));
}

vec3 point_at(vec2 uv) {
    float d = distance_at(uv);
    return vec3((uv * 2.0 - 1.0) * lens.xy * d, -d);
}

void main() {
    // This picture has half the size: a place between two of the depth's texels would be either.
    vec2 here = (floor(place / texel - 0.25) + 0.5) * texel;
    here = clamp(here, 1.5 * texel, 1.0 - 1.5 * texel);  // neighbours are needed on all sides
    vec3 p = point_at(here);
    // The side with the smaller step: normals do not bleed over edges.
    vec3 right = point_at(here + vec2(texel.x, 0.0)) - p, left = p - point_at(here - vec2(texel.x, 0.0));
    vec3 above = point_at(here + vec2(0.0, texel.y)) - p, below = p - point_at(here - vec2(0.0, texel.y));
    vec3 n = normalize(cross(abs(right.z) < abs(left.z) ? right : left, abs(above.z) < abs(below.z) ? above : below));
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    vec2 spread = radius / (-p.z * lens.xy) * 0.5;
    float hidden = 0.0;
    const int taps = 10;
    for (int i = 0; i < taps; ++i) {
        float share = (float(i) + 0.5) / float(taps);
        float angle = turn + 2.39996323 * float(i);
        vec3 d = point_at(here + vec2(cos(angle), sin(angle)) * spread * sqrt(share)) - p;
        float far = length(d);
        float up = dot(d / max(far, 1e-6), n);
        hidden += max(up - 0.12, 0.0) * (1.0 - smoothstep(0.6, 1.3, far / radius));
    }
    float open = clamp(1.0 - 2.6 * hidden / float(taps), 0.0, 1.0);
    float share = clamp((-p.z - lens.z) / (lens.w - lens.z), 0.0, 1.0) * 255.0;
    colour = vec4(open, floor(share) / 255.0, fract(share), 1.0);
}
