#include "simulation/recorder.hpp"

#include "core/error.hpp"
#include "io/recording/record_world.hpp"

namespace plica {
namespace {

// All that a replay needs, the files that the scene read included.
RecordingHeader make_header(const SceneSource& source, std::uint64_t seed, const World& world) {
    RecordingHeader header = describe_world(world.model(), world.frame());
    header.scene_name = source.name;
    header.scene_text = source.text;
    header.overrides = source.overrides;
    header.seed = seed;
    if (!source.files) return header;
    header.folder = source.files->folder();
    header.files = source.files->files();
    return header;
}

}  // namespace

void Recorder::start(const std::string& path, const SceneSource& source, std::uint64_t seed, const World& world) {
    close();
    m_writer.emplace(path, make_header(source, seed, world), world.state().x);
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
