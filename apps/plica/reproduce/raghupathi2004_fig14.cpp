#include "reproduce/registry.hpp"

namespace plica::app {

Result run_raghupathi2004_fig14(const ExperimentOptions& options) {
    options.progress(1.0);
    return {};
}

}  // namespace plica::app
