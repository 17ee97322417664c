#include "scene/script.hpp"

namespace plica {

template <class Self, class Archive>
void Script::visit(Self& self, Archive& archive) {
    for (auto& progress : self.m_progress) {
        archive.value(progress.passed);
        archive.value(progress.from);
        archive.value(progress.turn);
        archive.value(progress.node);
        archive.flag(progress.present);
    }
}

template void Script::visit(const Script&, ByteWriter&);

void Script::load(ByteReader& archive, const World& world, std::uint64_t step) {
    if (archive.stores()) return visit(*this, archive);
    Script other(*this);
    ByteReader rest(archive.rest(), true);
    visit(other, rest);
    const auto nodes = static_cast<std::int32_t>(world.model().nodes());
    const double now = static_cast<double>(step) * world.model().dt;
    for (std::size_t t = 0; t < other.m_progress.size(); ++t) {
        const Progress& progress = other.m_progress[t];
        archive.require(rest.ok() && is_finite(progress.from) && is_finite(progress.turn) && progress.node >= -1 &&
                        progress.node < nodes && is_on_time(m_scene.tools[t], progress, now, world.model().dt));
    }
    visit(*this, archive);
}

// All waypoints up to the step before have been passed, and none that is still to come.
bool Script::is_on_time(const ToolDescription& tool, const Progress& progress, double now, double dt) {
    const std::size_t count = tool.path.size();
    if (count == 0 || (tool.repeat == 0.0 && progress.passed > count)) return progress.passed == 0;
    const auto time = [&](std::size_t i) {
        return tool.path[i % count].t + static_cast<double>(i / count) * tool.repeat;
    };
    if (progress.passed > 0 && time(progress.passed - 1) > now) return false;
    const bool over = tool.repeat == 0.0 && progress.passed == count;
    return over || time(progress.passed) + 2.0 * dt > now;
}

}  // namespace plica
