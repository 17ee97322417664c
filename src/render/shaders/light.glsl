// Shared by all materials: a lamp a little above and beside the eye that casts shadows, a weaker one at the eye itself
// (the endoscope's), and light that comes back from the red walls all around.
uniform vec3 eye;
uniform vec3 lamp;
uniform float reach;  // m, distance from the eye to what it looks at: lamps are as bright as needed there
uniform highp sampler2DShadow shadow_map;
uniform float shadow_texel;
uniform highp sampler3D noise_field;  // gradient, value

// Gradient per m and value of smooth noise, both within -1 .. 1 or so per period.
vec4 noise_at(vec3 p, float period) { return texture(noise_field, p / (period * 8.0)) * 2.0 - 1.0; }

float lit_share(vec3 in_light, float facing) {
#ifdef SHADOWS
    float slope = sqrt(1.0 - facing * facing) / max(facing, 0.05);
    vec3 at = vec3(in_light.xy, in_light.z - 0.001 - 0.0022 * min(slope, 8.0));
    float near = 0.6 * shadow_texel, far = 1.4 * shadow_texel;  // each look is a mean of four texels already
    float sum = texture(shadow_map, at + vec3(near, far, 0.0)) + texture(shadow_map, at + vec3(-far, near, 0.0)) +
                texture(shadow_map, at + vec3(-near, -far, 0.0)) + texture(shadow_map, at + vec3(far, -near, 0.0));
    vec3 off = abs(in_light - 0.5);  // nothing is known of what is outside of the lamp's view
    return max(off.x, max(off.y, off.z)) > 0.5 ? 1.0 : 0.25 * sum;
#else
    return 1.0;
#endif
}

struct Material {
    vec3 colour;       // linear
    vec3 scatter;      // linear: what comes through from the lit side
    float gloss;       // sharpness of the wet film's highlight
    float shine;       // its strength
};

float highlight(vec3 n, vec3 to_eye, vec3 to_lamp, float gloss) {
    float h = max(dot(n, normalize(to_eye + to_lamp)), 0.0);
    return (gloss + 2.0) / 8.0 * pow(h, gloss);
}

vec3 shade(Material m, vec3 p, vec3 n, vec3 in_light) {
    vec3 to_eye = normalize(eye - p);
    vec3 to_lamp = lamp - p;
    float far = length(to_lamp);
    to_lamp /= far;
    float fall = min(reach * reach / (far * far), 3.0);
    float eye_far = length(eye - p);
    float eye_fall = min(reach * reach / (eye_far * eye_far), 3.0);

    float facing = dot(n, to_lamp);
    float lit = lit_share(in_light, max(facing, 0.0));
    float diffuse = max(facing, 0.0);
    float wrapped = max((facing + 0.45) / 1.45, 0.0);  // light that went a little way through the tissue
    float head = max(dot(n, to_eye), 0.0);
    vec3 light = vec3(1.0, 0.97, 0.92);
    vec3 colour = m.colour * light * (lit * diffuse * fall * 1.05);
    colour += m.colour * mix(vec3(1.0, 0.72, 0.66), light, lit) * head * eye_fall * 0.38;  // shadows are warm in here
    colour += m.scatter * light * max(wrapped - diffuse, 0.0) * fall * (0.35 + 0.65 * lit) * 0.8;
    colour += m.colour * vec3(0.26, 0.15, 0.14) * (0.7 + 0.3 * n.z);  // from all around
    float rim = (1.0 - head) * (1.0 - head);
    float fresnel = 0.04 + 0.96 * rim * rim * (1.0 - head);
    float wet = highlight(n, to_eye, to_lamp, m.gloss) * lit * fall + 0.5 * highlight(n, to_eye, to_eye, m.gloss) * eye_fall;
    colour += light * m.shine * (fresnel * wet + 0.10 * fresnel * vec3(0.9, 0.6, 0.55));
    return colour;
}

// Film-like: bright places keep their colour.
vec3 to_display(vec3 c) {
    c = 0.85 * max(c, 0.0);
    c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
    return sqrt(clamp(c, 0.0, 1.0));
}

// A colour as it looks on a display.
vec3 linear(vec3 display) { return display * display; }
