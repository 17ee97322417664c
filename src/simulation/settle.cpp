#include "simulation/settle.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/input_file.hpp"
#include "engine/slice.hpp"
#include "simulation/scenario.hpp"

namespace plica {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

// Tools stay where they are and hold nothing; balls are not there.
Inputs idle_inputs(const SceneDescription& scene, const State& state) {
    Inputs inputs;
    inputs.gravity = scene.gravity;
    for (const ToolState& tool : state.tools) inputs.tools.push_back({tool.handle, -1, 0, tool.turn});
    return inputs;
}

bool is_still(const World& world) {
    for (const Body& body : world.model().bodies) {
        if (body.tissue == TissueKind::rigid || body.tissue == TissueKind::tool) continue;
        double square = 0.0;
        for (const Vec3& v : slice(body, world.state().v)) square += squared_norm(v);
        if (square > settled_speed * settled_speed * body.nodes) return false;
    }
    return true;
}

// Loads and motions of solids as they are at time 0, for as long as it takes.
std::shared_ptr<const Model> hold_at_start(const World& built) {
    auto model = std::make_shared<Model>(built.model());
    const Ramp at_once{RampShape::step, 0.0, 0.0};
    for (tled::Organ& organ : model->of<Solids>()) {
        for (Load& load : organ.loads) {
            load.value *= load.ramp.at(0.0);
            load.ramp = at_once;
        }
        for (Motion& motion : organ.motions) {
            motion.displacement *= motion.ramp.at(0.0);
            motion.ramp = at_once;
        }
    }
    return model;
}

void run_until_still(const SceneDescription& scene, World& world) {
    const Inputs inputs = idle_inputs(scene, world.state());
    const double dt = world.model().dt;
    double still = 0.0;  // s, without a break: what swings is still where it turns back
    for (double t = 0.0; t < longest_settling && still < settled_for; t += dt) {
        if (!world.step(inputs).is_valid()) {
            throw Error(
                "start = \"settled\": the scene loses validity before it has settled; run it with start = \"built\"");
        }
        still = is_still(world) ? still + dt : 0.0;
    }
}

// Settled, with the clock and the tools of the start, as bytes.
Bytes compute_settled(const SceneDescription& scene, const World& built) {
    World world(hold_at_start(built), built.state(), built.threads(), built.isa());
    run_until_still(scene, world);
    State state = world.state();
    state.step = 0;
    state.tools = built.state().tools;
    const World start(built.shared_model(), std::move(state), built.threads(), built.isa());
    Bytes bytes;
    ByteWriter archive(bytes);
    start.save(archive);
    return bytes;
}

bool take(std::span<const std::byte> bytes, World& world) {
    ByteReader look(bytes, false);
    world.load(look, 0);
    if (!look.is_at_end()) return false;
    ByteReader archive(bytes, true);
    world.load(archive, 0);
    return true;
}

// The program is part of it: another one may compute other bits.
std::uint64_t compute_key(const OpenScene& opened, std::uint64_t seed, const Model& model) {
    Hash hash;
    hash.add(compute_fingerprint(opened.source, model));
    hash.add(seed);
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    hash.add(static_cast<std::uint64_t>(fs::file_size(program, code)));
    hash.add(static_cast<std::uint64_t>(fs::last_write_time(program, code).time_since_epoch().count()));
    return hash.value();
}

// Empty where there is no home.
fs::path find_cache() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache == '/') return fs::path(cache) / "plica";
    const char* const home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "plica" : fs::path();
}

std::uint64_t compute_checksum(std::string_view bytes) {
    Hash hash;
    hash.add_bytes(bytes.data(), bytes.size());
    return hash.value();
}

constexpr std::size_t checksum_size = sizeof(std::uint64_t);

std::optional<Bytes> read_kept(const fs::path& file) {
    try {
        std::error_code code;
        if (!fs::is_regular_file(file, code)) return std::nullopt;
        const std::string text = InputFile(file.string()).read_rest();
        if (text.size() < checksum_size) return std::nullopt;
        const std::string_view content = std::string_view(text).substr(checksum_size);
        std::uint64_t checksum = 0;
        std::memcpy(&checksum, text.data(), checksum_size);
        if (checksum != compute_checksum(content)) return std::nullopt;
        Bytes bytes(content.size());
        std::memcpy(bytes.data(), content.data(), content.size());
        return bytes;
    } catch (const Error&) {
        return std::nullopt;  // computed again
    }
}

// A cache that cannot be written is none.
void keep(const fs::path& file, const Bytes& bytes) {
    try {
        std::error_code code;
        fs::create_directories(file.parent_path(), code);
        const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::uint64_t checksum = compute_checksum(content);
        AtomicFile kept(file.string());
        kept.write({reinterpret_cast<const char*>(&checksum), checksum_size});
        kept.write(content);
        kept.commit();
    } catch (const Error&) {
    }
}

}  // namespace

void settle(const OpenScene& opened, std::uint64_t seed, World& world) {
    const fs::path folder = find_cache();
    const fs::path file = folder / ("settled-" + to_hex(compute_key(opened, seed, world.model())));
    if (!folder.empty()) {
        const std::optional<Bytes> kept = read_kept(file);
        if (kept && take(*kept, world)) return;
    }
    const Bytes bytes = compute_settled(opened.scene, world);
    if (!take(bytes, world)) throw Error("start = \"settled\": the settled scene is none that can be gone on with");
    if (!folder.empty()) keep(file, bytes);
}

}  // namespace plica
