// The mesentery: a thin wet membrane with fat along its vessels.
in vec3 world;
in vec3 normal;
in vec3 in_light;
in vec2 place;

uniform sampler2D vessels;  // arteries, veins, fat
uniform vec2 vessel_scale;  // 1/m

out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    n = faceforward(n, world - eye, n);
    vec4 web = texture(vessels, place * vessel_scale);
    Material m;
    m.gloss = 45.0;
    m.shine = 0.7;
    float fat = 0.75 * web.z + 0.10;
    float lumps = 0.0;
#ifdef FINE
    vec4 broad = noise_at(vec3(place + 0.2, 0.2), 0.03);
    vec4 lobules = noise_at(vec3(place + 0.6, 0.6), 0.006);
    fat += 0.45 * broad.w;
    lumps = lobules.w;
    vec2 slope = 0.16 * lobules.xy * (0.3 + clamp(fat, 0.0, 1.0)) + 0.12 * broad.xy;
    vec3 t = normalize(cross(n, vec3(0.31, 0.87, 0.38)));
    n = normalize(n - t * slope.x - cross(n, t) * slope.y);
#endif
    fat = clamp(fat, 0.0, 1.0);
    m.colour = mix(linear(vec3(0.93, 0.66, 0.58)), linear(vec3(0.95, 0.78, 0.54)), fat);
    m.colour *= 1.0 + 0.16 * lumps * fat;
    m.colour = mix(m.colour, linear(vec3(0.33, 0.20, 0.36)), 0.75 * web.y);
    m.colour = mix(m.colour, linear(vec3(0.70, 0.08, 0.08)), 0.9 * web.x);
    m.scatter = mix(linear(vec3(0.90, 0.35, 0.22)), linear(vec3(0.90, 0.50, 0.26)), fat);
    float grazing = 1.0 - abs(dot(n, normalize(eye - world)));
    float cover = max(mix(0.50, 0.92, smoothstep(0.0, 0.8, fat)), max(web.x, web.y));
    cover = mix(cover, 1.0, 0.7 * grazing * grazing);
    colour = vec4(to_display(shade(m, world, n, in_light)), cover);
}
