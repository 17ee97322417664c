#include "simulation/live/live.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"
#include "simulation/live/pace.hpp"
#include "simulation/live/triple_buffer.hpp"
#include "simulation/record_scene.hpp"

namespace plica {
namespace {

// What the owner wants. The thread copies it between steps; what is done once is taken out then.
struct Wishes {
    bool ending = false;
    bool paused = false;
    double speed = 1.0;
    Tuning tuning;
    std::optional<Vec3> gravity;
    std::vector<std::optional<ToolInput>> tools;  // those taken from their scripts
    bool contacts = false;

    int steps = 0;
    bool reset = false;
    std::optional<std::string> record;  // empty text: stop
};

World make_world(const SceneSource& source, const LiveOptions& options) {
    Built built = build_scene(source, options.seed);
    return World(std::move(built.model), std::move(built.state), options.threads);
}

constexpr double hand_speed = 0.3;  // m/s, of a rigid tool: nothing gives way to it, so it must not be thrown

bool is_rigid_node(const Model& model, std::int32_t node) {
    return std::any_of(model.rigids.begin(), model.rigids.end(), [&](const RigidBody& rigid) {
        return node >= rigid.first_node && node - rigid.first_node < static_cast<std::int32_t>(rigid.local.size());
    });
}

// As far as a hand gets in a step on the way to where it wants.
ToolInput steer_towards(const Vec3& where, const ToolState& now, double dt) {
    const Vec3 way = where - now.handle;
    const double longest = hand_speed * dt, length = norm(way);
    return {now.handle + (length > longest ? way * (longest / length) : way), -1, 1, now.turn};
}

}  // namespace

struct Live::Parts {
    Parts(const SceneSource& scene_source, const LiveOptions& options)
        : source(scene_source),
          seed(options.seed),
          scene(read_scene(source)),
          world(make_world(source, options)),
          start(world.state()),
          script(scene),
          pace(world.model().dt) {
        wishes.paused = options.paused;
        wishes.tools.resize(scene.tools.size());
        wanted = wishes;
        hash = compute_hash(start);
        publish();
        pace.restart(wall_seconds());
        thread = std::thread([this] { run(); });
    }

    // The owner's side.
    template <class Change>
    void wish(Change&& change) {
        {
            const std::lock_guard lock(mutex);
            change(wishes);
            changed = true;
        }
        wake.notify_one();
    }

    // The thread's side.
    void run();
    bool take_wishes();
    void obey();
    void start_again();
    void start_recording(const std::string& path);
    void end_recording();
    void advance();
    void publish();

    const SceneSource source;
    const std::uint64_t seed;
    const SceneDescription scene;

    std::mutex mutex;
    std::condition_variable wake;
    Wishes wishes;
    bool changed = false;
    TripleBuffer<Snapshot> shown;

