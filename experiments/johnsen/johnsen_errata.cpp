#include <iterator>

#include "experiments/common/errata.hpp"
#include "experiments/common/registry.hpp"

namespace plica::experiments {
namespace {

struct Section {
    const char* name;  // in the measurements
    void (*add)(const ExperimentOptions& options, Result& result);
    std::vector<Claim> (*judge)(const Measurements& measured);
};

constexpr Section sections[] = {{"cone", add_cone_bound, judge_cone_bound},
                                {"edges", add_edge_test, judge_edge_test},
                                {"rate", add_rate_layer, judge_rate_layer},
                                {"momentum", add_momentum, judge_momentum},
                                {"patch", add_patch, judge_patch}};

}  // namespace

Result run_johnsen_errata(const ExperimentOptions& options) {
    Result result;
    double done = 0.0;
    for (const Section& section : sections) {
        ExperimentOptions part = options;
        part.progress = [&](double share) { options.progress((done + share) / std::size(sections)); };
        section.add(part, result);
        done += 1.0;
        part.progress(0.0);
    }
    return result;
}

std::vector<Claim> judge_johnsen_errata(const Measurements& measured) {
    std::vector<Claim> claims;
    for (const Section& section : sections) {
        for (Claim& claim : section.judge(measured.at(section.name))) {
            claims.push_back(with_plot(std::move(claim), std::string(section.name) + ".png"));
        }
    }
    return claims;
}

}  // namespace plica::experiments
