#include <algorithm>

#include "core/index.hpp"
#include "tissue/mass_spring/graded_plan.hpp"
#include "tissue/mass_spring/sheet_kernel.hpp"
#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

constexpr std::int32_t chunks = 8;

// Builds the arrays in which a sheet's chunks lie side by side.
class TableBuilder {
public:
    TableBuilder(const Network& network, const Sheet& sheet)
        : m_network(network), m_sheet(sheet), m_shape{sheet.slots} {
        // The last chunk's last column is always an empty one.
        m_table.length = std::max(2, sheet.columns / chunks + 1);
    }

    SpringTable build() {
        add_nodes();
        add_bending();
        add_springs();
        add_reach();
        return std::move(m_table);
    }

private:
    [[nodiscard]] std::int32_t column_of(std::int32_t chunk, std::int32_t t) const {
        return chunk * m_table.length + t;
    }

    // A node that exists, for lanes whose result is not used.
    [[nodiscard]] std::int32_t any_node() const {
        for (const std::int32_t node : m_sheet.node) {
            if (node >= 0) return node;
        }
        return m_sheet.first_node;
    }

    void add_nodes() {
        const std::int32_t other = any_node();
        for (std::int32_t t = -1; t <= m_table.length; ++t) {
            for (std::int32_t slot = 0; slot < m_sheet.slots; ++slot) {
                for (std::int32_t chunk = 0; chunk < chunks; ++chunk) {
                    const std::int32_t column = column_of(chunk, t);
                    const bool exists = column >= 0 && column < m_sheet.columns;
                    const std::int32_t node = exists ? m_sheet.node[at(column * m_sheet.slots + slot)] : -1;
                    const bool bends = exists && slot == 0 && m_sheet.bending != 0.0;  // held ones too
                    m_table.node.push_back(node >= 0 ? node : bends ? m_sheet.first_node + column : other);
                    m_table.there.push_back(node >= 0 ? 1.0 : 0.0);
                }
            }
        }
    }

    void add_bending() {
        for (std::int32_t t = -1; t < m_table.length; ++t) {
            for (std::int32_t chunk = 0; chunk < chunks; ++chunk) {
                const std::int32_t column = column_of(chunk, t);
                m_table.bending.push_back(column >= 0 && column + 2 < m_sheet.columns ? m_sheet.bending : 0.0);
            }
        }
    }

    // Springs that lie alike in all chunks share a batch.
    void add_springs() {
        std::vector<std::int32_t> first(at(m_sheet.columns) + 1, m_sheet.first);
        for (std::int32_t k = m_sheet.first; k < m_sheet.first + m_sheet.count; ++k) {
            for (std::int32_t c = m_network.springs[at(k)].column + 1; c <= m_sheet.columns; ++c) first[at(c)] = k + 1;
        }
        m_table.first_batch.push_back(0);
        for (std::int32_t t = 0; t < m_table.length; ++t) {
            for (std::int32_t chunk = 0; chunk < chunks; ++chunk) {
                const std::int32_t column = column_of(chunk, t);
                if (column >= m_sheet.columns) continue;
                for (std::int32_t k = first[at(column)]; k < first[at(column) + 1]; ++k) add_spring(k, chunk);
            }
            m_table.first_batch.push_back(static_cast<std::int32_t>(m_table.row_a.size()));
        }
    }

    void add_spring(std::int32_t index, std::int32_t chunk) {
        const Spring& s = m_network.springs[at(index)];
        const std::int32_t row_a = s.slot_a < 0 ? -1 : m_shape.here(s.slot_a);
        const std::int32_t row_b = s.slot_b < 0 ? -1 : s.to_next ? m_shape.next(s.slot_b) : m_shape.here(s.slot_b);
        std::size_t batch = at(m_table.first_batch.back());
        const auto taken = [&] {
            return m_table.row_a[batch] != row_a || m_table.row_b[batch] != row_b ||
                   m_table.stiffness[chunks * batch + at(chunk)] != 0.0;
        };
        while (batch < m_table.row_a.size() && taken()) ++batch;
        if (batch == m_table.row_a.size()) add_batch(row_a, row_b, s);
        const std::size_t i = chunks * batch + at(chunk);
        m_table.a[i] = s.a;
        m_table.b[i] = s.b;
        m_table.rest[i] = s.rest;
        m_table.stiffness[i] = s.stiffness;
        m_table.compression[i] = s.compression;
    }

    void add_batch(std::int32_t row_a, std::int32_t row_b, const Spring& s) {
        m_table.row_a.push_back(row_a);
        m_table.row_b.push_back(row_b);
        m_table.a.insert(m_table.a.end(), chunks, s.a);
        m_table.b.insert(m_table.b.end(), chunks, s.b);
        for (auto* reals : {&m_table.rest, &m_table.stiffness, &m_table.compression}) {
            reals->insert(reals->end(), chunks, 0.0);
        }
    }

    // A column's pivots reach all of it and of the left separator and, by way of bending, the next first slot. The
    // other slots of the next column they reach by springs only, from the first pivot on that has one.
    void add_reach() {
        m_table.reached_by.assign(at(m_shape.nodes()), 0);
        for (std::int32_t slot = 1; slot < m_sheet.slots; ++slot)
            m_table.reached_by[at(m_shape.next(slot))] = m_sheet.slots;
        m_table.reached_by[at(m_shape.far())] = m_shape.here(0);
        for (std::size_t k = 0; k < m_table.row_a.size(); ++k) {
            const std::int32_t a = m_table.row_a[k];
            const std::int32_t b = m_table.row_b[k];
            if (a < 0 || b < m_sheet.slots) continue;
            m_table.reached_by[at(b)] = std::min(m_table.reached_by[at(b)], a);
        }
    }

