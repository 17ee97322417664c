// Marks that are always seen: contacts. A square that faces the eye.
layout(location = 0) in vec4 mark;  // m, size

uniform mat4 to_clip;
uniform vec3 right;
uniform vec3 up;

out vec2 place;

void main() {
    int k = gl_VertexID % 4;
    place = vec2(k % 2 == 0 ? -1.0 : 1.0, k < 2 ? -1.0 : 1.0);
    gl_Position = to_clip * vec4(mark.xyz + mark.w * (place.x * right + place.y * up), 1.0);
}
