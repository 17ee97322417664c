#include "simulation/recorder.hpp"

#include "core/error.hpp"
#include "io/recording/record_world.hpp"

namespace plica {

void Recorder::start(const std::string& path, const OpenScene& opened, std::uint64_t seed, const World& world) {
    close();
    RecordingHeader header = describe_world(world.model(), world.frame());
    header.scene_name = opened.source.name;
    header.scene_text = opened.source.text;
    header.overrides = opened.source.overrides;
    header.seed = seed;
    header.folder = opened.scene.files->folder();
    header.files = opened.scene.files->files();
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
    write([&](RecordingWriter& writer) { record_step(writer, inputs, hash, world.frame()); });
}

void Recorder::close() {
    write([](RecordingWriter& writer) { writer.close(); });
    m_writer.reset();
    m_path.clear();
}

}  // namespace plica
