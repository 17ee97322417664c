#include "scene/file/nifty/constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/index.hpp"
#include "scene/file/nifty/place.hpp"

namespace plica::nifty {
namespace {

const Vocabulary types{{"Fix", "Disp", "Force", "Gravity", "Pressure", "Traction"}, {}};
const Vocabulary shapes{{"POLY345", "RAMP", "RAMPHOLD", "STEP"}, {"HILLY"}};
constexpr double largest_magnitude = 1e9;  // of magnitudes
constexpr double hold = 0.1;               // share of the time after which RAMPHOLD is at its full size

// Which constraint moves a node along an axis; what a node does twice is a mistake.
struct Hold {
    std::size_t line = 0;  // of the constraint; 0: none
    bool moves = false;
};

class Reader {
public:
    Reader(Document& document, const ModelMesh& mesh, double total_time, OrganDescription& organ)
        : m_document(document), m_mesh(mesh), m_time(total_time), m_organ(organ), m_holds(3 * mesh.mesh.nodes.size()) {}

    void read(const pugi::xml_node& node) {
        m_document.check_children(node, {{"Nodes", "Faces", "Normal", "Magnitudes", "Magnitude",
                                          "AccelerationMagnitude", "AccelerationDirection"},
                                         {"RestrictTo"}});
        m_document.check_empty(node);
        const std::string type = m_document.choice(node, "Type", "", types);
        if (type == "Fix" || type == "Disp") read_motion(node, type == "Disp");
        if (type == "Force") read_force(node);
        if (type == "Gravity") read_gravity(node);
        if (type == "Pressure" || type == "Traction") read_surface_load(node, type == "Pressure");
    }

private:
    // The axes of DOF, one or all.
    bool read_axes(const pugi::xml_node& node, std::array<bool, 3>& axes) {
        const std::string which = m_document.choice(node, "DOF", "all", {{"0", "1", "2", "all"}, {}});
        for (std::size_t k = 0; k < 3; ++k) axes[k] = which == "all" || which == std::to_string(k);
        return !which.empty();
    }

    bool read_ramp(const pugi::xml_node& node, Ramp& ramp) {
        const std::string shape = m_document.choice(node, "LoadShape", "POLY345", shapes);
        ramp.end = m_time;
        if (shape == "RAMP" || shape == "RAMPHOLD") ramp.shape = RampShape::linear;
        if (shape == "RAMPHOLD") ramp.end = hold * m_time;
        if (shape == "STEP") {
            ramp.shape = RampShape::step;
            ramp.end = 0.0;
        }
        return !shape.empty();
    }

    // `each` numbers for all, or for each of `count`: then they come `count` times.
    bool read_magnitudes(const pugi::xml_node& node, std::size_t count, std::size_t each, std::vector<double>& values) {
        m_document.check_attributes(node, {"Type"});
        m_document.check_children(node, {});
        const std::string type = m_document.choice(node, "Type", "UNIFORM", {{"UNIFORM", "DIFFORM"}, {"FILE"}});
        if (type.empty()) return false;
        const bool uniform = type == "UNIFORM";
        if (!m_document.numbers(node, uniform ? each : count * each, values)) return false;
        for (const double value : values) {
            if (std::abs(value) <= largest_magnitude) continue;
            m_document.complain(node,
                                fmt::format("Magnitudes: found {}, expected at most {}", value, largest_magnitude));
            return false;
        }
        if (uniform) {
            const std::vector<double> once = values;
            for (std::size_t i = 1; i < count; ++i) values.insert(values.end(), once.begin(), once.end());
        }
        return true;
    }

    bool find_magnitudes(const pugi::xml_node& node, std::size_t count, std::size_t each, std::vector<double>& values) {
        const pugi::xml_node magnitudes = node.child("Magnitudes");
        if (magnitudes) return read_magnitudes(magnitudes, count, each, values);
        m_document.complain(node, "Constraint: found no Magnitudes, expected them");
        return false;
    }

