#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "geometry/mesh/formats/abaqus_line.hpp"
#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/node_tags.hpp"
#include "geometry/mesh/formats/volume_builder.hpp"

// Abaqus input: nodes, elements and node sets of parts, each with its own numbers.
namespace plica::formats {
namespace {

struct Element {
    std::size_t at;  // in the text
    std::int32_t region;
    std::int32_t corners;  // 4 or 8
    std::int64_t tags[8];
};

// Nodes from first to last by step, or those of another set.
struct Members {
    std::size_t at;
    std::int64_t first = 0, last = 0, step = 1;
    std::string other;
};
struct Set {
    std::string name;
    std::vector<Members> members;
};

// A space of numbers: the file's own, or a part's.
struct Part {
    std::string name;
    bool placed = false;  // by an instance
    std::vector<Vec3> nodes;
    std::vector<std::int64_t> tags;
    std::vector<Element> elements;
    std::vector<Set> sets;
};

class AbaqusReader {
public:
    AbaqusReader(const std::string& path, std::string_view bytes) : m_lines(path, bytes) { m_parts.emplace_back(); }

    VolumeMesh read(double scale, Ignored& ignored) {
        AbaqusKeyword keyword;
        while (m_lines.next_keyword(keyword)) read_keyword(keyword, ignored);
        const bool instances = !m_instances.empty();
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (i == 0 || m_parts[i].placed || !instances) add_part(m_parts[i]);
        }
        if (m_builder.nodes() == 0) throw Error(m_lines.path() + ": found no *NODE");
        if (m_builder.cells() == 0) throw Error(m_lines.path() + ": found no *ELEMENT of type C3D4, C3D8 or C3D8R");
        return m_builder.finish(scale);
    }

private:
    void read_keyword(const AbaqusKeyword& k, Ignored& ignored) {
        static constexpr std::string_view makers[] = {"INCLUDE", "SYSTEM", "NGEN",  "NFILL",
                                                      "NCOPY",   "NMAP",   "ELGEN", "ELCOPY"};
        if (k.name == "NODE") {
            read_nodes(k);
        } else if (k.name == "ELEMENT") {
            read_elements(k);
        } else if (k.name == "NSET") {
            read_set(k);
        } else if (k.name == "PART") {
            m_current = m_parts.size();
            m_parts.emplace_back();
            m_parts.back().name = to_upper(k.parameter("NAME"));
        } else if (k.name == "END PART") {
            m_current = 0;
        } else if (k.name == "INSTANCE") {
            read_instance(k);
        } else if (k.name == "END INSTANCE") {
            m_current = 0;
        } else if (std::find(std::begin(makers), std::end(makers), k.name) != std::end(makers)) {
            m_lines.fail_at(
                k.at,
                fmt::format("found *{}, which is not read; expected all nodes and elements in this file", k.name));
        } else if (k.name != "HEADING" && k.name != "ASSEMBLY" && k.name != "END ASSEMBLY") {
            const std::string name = "*" + k.name;
            if (std::find(ignored.begin(), ignored.end(), name) == ignored.end()) ignored.push_back(name);
        }
    }

    void read_nodes(const AbaqusKeyword& k) {
        if (!k.parameter("SYSTEM").empty() && to_upper(k.parameter("SYSTEM")) != "R") {
            m_lines.fail_at(k.at, fmt::format("found *NODE with SYSTEM={}, expected R", k.parameter("SYSTEM")));
        }
        Part& part = m_parts[m_current];
        Set set{k.parameter("NSET"), {}};
        while (m_lines.next_data()) {
            const std::int64_t tag = m_lines.integer("the number of a node");
            Vec3 place{};
            for (double* c : {&place.x, &place.y, &place.z})
                *c = m_lines.at_line_end() ? 0.0 : m_lines.real("a coordinate");
            if (!set.name.empty()) set.members.push_back({k.at, tag, tag, 1, ""});
            part.tags.push_back(tag);
            part.nodes.push_back(place);
        }
        if (!set.name.empty()) part.sets.push_back(std::move(set));
    }

    void read_elements(const AbaqusKeyword& k) {
        const std::string type = to_upper(k.parameter("TYPE"));
        const std::int32_t corners = type == "C3D4" ? 4 : type == "C3D8" || type == "C3D8R" ? 8 : 0;
        if (corners == 0) {
            m_lines.fail_at(k.at, fmt::format("found elements of TYPE={}, expected C3D4, C3D8 or C3D8R", quote(type)));
        }
        const std::string set = k.parameter("ELSET");
        const std::int32_t region = set.empty() ? VolumeBuilder::no_region : m_builder.region(first_spelling(set));
        Part& part = m_parts[m_current];
        while (m_lines.next_data()) {
            Element element{m_lines.position(), region, corners, {}};
            m_lines.integer("the number of an element");
            for (std::int32_t i = 0; i < corners; ++i) element.tags[i] = m_lines.integer_or_next_line("a node");
            if (!m_lines.at_line_end()) m_lines.fail(fmt::format("found more than {} nodes of a {}", corners, type));
            part.elements.push_back(element);
        }
    }

