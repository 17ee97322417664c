#pragma once
#include "tissue/mass_spring/sheet_front.hpp"

// The system that is left when all chunks are eliminated: eight separators, each coupled to the next one. A row has the
// separator's own entries and its load, then, from half() on, those of the next separator.
namespace plica::mass_spring::PLICA_ISA {

template <int Slots>
struct Separators {
    const SheetProblem& s;

    PLICA_KERNEL FrontShape front() const { return Slots > 0 ? FrontShape{Slots} : s.shape; }
    PLICA_KERNEL SeparatorShape shape() const { return {front().slots}; }
    PLICA_KERNEL double* row(int separator, int i) const {
        return s.between + (separator * shape().rows() + i) * shape().stride();
    }
    // An entry of the front, in one lane.
    PLICA_KERNEL double entry(int i, int j, int lane) const {
        return s.front[lanes * (i * front().row_lines() + j) + lane];
    }

    PLICA_KERNEL void collect() const {
        for (int k = 0; k < lanes; ++k) {
            const int rows = shape().rows();
            const int left = 3 * front().left_slot();
            const int right = 3 * front().here(0);
            for (int i = 0; i < rows; ++i) {
                double* to = row(k, i);
                for (int j = i; j < rows; ++j) to[j] = entry(left + i, left + j, k);
                to[rows] = entry(left + i, front().load(), k);
                if (k > 0) {  // what the chunk before leaves of this separator
                    for (int j = i; j < rows; ++j) to[j] += entry(right + i, right + j, k - 1);
                    to[rows] += entry(right + i, front().load(), k - 1);
                }
                for (int j = 0; j < rows; ++j) to[shape().half() + j] = entry(right + j, left + i, k);
            }
        }
        for (int i = 0; i < 3; ++i) row(0, i)[i] = 1.0;  // there is no column before the first: an idle unknown
    }

    PLICA_KERNEL void eliminate(int k) const {
        const int rows = shape().rows();
        const int half = shape().half();
        const int stride = shape().stride();
        for (int i = 0; i < rows; ++i) row(k, i)[half + rows] = row(k, i)[rows];
        for (int m = 0; m < rows; ++m) {
            double* pivot = row(k, m);
            const Wide inverse(1.0 / pivot[m]);
            for (int i = m + 1; i < rows; ++i) {
                const Wide f = Wide(pivot[i]) * inverse;
                double* to = row(k, i);
                for (int j = i / lanes * lanes; j < stride; j += lanes) {
                    store(load(to + j) - f * load(pivot + j), to + j);
                }
            }
            for (int i = 0; k + 1 < lanes && i < rows; ++i) {
                const Wide f = Wide(pivot[half + i]) * inverse;
                double* to = row(k + 1, i);
                for (int j = i / lanes * lanes; j < half; j += lanes) {
                    store(load(to + j) - f * load(pivot + half + j), to + j);
                }
            }
            for (int j = m / lanes * lanes; j < stride; j += lanes) store(load(pivot + j) * inverse, pivot + j);
        }
    }

    // The solution takes the place of the load in lane k of `left`, and in lane k - 1 of `right`.
    PLICA_KERNEL void substitute(double* left, double* right) const {
        const int rows = shape().rows();
        const int half = shape().half();
        double next[3 * most_slots + 3] = {};
        for (int k = lanes - 1; k >= 0; --k) {
            double here[3 * most_slots + 3];
            for (int i = rows - 1; i >= 0; --i) {
                const double* u = row(k, i);
                double sum_of = u[half + rows];
                for (int j = 0; k + 1 < lanes && j < rows; ++j) sum_of -= u[half + j] * next[j];
                for (int j = i + 1; j < rows; ++j) sum_of -= u[j] * here[j];
                here[i] = sum_of;
            }
            for (int i = 0; i < rows; ++i) {
                left[lanes * i + k] = here[i];
                right[lanes * i + k] = next[i];
                next[i] = here[i];
            }
        }
    }

    PLICA_KERNEL void solve(double* left, double* right) const {
        collect();
        for (int k = 0; k < lanes; ++k) eliminate(k);
        substitute(left, right);
    }
};

}  // namespace plica::mass_spring::PLICA_ISA