    // Nodes by the size of what they get, so that one motion or load serves many.
    static std::map<double, std::vector<std::int32_t>> group(const std::vector<std::int32_t>& nodes,
                                                             const std::vector<double>& values) {
        std::map<double, std::vector<std::int32_t>> groups;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i] >= 0) groups[values[i]].push_back(nodes[i]);
        }
        return groups;
    }

    static NodeSelection select(const std::vector<std::int32_t>& nodes) {
        NodeSelection where;
        where.kind = NodeSelection::Kind::list;
        where.nodes = nodes;
        return where;
    }

    bool take_hold(const pugi::xml_node& node, std::int32_t n, const std::array<bool, 3>& axes, bool moves) {
        const std::size_t line = m_document.line_of(node);
        for (std::size_t k = 0; k < 3; ++k) {
            if (!axes[k]) continue;
            Hold& mine = m_holds[3 * at(n) + k];
            if (mine.line > 0 && (mine.moves || moves)) {
                const auto number = std::find(m_mesh.number.begin(), m_mesh.number.end(), n) - m_mesh.number.begin();
                m_document.complain(node, fmt::format("Constraint: the node {} is held along {} by the Constraint of "
                                                      "line {} already, expected one of them",
                                                      number, "xyz"[k], mine.line));
                return false;
            }
            mine = {line, moves};
        }
        return true;
    }

    void read_motion(const pugi::xml_node& node, bool moves) {
        m_document.check_attributes(node, moves ? Names{"Type", "DOF", "NumNodes", "SpecType", "LoadShape"}
                                                : Names{"Type", "DOF", "NumNodes", "SpecType"});
        MotionDescription motion;
        std::vector<std::int32_t> nodes;
        bool good = read_axes(node, motion.motion.axes);
        good = (!moves || read_ramp(node, motion.motion.ramp)) && good;
        good = read_place(m_document, node, m_mesh, nodes) && good;
        std::vector<double> values(nodes.size(), 0.0);
        if (!good || (moves && !find_magnitudes(node, nodes.size(), 1, values))) return;
        for (const std::int32_t n : nodes) {
            if (n >= 0 && !take_hold(node, n, motion.motion.axes, moves)) return;
        }
        for (const auto& [value, members] : group(nodes, values)) {
            const std::array<bool, 3>& axes = motion.motion.axes;
            motion.motion.displacement = {axes[0] ? value : 0.0, axes[1] ? value : 0.0, axes[2] ? value : 0.0};
            motion.where = select(members);
            m_organ.motions.push_back(motion);
        }
    }

    bool is_without_repetition(const pugi::xml_node& node, std::vector<std::int32_t> nodes) {
        std::sort(nodes.begin(), nodes.end());
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            if (nodes[i] < 0 || nodes[i] != nodes[i - 1]) continue;
            m_document.complain(node, "Constraint: found a node twice, expected each once");
            return false;
        }
        return true;
    }

    void read_force(const pugi::xml_node& node) {
        m_document.check_attributes(node, {"Type", "DOF", "NumNodes", "SpecType", "LoadShape"});
        LoadDescription load;
        load.load.kind = LoadKind::force;
        std::array<bool, 3> axes{};
        std::vector<std::int32_t> nodes;
        std::vector<double> values;
        bool good = read_axes(node, axes);
        good = read_ramp(node, load.load.ramp) && good;
        good = read_place(m_document, node, m_mesh, nodes) && good;
        if (!good || !find_magnitudes(node, nodes.size(), 1, values) || !is_without_repetition(node, nodes)) return;
        for (const auto& [value, members] : group(nodes, values)) {
            const double sum = value * static_cast<double>(members.size());  // the load is shared by its nodes
            load.load.value = {axes[0] ? sum : 0.0, axes[1] ? sum : 0.0, axes[2] ? sum : 0.0};
            load.where = select(members);
            m_organ.loads.push_back(load);
        }
    }

    void read_gravity(const pugi::xml_node& node) {
        m_document.check_attributes(node, {"Type", "DOF", "NumNodes", "SpecType", "LoadShape"});
        LoadDescription load;
        load.load.kind = LoadKind::acceleration;
        std::vector<std::int32_t> nodes;
        std::vector<double> direction;
        double size = 0.0;
        bool good = read_ramp(node, load.load.ramp);
        good = read_place(m_document, node, m_mesh, nodes) && is_without_repetition(node, nodes) && good;
        const pugi::xml_node magnitude = node.child("AccelerationMagnitude"), way = node.child("AccelerationDirection");
        if (!magnitude || !way) {
            m_document.complain(node,
                                "Constraint Type=\"Gravity\": expected AccelerationMagnitude and "
                                "AccelerationDirection");
            return;
        }
        good = m_document.number(magnitude, {-1e6, 1e6}, size) && good;
        if (!m_document.numbers(way, 3, direction) || !good) return;
        const Vec3 along{direction[0], direction[1], direction[2]};
        if (!(norm(along) > 1e-9) || !std::isfinite(norm(along))) {
            m_document.complain(way, "AccelerationDirection: found a vector without length, expected one like 0 0 -1");
            return;
        }
        load.load.value = normalized(along) * size;
        std::erase(nodes, -1);
        load.where = select(nodes);
        m_organ.loads.push_back(load);
    }

    // One number of a pressure; NiftySim calls it Magnitude.
    bool read_pressure(const pugi::xml_node& node, std::size_t faces, std::vector<double>& values) {
        const pugi::xml_node magnitude = node.child("Magnitude");
        if (!magnitude) return find_magnitudes(node, faces, 1, values);
        m_document.check_attributes(magnitude, {});
        double value = 0.0;
        if (!m_document.number(magnitude, {-largest_magnitude, largest_magnitude}, value)) return false;
        values.assign(faces, value);
        return true;
    }

    void read_surface_load(const pugi::xml_node& node, bool pressure) {
        m_document.check_attributes(node, {"Type", "NumFaces", "FaceType", "SpecType", "LoadShape"});
        LoadDescription load;
        load.load.kind = pressure ? LoadKind::pressure : LoadKind::true_traction;
        std::vector<Face> faces;
        std::vector<double> values;
        const bool shaped = read_ramp(node, load.load.ramp);
        if (!read_faces(m_document, node, m_mesh, faces) || !shaped) return;
        const bool good =
            pressure ? read_pressure(node, faces.size(), values) : find_magnitudes(node, faces.size(), 3, values);
        if (!good) return;
        std::map<std::array<double, 4>, std::vector<std::array<std::int32_t, 3>>> groups;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            // NiftySim subtracts tractions as it does pressures: what it calls t pushes along -t.
            const std::array<double, 3> value =
                pressure ? std::array{values[i], 0.0, 0.0}
                         : std::array{-values[3 * i], -values[3 * i + 1], -values[3 * i + 2]};
            // Both ways of cutting a square, each with half of the load: its corners share it equally.
            const bool square = faces[i].corners == 4;
            auto& triangles = groups[{square ? 0.5 : 1.0, value[0], value[1], value[2]}];
            const auto& [a, b, c, d] = faces[i].node;
            triangles.push_back({a, b, c});
            if (square) triangles.insert(triangles.end(), {{a, c, d}, {a, b, d}, {b, c, d}});
        }
        for (auto& [key, triangles] : groups) {
            load.load.value = Vec3{key[1], key[2], key[3]} * key[0];
            load.faces = std::move(triangles);
            m_organ.loads.push_back(load);
        }
    }

    Document& m_document;
    const ModelMesh& m_mesh;
    double m_time;  // s
    OrganDescription& m_organ;
    std::vector<Hold> m_holds;  // three a node
};

}  // namespace

void read_constraints(Document& document, const pugi::xml_node& model, const ModelMesh& mesh, double total_time,
                      OrganDescription& organ) {
    Reader reader(document, mesh, total_time, organ);
    for (const pugi::xml_node node : model.children("Constraint")) reader.read(node);
}

}  // namespace plica::nifty
