#include "apps/plica/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "audit/chains.hpp"
#include "core/error.hpp"
#include "core/input_file.hpp"
#include "core/nearest.hpp"

namespace plica::app {
namespace {

using PlainJson = nlohmann::json;

constexpr double last_column = 1e9;
constexpr double largest_radius = 1e9;  // m
constexpr std::array<std::int32_t, 2> hangs_on_none{1 << 29, -(1 << 29)};

// Without the library's own name for the kind of error and its "at line".
std::string plain_reason(const std::string& what) {
    const std::size_t mark = what.find("] ");
    const std::string reason = mark == std::string::npos ? what : what.substr(mark + 2);
    const std::size_t colon = reason.find(": ");
    return reason.rfind("parse error", 0) == 0 && colon != std::string::npos ? reason.substr(colon + 2) : reason;
}

PlainJson parse(const std::string& file, const std::string& text) {
    try {
        return PlainJson::parse(text);
    } catch (const PlainJson::parse_error& error) {
        const std::size_t end = std::min<std::size_t>(error.byte, text.size());
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
        throw Error(fmt::format("{}:{}: not JSON: {}", file, line, plain_reason(error.what())));
    } catch (const PlainJson::exception& error) {
        throw Error(fmt::format("{}: not JSON: {}", file, plain_reason(error.what())));
    }
}

std::string quote(const PlainJson& value) {
    const std::string text = value.dump(-1, ' ', true, PlainJson::error_handler_t::replace);
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

class SurfaceReader {
public:
    SurfaceReader(std::string file, std::size_t nodes)
        : m_file(std::move(file)), m_columns(nodes, -1), m_exempt(nodes, 0) {}

    SurfaceFile read() {
        const PlainJson root = parse(m_file, InputFile(m_file).read_rest());
        if (!root.is_object() || !root.contains("bodies") || !root["bodies"].is_array()) {
            fail("", "no list of bodies", R"({"bodies": [...]})");
        }
        check_keys(root, "", {"units", "dt", "bodies", "tools"});
        if (root.contains("units") && root["units"] != "SI") fail("units", quote(root["units"]), "\"SI\"");
        const PlainJson& bodies = root["bodies"];
        for (std::size_t b = 0; b < bodies.size(); ++b) read_body(bodies[b], fmt::format("bodies[{}]", b));
        m_result.names.insert(m_result.names.end(), m_triangle_names.begin(), m_triangle_names.end());
        set_exempt();
        check_columns();
        audit::set_chains(m_result.surface, m_columns);
        set_hanging();
        set_closed();
        check_contents();
        return std::move(m_result);
    }

private:
    struct Part {
        std::array<std::int32_t, 3> nodes{};
        double radius = 0.0;
    };

    [[noreturn]] void fail(const std::string& where, const std::string& found, const std::string& expected) const {
        throw Error(
            fmt::format("{}: {}{}found {}, expected {}", m_file, where, where.empty() ? "" : ": ", found, expected));
    }

    // Keys of other programs are their own business, but a slip of the pen must not leave a body out.
    void check_keys(const PlainJson& object, const std::string& where, const std::vector<std::string>& known) const {
        for (const auto& [key, value] : object.items()) {
            const std::string& name = key;
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            const auto meant = std::find_if(known.begin(), known.end(),
                                            [&](const std::string& k) { return edit_distance(name, k) == 1; });
            if (meant != known.end()) fail(where, quote(PlainJson(name)), '"' + *meant + '"');
        }
    }

    void read_body(const PlainJson& body, const std::string& where) {
        if (!body.is_object()) fail(where, quote(body), "an object with a name and segments");
        check_keys(body, where,
                   {"name", "tissue", "nodes", "segments", "triangles", "tetrahedra", "spheres", "exempt", "columns",
                    "triangle_columns", "self_contact", "closed"});
        if (!body.contains("name") || !body["name"].is_string()) fail(where, "no name", "\"name\": \"...\"");
        m_result.bodies.push_back(body["name"].get<std::string>());
        read_parts(body, where, "segments", 2);
        read_parts(body, where, "spheres", 1);
        read_parts(body, where, "triangles", 3);
        for (const PlainJson& node : list(body, where, "exempt"))
            m_exempt[static_cast<std::size_t>(node_of(node, where + ".exempt"))] = 1;
        read_columns(body, where);
        read_hanging(body, where);
        read_self_contact(body, where);
        m_closed.push_back(read_flag(body, where, "closed"));
    }

    // The body's triangles touch those of every body that says so, itself included.
    void read_self_contact(const PlainJson& body, const std::string& where) {
        const bool sheet = read_flag(body, where, "self_contact").value_or(false);
        const auto number = static_cast<std::int32_t>(m_result.bodies.size()) - 1;
        for (Triangle& t : m_result.surface.triangles) {
            if (t.body == number) t.sheet = sheet;
        }
    }

    std::optional<bool> read_flag(const PlainJson& body, const std::string& where, const char* key) const {
        if (!body.contains(key)) return std::nullopt;
        if (!body[key].is_boolean()) fail(fmt::format("{}.{}", where, key), quote(body[key]), "true or false");
        return body[key].get<bool>();
    }

    // A body's triangles are those of a solid where it says so or, if it is silent and no sheet that touches itself,
    // where they close. Solids have no chain.
    void set_closed() {
        const std::vector<audit::ChainKind> kinds = audit::find_chain_kinds(m_result.surface);
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            Triangle& t = m_result.surface.triangles[i];
            const std::optional<bool> said = m_closed[static_cast<std::size_t>(t.body)];
            if (said.value_or(false) && kinds[i] == audit::ChainKind::mixed)
                fail(fmt::format("bodies[{}].closed", t.body), "segments or spheres on nodes of its triangles", "none");
            if (!said.value_or(!t.sheet && kinds[i] == audit::ChainKind::closed)) continue;
            t.chain = t.column_min = t.column_max = -1;
        }
    }

    void check_contents() const {
        const auto& triangles = m_result.surface.triangles;
        const bool examined =
            std::any_of(triangles.begin(), triangles.end(), [](const Triangle& t) { return t.sheet || t.chain < 0; });
        if (!m_result.surface.capsules.empty() || examined) return;
        fail("bodies", "no segments and no spheres",
             "at least one, a closed surface, or a body with \"self_contact\": true (other triangles are examined "
             "against these)");
    }

    // An empty one where the key is not there.
    const PlainJson& list(const PlainJson& body, const std::string& where, const char* key) const {
        static const PlainJson none = PlainJson::array();
        if (!body.contains(key)) return none;
        if (!body[key].is_array()) fail(where + "." + key, quote(body[key]), "a list");
        return body[key];
    }

    // Numbers such as 12.0 are what numpy makes of a table that holds radii too.
    std::int32_t node_of(const PlainJson& value, const std::string& where) const {
        const double number = value.is_number() ? value.get<double>() : -1.0;
        const bool exists = number >= 0.0 && number < static_cast<double>(m_columns.size());
        if (!exists || number != std::floor(number))
            fail(where, quote(value), fmt::format("a node from 0 to {}", m_columns.size() - 1));
        return static_cast<std::int32_t>(number);
    }

    Part read_part(const PlainJson& row, const std::string& where, std::size_t corners) const {
        static constexpr std::array<const char*, 3> forms{"[node, radius]", "[node, node, radius]",
                                                          "[node, node, node, half thickness]"};
        if (!row.is_array() || row.size() != corners + 1) fail(where, quote(row), forms[corners - 1]);
        Part part;
        for (std::size_t k = 0; k < corners; ++k) part.nodes[k] = node_of(row[k], where);
        for (std::size_t k = 1; k < corners; ++k) {
            const bool twice = part.nodes[k] == part.nodes[k - 1] || (k == 2 && part.nodes[2] == part.nodes[0]);
            if (twice) fail(where, quote(row), "different nodes");
        }
        const PlainJson& radius = row[corners];
        part.radius = radius.is_number() ? radius.get<double>() : -1.0;
        if (!(part.radius >= 0.0 && part.radius <= largest_radius))
            fail(where, quote(radius), "a radius in metres, not negative");
        return part;
    }

    void read_parts(const PlainJson& body, const std::string& where, const char* key, std::size_t corners) {
        const PlainJson& rows = list(body, where, key);
        const std::size_t index = m_result.bodies.size() - 1;
        const auto number = static_cast<std::int32_t>(index);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto [nodes, radius] = read_part(rows[i], fmt::format("{}.{}[{}]", where, key, i), corners);
            if (corners == 3) {
                m_result.surface.triangles.push_back({nodes[0], nodes[1], nodes[2], radius, number, -1, -1, -1});
                m_triangle_names.push_back({"triangle", index, i});
            } else {
                const std::int32_t end = corners == 2 ? nodes[1] : nodes[0];
                m_result.surface.capsules.push_back({nodes[0], end, radius, number, -1, -1, 0, false});
                m_result.names.push_back({corners == 2 ? "segment" : "sphere", index, i});
            }
        }
    }