    const Network& m_network;
    const Sheet& m_sheet;
    FrontShape m_shape;
    SpringTable m_table;
};

void reserve(std::vector<CacheLine>& lines, std::size_t count) {
    lines.resize(std::max(lines.size(), count));
}

}  // namespace

namespace {

void prepare_graded(const Network& network, const Sheet& sheet, Workspace& work) {
    const FrontShape shape{sheet.slots};
    work.graded.back() = build_graded_table(network, sheet);
    const GradedTable& t = work.graded.back();
    reserve(work.blocks, at((t.row_blocks + shape.blocks()) * FrontShape::block_lines));
    for (std::vector<CacheLine>* lines : {&work.q, &work.x, &work.known}) reserve(*lines, 3 * t.own.size());
}

void solve_graded_sheet(const Sheet& sheet, const GradedTable& t, const NetworkStep& step, Workspace& work,
                        std::span<Vec3> p) {
    const GradedProblem problem{.shape = {sheet.slots},
                                .unknowns = static_cast<std::int32_t>(t.own.size()),
                                .pivots = t.pivots,
                                .batches = static_cast<std::int32_t>(t.row_a.size()),
                                .bends = static_cast<std::int32_t>(t.bent.size() / 9),
                                .node = t.node.data(),
                                .there = t.there.data(),
                                .own = t.own.data(),
                                .load = t.load.data(),
                                .own_of = t.own_of.data(),
                                .row_a = t.row_a.data(),
                                .row_b = t.row_b.data(),
                                .between = t.between.data(),
                                .a = t.a.data(),
                                .b = t.b.data(),
                                .rest = t.rest.data(),
                                .slack = t.slack.data(),
                                .stiffness = t.stiffness.data(),
                                .compression = t.compression.data(),
                                .bent = t.bent.data(),
                                .bending = t.bending.data(),
                                .targets = t.targets.data(),
                                .target_count = static_cast<std::int32_t>(t.targets.size()),
                                .terms = t.terms.data(),
                                .rows = t.rows.data(),
                                .columns = t.columns.data(),
                                .row_blocks = t.row_blocks,
                                .viscosity = sheet.viscosity,
                                .h = step.h,
                                .x = &step.x[0].x,
                                .w = step.w.data(),
                                .q = &step.q[0].x,
                                .p = &p[0].x,
                                .q_of = work.q[0].at,
                                .x_of = work.x[0].at,
                                .known = work.known[0].at,
                                .blocks = work.blocks[0].at,
                                .between_separators = work.between[0].at};
    PLICA_PICK_KERNEL(work.isa, solve_graded)(problem);
}

}  // namespace

void prepare(const Network& network, Workspace& work, Isa isa) {
    work.isa = isa;
    work.tables.clear();
    work.graded.clear();
    for (const Sheet& sheet : network.sheets) {
        const FrontShape shape{sheet.slots};
        work.tables.emplace_back();
        work.graded.emplace_back();
        reserve(work.between, at(SeparatorShape{sheet.slots}.lines()));
        if (sheet.period > 1) {
            prepare_graded(network, sheet, work);
            continue;
        }
        work.tables.back() = TableBuilder(network, sheet).build();
        const std::size_t length = at(work.tables.back().length);
        reserve(work.front, at(shape.blocks() * FrontShape::block_lines));
        reserve(work.upper, length * at(shape.column_blocks() * FrontShape::block_lines));
        reserve(work.q, (length + 2) * at(3 * sheet.slots));
        reserve(work.x, (length + 2) * at(3 * sheet.slots));
    }
}

void solve_sheet(const Network& network, std::size_t index, const NetworkStep& step, Workspace& work,
                 std::span<Vec3> p) {
    const Sheet& sheet = network.sheets[index];
    if (sheet.period > 1) return solve_graded_sheet(sheet, work.graded[index], step, work, p);
    const SpringTable& t = work.tables[index];
    const SheetProblem problem{.shape = {sheet.slots},
                               .length = t.length,
                               .node = t.node.data(),
                               .there = t.there.data(),
                               .reached_by = t.reached_by.data(),
                               .first_batch = t.first_batch.data(),
                               .row_a = t.row_a.data(),
                               .row_b = t.row_b.data(),
                               .a = t.a.data(),
                               .b = t.b.data(),
                               .rest = t.rest.data(),
                               .stiffness = t.stiffness.data(),
                               .compression = t.compression.data(),
                               .bending = t.bending.data(),
                               .viscosity = sheet.viscosity,
                               .h = step.h,
                               .x = &step.x[0].x,
                               .w = step.w.data(),
                               .q = &step.q[0].x,
                               .p = &p[0].x,
                               .q_of = work.q[0].at,
                               .x_of = work.x[0].at,
                               .front = work.front[0].at,
                               .upper = work.upper[0].at,
                               .between = work.between[0].at};
    PLICA_PICK_KERNEL(work.isa, solve_sheet)(problem);
}

}  // namespace plica::mass_spring
