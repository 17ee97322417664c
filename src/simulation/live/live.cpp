#include "simulation/live/live.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "simulation/inside.hpp"
#include "simulation/live/pace.hpp"
#include "simulation/live/triple_buffer.hpp"

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

constexpr double hand_speed = 0.3;  // m/s, of a rigid tool: nothing gives way to it, so it must not be thrown

// As far as a hand gets in a step on the way to where it wants.
Vec3 reach_towards(const Vec3& where, const Vec3& now, double dt) {
    const Vec3 way = where - now;
    const double longest = hand_speed * dt, length = norm(way);
    return now + (length > longest ? way * (longest / length) : way);
}

}  // namespace

struct Live::Parts {
    Parts(OpenScene opened, const LiveOptions& options)
        : simulation(make_simulation(std::move(opened), {options.seed, options.threads})),
          inside(simulation.inside()),
          pace(inside.model().dt) {
        wishes.paused = options.paused;
        wishes.tools.resize(inside.model().tools.size());
        wanted = wishes;
        hash = compute_hash(inside.world().state());
        inside.world().stop_on(&stop);
        inside.world().set_budget(inside.scene().budget);
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

    void take_tools();
    void tell(const Error& error) { message = error.what(); }

    std::mutex mutex;
    std::condition_variable wake;
    Wishes wishes;
    bool changed = false;
    TripleBuffer<Snapshot> shown;

    Wishes wanted;  // the thread's copy
    Simulation simulation;
    Simulation::Inside& inside;
    Pace pace;
    std::uint64_t hash = 0;
    bool lost = false;
    std::string message;
    std::atomic<bool> stop{false};  // the owner will not wait for a step
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
    inside.world().mark_contacts(wanted.contacts);
    if (wanted.record && wanted.record->empty()) end_recording();
    if (wanted.reset) start_again();
    if (wanted.record && !wanted.record->empty()) start_recording(*wanted.record);
}

void Live::Parts::start_again() {
    end_recording();
    inside.reset();
    hash = compute_hash(inside.world().state());
    lost = false;
    pace.restart(wall_seconds());
}

void Live::Parts::start_recording(const std::string& path) {
    message.clear();
    try {
        inside.record(path);
    } catch (const Error& error) {
        tell(error);
    }
}

void Live::Parts::end_recording() {
    try {
        inside.stop_recording();
    } catch (const Error& error) {
        tell(error);
    }
}

// What the user's hand does to the tools that were taken. A rigid one goes no faster than a hand.
void Live::Parts::take_tools() {
    for (std::size_t t = 0; t < wanted.tools.size(); ++t) {
        if (!wanted.tools[t]) continue;
        ToolInput& input = inside.take(t);
        if (inside.model().tools[t].kind == ToolKind::rigid) {
            const Vec3 now = inside.world().state().tools[t].handle;
            input.target = reach_towards(wanted.tools[t]->target, now, inside.model().dt);
        } else {
            input = *wanted.tools[t];
        }
    }
}

void Live::Parts::advance() {
    inside.tune(wanted.tuning);
    inside.set_gravity(wanted.gravity);
    take_tools();
    try {
        inside.step();
    } catch (const Error& error) {  // a full disk: what was written can be read
        tell(error);
    }
    if (inside.report().interrupted) return;  // the end
    hash = inside.report().hash;
    if (inside.report().is_valid()) return;
    lost = true;
    wanted.paused = true;
    const std::lock_guard lock(mutex);
    wishes.paused = true;
}

void Live::Parts::publish() {
    Snapshot& now = shown.back();
    now.frame = inside.frame();
    now.report = inside.report();
    now.hash = hash;
    now.pace = wanted.paused ? 0.0 : pace.ratio();
    now.speed = wanted.speed;
    now.paused = wanted.paused;
    now.lost = lost;
    now.recording = inside.recorder().path();
    now.message = message;
    shown.publish();
}

Live::Live(OpenScene scene, const LiveOptions& options) : m_parts(std::make_unique<Parts>(std::move(scene), options)) {}

Live::Live(const SceneSource& source, const LiveOptions& options) : Live(open_scene(source), options) {}

Live::~Live() {
    end();
}

const Model& Live::model() const {
    return m_parts->inside.model();
}

const SceneDescription& Live::scene() const {
    return m_parts->inside.scene();
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
    m_parts->stop = true;
    m_parts->wish([](Wishes& w) { w.ending = true; });
    m_parts->thread.join();
}

}  // namespace plica