    Wishes wanted;  // the thread's copy
    World world;
    const State start;
    Script script;
    Inputs inputs;
    Pace pace;
    StepReport report;
    std::uint64_t hash = 0;
    bool lost = false;
    std::optional<RecordingWriter> recording;
    std::string recording_path, message;
    std::thread thread;
};

// Waits until a step is due or something is wished. False: the end.
bool Live::Parts::take_wishes() {
    std::unique_lock lock(mutex);
    const auto is_wished = [&] { return changed; };
    if (wanted.paused) {
        wake.wait(lock, is_wished);
    } else {
        const double seconds = std::max(0.0, pace.due() - wall_seconds());
        wake.wait_for(lock, std::chrono::duration<double>(seconds), is_wished);
    }
    wanted = wishes;
    wishes.steps = 0;
    wishes.reset = false;
    wishes.record.reset();
    changed = false;
    return !wanted.ending;
}

void Live::Parts::run() {
    bool was_paused = wanted.paused;
    while (take_wishes()) {
        obey();
        if (was_paused && !wanted.paused) pace.restart(wall_seconds());
        was_paused = wanted.paused;
        for (; wanted.paused && wanted.steps > 0 && !lost; --wanted.steps) advance();
        if (!wanted.paused && wall_seconds() >= pace.due()) {
            advance();
            pace.add_step(wall_seconds());
        }
        publish();
    }
    end_recording();
    publish();
}

void Live::Parts::obey() {
    pace.set_speed(wanted.speed);
    world.mark_contacts(wanted.contacts);
    if (wanted.record && wanted.record->empty()) end_recording();
    if (wanted.reset) start_again();
    if (wanted.record && !wanted.record->empty()) start_recording(*wanted.record);
}

void Live::Parts::start_again() {
    end_recording();
    world.restore(start);
    script = Script(scene);
    report = {};
    hash = compute_hash(start);
    lost = false;
    pace.restart(wall_seconds());
}

void Live::Parts::start_recording(const std::string& path) {
    message.clear();
    try {
        recording.emplace(path, make_header(source, world, seed), world.state().x);
        recording_path = path;
    } catch (const Error& error) {
        message = error.what();
    }
}

void Live::Parts::end_recording() {
    if (!recording) return;
    try {
        recording->close();
    } catch (const Error& error) {
        message = error.what();
    }
    recording.reset();
    recording_path.clear();
}

void Live::Parts::advance() {
    inputs = script.next(world);
    inputs.tuning = wanted.tuning;
    if (wanted.gravity) inputs.gravity = *wanted.gravity;
    for (std::size_t t = 0; t < wanted.tools.size(); ++t) {
        if (!wanted.tools[t]) continue;
        const bool rigid = world.model().tools[t].kind == ToolKind::rigid;
        inputs.tools[t] =
            rigid ? steer_towards(wanted.tools[t]->target, world.state().tools[t], world.model().dt) : *wanted.tools[t];
    }
    report = world.step(inputs);
    hash = report.hash;
    if (recording) {
        try {
            record_step(*recording, inputs, report.hash, world.frame());
        } catch (const Error& error) {  // a full disk: what was written can be read
            message = error.what();
            recording.reset();
            recording_path.clear();
        }
    }
    if (report.is_valid()) return;
    lost = true;
    wanted.paused = true;
    const std::lock_guard lock(mutex);
    wishes.paused = true;
}

void Live::Parts::publish() {
    Snapshot& now = shown.back();
    now.frame = world.frame();
    now.report = report;
    now.hash = hash;
    now.pace = wanted.paused ? 0.0 : pace.ratio();
    now.speed = wanted.speed;
    now.paused = wanted.paused;
    now.lost = lost;
    now.recording = recording_path;
    now.message = message;
    shown.publish();
}

Live::Live(const SceneSource& source, const LiveOptions& options) : m_parts(std::make_unique<Parts>(source, options)) {}

Live::~Live() {
    end();
}

const Model& Live::model() const {
    return m_parts->world.model();
}

const SceneDescription& Live::scene() const {
    return m_parts->scene;
}

const Snapshot& Live::look() {
    m_parts->shown.take();
    return m_parts->shown.front();
}

void Live::pause(bool paused) {
    m_parts->wish([&](Wishes& w) { w.paused = paused; });
}

void Live::step() {
    m_parts->wish([](Wishes& w) { ++w.steps; });
}

void Live::reset() {
    m_parts->wish([](Wishes& w) {
        w.reset = true;
        for (auto& tool : w.tools) tool.reset();
    });
}

void Live::set_speed(double speed) {
    m_parts->wish([&](Wishes& w) { w.speed = speed; });
}

void Live::tune(const Tuning& tuning) {
    m_parts->wish([&](Wishes& w) { w.tuning = tuning; });
}

void Live::set_gravity(const std::optional<Vec3>& gravity) {
    m_parts->wish([&](Wishes& w) { w.gravity = gravity; });
}

void Live::mark_contacts(bool mark) {
    m_parts->wish([&](Wishes& w) { w.contacts = mark; });
}

void Live::hold(std::size_t tool, std::int32_t node, const Vec3& where) {
    if (is_rigid_node(model(), node)) return;
    m_parts->wish([&](Wishes& w) { w.tools.at(tool) = ToolInput{where, node, 1}; });
}

void Live::move(std::size_t tool, const Vec3& where) {
    m_parts->wish([&](Wishes& w) {
        if (w.tools.at(tool)) w.tools[tool]->target = where;
    });
}

void Live::release(std::size_t tool) {
    m_parts->wish([&](Wishes& w) {
        if (!w.tools.at(tool)) return;
        w.tools[tool]->node = -1;
        w.tools[tool]->present = 0;
    });
}

void Live::steer(std::size_t tool, const Vec3& where) {
    if (model().tools.at(tool).kind != ToolKind::rigid) return;
    m_parts->wish([&](Wishes& w) { w.tools.at(tool) = ToolInput{where, -1, 1}; });
}

void Live::record(const std::string& path) {
    m_parts->wish([&](Wishes& w) {
        w.reset = true;
        w.record = path;
        for (auto& tool : w.tools) tool.reset();
    });
}

void Live::stop_recording() {
    m_parts->wish([](Wishes& w) { w.record = std::string(); });
}

void Live::end() {
    if (!m_parts->thread.joinable()) return;
    m_parts->wish([](Wishes& w) { w.ending = true; });
    m_parts->thread.join();
}

}  // namespace plica
