#include <algorithm>

#include "tissue/mass_spring/sheet_kernel.hpp"
#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::int32_t row_in_front(const FrontShape& shape, std::int16_t slot, bool next_column) {
    return slot < 0 ? -1 : shape.row_of(slot) + (next_column ? shape.column_rows() : 0);
}

SpringTable make_table(const Network& network, const Sheet& sheet) {
    const FrontShape shape{sheet.slots};
    SpringTable t;
    t.first.assign(at(sheet.columns) + 1, 0);
    for (std::int32_t k = sheet.first; k < sheet.first + sheet.count; ++k) {
        const Spring& s = network.springs[at(k)];
        ++t.first[at(s.column) + 1];
        t.a.push_back(s.a);
        t.b.push_back(s.b);
        t.row_a.push_back(row_in_front(shape, s.slot_a, false));
        t.row_b.push_back(row_in_front(shape, s.slot_b, s.to_next));
        t.rest.push_back(s.rest);
        t.stiffness.push_back(s.stiffness);
        t.compression.push_back(s.compression);
    }
    for (std::size_t c = 1; c < t.first.size(); ++c) t.first[c] += t.first[c - 1];
    const std::size_t padded = (t.a.size() + 7) / 8 * 8;
    for (auto* ints : {&t.a, &t.b, &t.row_a, &t.row_b}) ints->resize(padded, 0);
    for (auto* reals : {&t.rest, &t.stiffness, &t.compression}) reals->resize(padded, 0.0);
    return t;
}

}  // namespace

void prepare(const Network& network, Workspace& work, Isa isa) {
    work.isa = isa;
    work.tables.clear();
    for (const Sheet& sheet : network.sheets) {
        const FrontShape shape{sheet.slots};
        work.tables.push_back(make_table(network, sheet));
        work.front.resize(std::max(work.front.size(), at(shape.rows() * shape.lines())));
        work.upper.resize(std::max(work.upper.size(), at(sheet.columns) * at(shape.column_rows() * shape.lines())));
    }
}

void solve_sheet(const Network& network, std::size_t index, Workspace& work, std::span<const Vec3> x,
                 std::span<const Vec3> q, std::span<const double> w, double h, std::span<Vec3> p) {
    const Sheet& sheet = network.sheets[index];
    const SpringTable& t = work.tables[index];
    const SheetProblem problem{{sheet.slots},
                               sheet.columns,
                               sheet.node.data(),
                               t.first.data(),
                               t.a.data(),
                               t.b.data(),
                               t.row_a.data(),
                               t.row_b.data(),
                               t.rest.data(),
                               t.stiffness.data(),
                               t.compression.data(),
                               sheet.viscosity,
                               sheet.bending,
                               sheet.first_node,
                               h,
                               &x[0].x,
                               w.data(),
                               &q[0].x,
                               &p[0].x,
                               work.front[0].at,
                               work.upper[0].at};
    PLICA_PICK_KERNEL(work.isa, solve_sheet)(problem);
}

}  // namespace plica::mass_spring
