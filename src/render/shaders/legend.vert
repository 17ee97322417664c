// Marks of a legend, in pixels from the lower left corner: each a rectangle around what the fragments draw in it.
layout(location = 0) in vec4 a_ends;  // of a stroke, or two corners of a box
layout(location = 1) in vec4 a_look;  // radius, kind, grey, opacity

uniform vec2 pixel;  // of the picture's width and height

flat out vec4 ends;
flat out vec4 look;
out vec2 place;

void main() {
    int k = gl_VertexID % 4;
    vec2 low = min(a_ends.xy, a_ends.zw) - a_look.x - 1.0, high = max(a_ends.xy, a_ends.zw) + a_look.x + 1.0;
    place = vec2(k % 2 == 0 ? low.x : high.x, k < 2 ? low.y : high.y);
    ends = a_ends;
    look = a_look;
    gl_Position = vec4(2.0 * place * pixel - 1.0, 0.0, 1.0);
}