    void read_set(const AbaqusKeyword& k) {
        Set set{k.parameter("NSET"), {}};
        if (set.name.empty()) m_lines.fail_at(k.at, "found *NSET without a name, expected NSET=NAME");
        if (!k.parameter("ELSET").empty()) m_lines.fail_at(k.at, "found *NSET of an ELSET, expected node numbers");
        const bool generate = k.has("GENERATE");
        while (m_lines.next_data()) {
            while (!m_lines.at_line_end()) set.members.push_back(read_members(generate));
        }
        const std::string instance = to_upper(k.parameter("INSTANCE"));
        if (!instance.empty() && m_instances.count(instance) == 0) {
            m_lines.fail_at(k.at, fmt::format("found the instance {}, which is not there", quote(instance)));
        }
        m_parts[instance.empty() ? m_current : m_instances[instance]].sets.push_back(std::move(set));
    }

    Members read_members(bool generate) {
        Members members{m_lines.position(), 0, 0, 1, ""};
        if (!generate && m_lines.at_name()) {
            members.other = to_upper(m_lines.field());
            return members;
        }
        members.first = members.last = m_lines.integer("the number of a node");
        if (!generate) return members;
        members.last = m_lines.integer("the number of a node");
        if (!m_lines.at_line_end()) members.step = m_lines.integer("a step");
        if (members.step < 1 || members.last < members.first) {
            m_lines.fail(fmt::format("found the nodes {} to {} by {}, expected first, last and a step of at least 1",
                                     members.first, members.last, members.step));
        }
        return members;
    }

    void read_instance(const AbaqusKeyword& k) {
        const std::string name = to_upper(k.parameter("PART"));
        std::size_t part = 0;
        for (std::size_t i = 1; i < m_parts.size(); ++i) {
            if (m_parts[i].name == name) part = i;
        }
        if (part == 0)
            m_lines.fail_at(k.at, fmt::format("found an instance of the part {}, which is not there", quote(name)));
        if (m_parts[part].placed) {
            m_lines.fail_at(k.at,
                            fmt::format("found a second instance of the part {}; expected one each", quote(name)));
        }
        while (m_lines.next_data()) {
            while (!m_lines.at_line_end()) {
                if (m_lines.real("a translation") != 0.0)
                    m_lines.fail("found an instance that is moved, expected one in place");
            }
        }
        m_parts[part].placed = true;
        m_instances[to_upper(k.parameter("NAME"))] = part;
        m_current = part;
    }

    void add_part(const Part& part) {
        const NodeTags tags(part.tags);
        const auto first = static_cast<std::int32_t>(m_builder.nodes());
        if (tags.repeated() >= 0) {
            throw Error(fmt::format("{}: node {} is there twice", m_lines.path(),
                                    part.tags[static_cast<std::size_t>(tags.repeated())]));
        }
        for (const Vec3& place : part.nodes) m_builder.add_node(place);
        for (const Element& e : part.elements) {
            std::array<std::int32_t, 8> node{};
            for (std::size_t i = 0; i < static_cast<std::size_t>(e.corners); ++i)
                node[i] = first + find(tags, e.tags[i], e.at);
            if (e.corners == 4) {
                m_builder.add_tetrahedron({node[0], node[1], node[2], node[3]}, e.region);
            } else {
                m_builder.add_hexahedron(node, e.region);
            }
        }
        std::map<std::string, std::vector<std::int32_t>> found;
        for (const Set& set : part.sets) add_set(part, tags, first, set, found);
    }

    void add_set(const Part& part, const NodeTags& tags, std::int32_t first, const Set& set,
                 std::map<std::string, std::vector<std::int32_t>>& found) {
        std::vector<std::int32_t> nodes;
        for (const Members& m : set.members) {
            if (!m.other.empty()) {
                const auto other = found.find(m.other);
                if (other == found.end())
                    m_lines.fail_at(m.at, fmt::format("found the set {}, which is not there", quote(m.other)));
                nodes.insert(nodes.end(), other->second.begin(), other->second.end());
                continue;
            }
            if ((m.last - m.first) / m.step > static_cast<std::int64_t>(part.tags.size())) {
                m_lines.fail_at(m.at, fmt::format("found the nodes {} to {}, more than there are", m.first, m.last));
            }
            for (std::int64_t tag = m.first; tag <= m.last; tag += m.step) nodes.push_back(find(tags, tag, m.at));
        }
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const std::size_t target = m_builder.node_set(first_spelling(set.name));
        for (const std::int32_t node : nodes) m_builder.add_to_set(target, first + node);
        std::vector<std::int32_t>& known = found[to_upper(set.name)];
        known.insert(known.end(), nodes.begin(), nodes.end());
        if (known.size() > 4 * part.nodes.size() + 1000) {  // the same nodes again and again
            std::sort(known.begin(), known.end());
            known.erase(std::unique(known.begin(), known.end()), known.end());
        }
    }

    std::int32_t find(const NodeTags& tags, std::int64_t tag, std::size_t at) const {
        const std::int32_t node = tags.find(tag);
        if (node < 0) m_lines.fail_at(at, fmt::format("found node {}, which is not in *NODE", tag));
        return node;
    }

    // Names are the same in upper and lower case.
    std::string first_spelling(const std::string& name) {
        return m_spelling.emplace(to_upper(name), name).first->second;
    }

    AbaqusLines m_lines;
    std::vector<Part> m_parts;  // the first is the file itself
    std::size_t m_current = 0;
    std::map<std::string, std::size_t> m_instances;
    std::map<std::string, std::string> m_spelling;
    VolumeBuilder m_builder;
};

}  // namespace

VolumeMesh read_abaqus(const std::string& path, std::string_view bytes, double scale, Ignored& ignored) {
    return AbaqusReader(path, bytes).read(scale, ignored);
}

}  // namespace plica::formats
