#include <iterator>

#include "experiments/common/errata.hpp"
#include "experiments/common/registry.hpp"

namespace plica::experiments {
namespace {

using Section = void (*)(const ExperimentOptions& options, Result& result);

constexpr Section sections[] = {add_cone_bound, add_edge_test, add_rate_layer, add_momentum, add_patch};

}  // namespace

Result run_johnsen_errata(const ExperimentOptions& options) {
    Result result;
    double done = 0.0;
    for (const Section add : sections) {
        ExperimentOptions part = options;
        part.progress = [&](double share) { options.progress((done + share) / std::size(sections)); };
        add(part, result);
        done += 1.0;
        part.progress(0.0);
    }
    return result;
}

}  // namespace plica::experiments