    void read_columns(const PlainJson& body, const std::string& where) {
        const auto [first, end] = read_range(body, where);
        if (!body.contains("columns")) return;
        const PlainJson& columns = list(body, where, "columns");
        if (!body.contains("nodes")) fail(where, "columns without nodes", "\"nodes\": [first, end]");
        if (columns.size() != end - first)
            fail(where + ".columns", fmt::format("{} values", columns.size()),
                 fmt::format("{}, one for each of the body's nodes", end - first));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double column = columns[i].is_number() ? columns[i].get<double>() : -2.0;
            if (!(column >= -1.0 && column <= last_column) || column != std::floor(column))
                fail(fmt::format("{}.columns[{}]", where, i), quote(columns[i]), "-1, 0, 1, 2...");
            m_columns[first + i] = static_cast<std::int32_t>(column);
        }
    }

    // Places along the chain that each triangle is one tissue with, where they are not those of its nodes.
    void read_hanging(const PlainJson& body, const std::string& where) {
        m_hanging.resize(m_result.surface.triangles.size());
        if (!body.contains("triangle_columns")) return;
        const PlainJson& rows = list(body, where, "triangle_columns");
        const std::size_t count = list(body, where, "triangles").size();
        if (rows.size() != count)
            fail(where + ".triangle_columns", fmt::format("{} values", rows.size()),
                 fmt::format("{}, one for each of the body's triangles", count));
        const auto column = [](const PlainJson& value) {
            const double number = value.is_number() ? value.get<double>() : -1.0;
            return number >= 0.0 && number <= last_column ? static_cast<std::int32_t>(number) : -1;
        };
        for (std::size_t i = 0; i < count; ++i) {
            const bool none = rows[i].is_array() && rows[i].empty();
            const bool pair = rows[i].is_array() && rows[i].size() == 2;
            const std::array<std::int32_t, 2> range =
                pair ? std::array{column(rows[i][0]), column(rows[i][1])} : hangs_on_none;
            if (!none && (!pair || range[0] < 0 || range[1] < range[0]))
                fail(fmt::format("{}.triangle_columns[{}]", where, i), quote(rows[i]), "[first, last], or [] for none");
            m_hanging[m_hanging.size() - count + i] = range;
        }
    }

