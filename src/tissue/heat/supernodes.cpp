#include "tissue/heat/supernodes.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "tissue/heat/ordering.hpp"

namespace plica::heat {
namespace {

using Rows = std::vector<std::int32_t>;

Rows invert(const Rows& order) {
    Rows inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) inverse[at(order[i])] = static_cast<std::int32_t>(i);
    return inverse;
}

// parent: the next column that a column's elimination changes; count: entries below its diagonal.
struct Elimination {
    Rows parent, count;
};

Elimination eliminate(const SymmetricMatrix& pattern, const Rows& old_row, const Rows& new_row) {
    const std::size_t n = old_row.size();
    Elimination e{Rows(n, -1), Rows(n, 0)};
    Rows mark(n, -1);
    for (std::size_t k = 0; k < n; ++k) {
        const auto row = static_cast<std::int32_t>(k);
        mark[k] = row;
        for (std::int32_t p = pattern.first[at(old_row[k])]; p < pattern.first[at(old_row[k]) + 1]; ++p) {
            std::int32_t i = new_row[at(pattern.column[at(p)])];
            for (; i < row && mark[at(i)] != row; i = e.parent[at(i)]) {
                if (e.parent[at(i)] < 0) e.parent[at(i)] = row;
                ++e.count[at(i)];
                mark[at(i)] = row;
            }
        }
    }
    return e;
}

// Children before parents, each subtree in one piece.
Rows postorder(const Rows& parent) {
    const std::size_t n = parent.size();
    Rows child(n, -1);
    Rows sibling(n, -1);
    Rows roots;
    for (std::size_t i = n; i-- > 0;) {
        const auto node = static_cast<std::int32_t>(i);
        if (parent[i] < 0) {
            roots.push_back(node);
        } else {
            sibling[i] = child[at(parent[i])];
            child[at(parent[i])] = node;
        }
    }
    Rows order;
    order.reserve(n);
    Rows path;
    std::reverse(roots.begin(), roots.end());
    for (const std::int32_t root : roots) {
        path.push_back(root);
        while (!path.empty()) {
            std::int32_t& next = child[at(path.back())];
            if (next >= 0) {
                path.push_back(next);
                next = sibling[at(next)];
            } else {
                order.push_back(path.back());
                path.pop_back();
            }
        }
    }
    return order;
}

// Supernodes before their rows are known.
struct Run {
    std::int32_t first_column, width, height;
    std::int64_t zeros = 0;  // entries stored although they are zero
};

// Columns that share their rows exactly.
std::vector<Run> find_runs(const Elimination& e) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < e.parent.size(); ++i) {
        const auto column = static_cast<std::int32_t>(i);
        const bool joins = i > 0 && e.parent[i - 1] == column && e.count[i - 1] == e.count[i] + 1;
        if (!joins) runs.push_back({column, 0, 0});
        ++runs.back().width;
        runs.back().height = e.count[i];
    }
    return runs;
}

// Zeros cost memory, every supernode costs a loop and its row numbers: what pays, measured on planes.
bool worth_joining(std::int64_t width, std::int64_t zeros, std::int64_t entries) {
    const double share = static_cast<double>(zeros) / static_cast<double>(entries);
    if (width <= 4) return share <= 0.5;
    if (width <= 16) return share <= 0.25;
    return share <= 0.05;
}

// Joins a run to the one after it where that is its parent and few zeros come in.
std::vector<Run> join_runs(const Elimination& e, const std::vector<Run>& runs) {
    std::vector<Run> joined;  // from the last column to the first
    for (std::size_t i = runs.size(); i-- > 0;) {
        const Run& run = runs[i];
        const std::int32_t last = run.first_column + run.width - 1;
        if (!joined.empty() && e.parent[at(last)] >= 0) {
            Run& next = joined.back();
            const bool parent = e.parent[at(last)] < next.first_column + next.width;
            const std::int64_t width = run.width + next.width;
            const std::int64_t zeros =
                run.zeros + next.zeros + static_cast<std::int64_t>(run.width) * (next.width + next.height - run.height);
            const std::int64_t entries = width * (width + 1) / 2 + width * next.height;
            if (parent && worth_joining(width, zeros, entries)) {
                next = {run.first_column, run.width + next.width, next.height, zeros};
                continue;
            }
        }
        joined.push_back(run);
    }
    std::reverse(joined.begin(), joined.end());
    return joined;
}

std::int64_t count_values(std::int64_t width, std::int64_t height) {
    return width * (width - 1) / 2 + width * height;
}

// The rows below a supernode: those of its columns in the matrix and those of its children.
void add_rows(const SymmetricMatrix& pattern, SupernodeLayout& layout, std::span<const Rows> children,
              std::size_t index, Rows& mark) {
    Supernode& s = layout.supernodes[index];
    const std::int32_t end = s.first_column + s.width;
    s.first_row = static_cast<std::int32_t>(layout.row.size());
    const auto add = [&](std::int32_t row) {
        if (row < end || mark[at(row)] == static_cast<std::int32_t>(index)) return;
        mark[at(row)] = static_cast<std::int32_t>(index);
        layout.row.push_back(row);
    };
    for (std::int32_t column = s.first_column; column < end; ++column) {
        const std::size_t old = at(layout.old_row[at(column)]);
        for (std::int32_t p = pattern.first[old]; p < pattern.first[old + 1]; ++p)
            add(layout.new_row[at(pattern.column[at(p)])]);
    }
    for (const std::int32_t c : children[index]) {
        const Supernode& child = layout.supernodes[at(c)];
        for (std::int32_t p = 0; p < child.height; ++p) add(layout.row[at(child.first_row + p)]);
    }
    std::sort(layout.row.begin() + s.first_row, layout.row.end());
    s.height = static_cast<std::int32_t>(layout.row.size()) - s.first_row;
}

void add_supernodes(const SymmetricMatrix& pattern, const std::vector<Run>& runs, SupernodeLayout& layout) {
    const std::size_t n = layout.old_row.size();
    Rows owner(n);
    for (const Run& run : runs) {
        for (std::int32_t c = 0; c < run.width; ++c)
            owner[at(run.first_column + c)] = static_cast<std::int32_t>(layout.supernodes.size());
        layout.supernodes.push_back({run.first_column, run.width, 0, 0, -1, 0});
    }
    std::vector<Rows> children(runs.size());
    Rows mark(n, -1);
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        add_rows(pattern, layout, children, i, mark);
        Supernode& s = layout.supernodes[i];
        s.first_value = layout.values;
        layout.values += count_values(s.width, s.height);
        layout.largest_front = std::max(layout.largest_front, at(s.width + s.height));
        for (const std::int32_t c : children[i]) {
            const std::size_t h = at(layout.supernodes[at(c)].height);
            waiting -= h * h;
        }
        waiting += at(s.height) * at(s.height);
        layout.stack = std::max(layout.stack, waiting);
        if (s.height == 0) continue;
        s.parent = owner[at(layout.row[at(s.first_row)])];
        children[at(s.parent)].push_back(static_cast<std::int32_t>(i));
    }
}

}  // namespace

SupernodeLayout lay_out(const SymmetricMatrix& pattern) {
    Rows order = order_rows(pattern);
    const Rows post = postorder(eliminate(pattern, order, invert(order)).parent);
    SupernodeLayout layout;
    for (const std::int32_t i : post) layout.old_row.push_back(order[at(i)]);
    layout.new_row = invert(layout.old_row);
    const Elimination e = eliminate(pattern, layout.old_row, layout.new_row);
    add_supernodes(pattern, join_runs(e, find_runs(e)), layout);
    return layout;
}

}  // namespace plica::heat
