#include "simulation/recorder.hpp"

#include "core/error.hpp"
#include "engine/tissues/field.hpp"

namespace plica {

void Recorder::start(const std::string& path, const SceneSource& source, std::uint64_t seed, const World& world) {
    close();
    const Model& model = world.model();
    const RecordingHeader header{source.name,
                                 source.text,
                                 source.overrides,
                                 seed,
                                 static_cast<std::int32_t>(model.nodes()),
                                 static_cast<std::int32_t>(model.tools.size()),
                                 model.dt,
                                 count_warm_nodes(model)};
    m_writer.emplace(path, header, world.state().x);
    m_path = path;
}

template <class Write>
void Recorder::write(const Write& write) {
    if (!m_writer) return;
    try {
        write(*m_writer);
    } catch (const Error&) {
        m_writer.reset();
        m_path.clear();
        throw;
    }
}

void Recorder::add(const Inputs& inputs, const World& world, std::uint64_t hash) {
    const Frame& frame = world.frame();
    write([&](RecordingWriter& writer) {
        writer.append(inputs, hash, frame.tool_force, frame.tool_torque, frame.positions,
                      frame.values_of("temperature"));
    });
}

void Recorder::close() {
    write([](RecordingWriter& writer) { writer.close(); });
    m_writer.reset();
    m_path.clear();
}

}  // namespace plica