    void set_hanging() {
        for (std::size_t i = 0; i < m_hanging.size(); ++i) {
            Triangle& t = m_result.surface.triangles[i];
            if (!m_hanging[i] || t.column_min < 0) continue;
            t.column_min = (*m_hanging[i])[0];
            t.column_max = (*m_hanging[i])[1];
        }
    }

    std::pair<std::size_t, std::size_t> read_range(const PlainJson& body, const std::string& where) const {
        if (!body.contains("nodes")) return {0, 0};
        const PlainJson& range = body["nodes"];
        const auto bound = [&](std::size_t i) {
            const double value = range[i].is_number() ? range[i].get<double>() : -1.0;
            return value >= 0.0 && value <= static_cast<double>(m_columns.size()) && value == std::floor(value) ? value
                                                                                                                : -1.0;
        };
        const bool pair = range.is_array() && range.size() == 2;
        if (!pair || bound(0) < 0.0 || bound(1) < bound(0))
            fail(where + ".nodes", quote(range), fmt::format("[first, end] within 0 to {}", m_columns.size()));
        return {static_cast<std::size_t>(bound(0)), static_cast<std::size_t>(bound(1))};
    }

    void set_exempt() {
        for (Capsule& c : m_result.surface.capsules) {
            c.exempt = c.a != c.b && m_exempt[static_cast<std::size_t>(c.a)] != 0 &&
                       m_exempt[static_cast<std::size_t>(c.b)] != 0;
        }
    }

    void check_columns() const {
        for (std::size_t i = 0; i < m_result.surface.capsules.size(); ++i) {
            const Capsule& c = m_result.surface.capsules[i];
            const std::int32_t a = m_columns[static_cast<std::size_t>(c.a)];
            const std::int32_t b = m_columns[static_cast<std::size_t>(c.b)];
            if (c.a == c.b || a < 0 || b < 0 || std::abs(a - b) == 1) continue;
            const PrimitiveName& name = m_result.names[i];
            fail(fmt::format("bodies[{}].segments[{}]", name.body, name.number),
                 fmt::format("columns {} and {} at its ends", a, b),
                 "columns that follow each other (without columns, neighbours are found by arc length)");
        }
    }

    std::string m_file;
    std::vector<std::int32_t> m_columns;  // per node
    std::vector<std::uint8_t> m_exempt;   // per node
    std::vector<PrimitiveName> m_triangle_names;
    std::vector<std::optional<std::array<std::int32_t, 2>>> m_hanging;  // per triangle, where it is said
    std::vector<std::optional<bool>> m_closed;                          // per body, where it says so
    SurfaceFile m_result;
};

}  // namespace

SurfaceFile read_surface(const std::string& file, std::size_t nodes) {
    return SurfaceReader(file, nodes).read();
}

}  // namespace plica::app
