#include "io/export/obj.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "io/export/frame_check.hpp"

namespace plica {
namespace {

// std::to_chars: the decimal point is a point in every locale.
void put_number(std::string& text, double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 9).ptr;
    text += ' ';
    text.append(digits, end);
}

void put_nodes(std::string& text, char kind, std::initializer_list<std::int32_t> nodes) {
    text += kind;
    for (const std::int32_t node : nodes) text += ' ' + std::to_string(std::int64_t{node} + 1);  // counted from 1
    text += '\n';
}

}  // namespace

void write_obj_frame(const std::string& path, std::span<const Vec3> positions, const Surface& surface) {
    check_surface_nodes(path, surface, positions.size());
    std::string text = "# Plica frame, metres\n";
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3& p = positions[i];
        if (!is_finite(p)) throw Error(path + ": node " + std::to_string(i) + " is not finite", Status::invalid);
        text += 'v';
        put_number(text, p.x);
        put_number(text, p.y);
        put_number(text, p.z);
        text += '\n';
    }
    for (const Capsule& c : surface.capsules) {
        if (c.a != c.b) put_nodes(text, 'l', {c.a, c.b});
    }
    for (const Triangle& t : surface.triangles) put_nodes(text, 'f', {t.a, t.b, t.c});
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace plica
