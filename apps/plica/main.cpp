#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "apps/plica/commands.hpp"
#include "core/nearest.hpp"
#include "render/colour_by.hpp"

namespace {

using namespace plica;

struct Program {
    CLI::App cli{"Plica simulates soft organs that fold, slide and press on each other."};
    std::function<Status()> chosen;
    app::CheckOptions check;
    app::RunOptions run;
    app::RenderOptions rendering;
    std::string size = "1280x720";
    app::ViewOptions view;
    std::string window_size = "1280x800";
    app::DemoOptions demo;
    app::ReplayOptions replay;
    app::ExportOptions exporting;
    app::AuditOptions audit;
    app::MeshOptions mesh;
    app::BenchOptions bench;
    app::ReproduceOptions reproduce;
    bool scenes_json = false;
};

constexpr const char* scene_help =
    "a built-in scene (see: plica scenes) or a path to a .toml file or a NiftySim .xml model";
constexpr const char* set_help = "override a value of the scene, e.g. --set gut.segments=400; may be repeated";

const CLI::Validator is_finite_number(
    [](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return !text.empty() && *end == '\0' && std::isfinite(value) ? "" : "found " + text + ", expected a number";
    },
    "");

const CLI::Validator is_seed(
    [](std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        errno = 0;
        std::strtoull(text.c_str(), nullptr, 10);
        return digits && errno == 0 ? "" : "found \"" + text + "\", expected a whole number from 0 to 2^64 - 1";
    },
    "");

const CLI::Validator is_given(
    [](std::string& text) { return text.empty() ? std::string("found an empty path, expected one to write to") : ""; },
    "");

// CLI11 says "A subcommand is required" whatever was written; say what was wrong with it.
std::string explain(const CLI::App& cli, int argc, char** argv, const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const CLI::App* command : cli.get_subcommands({})) names.push_back(command->get_name());
    const std::string first = argc > 1 ? argv[1] : "";
    if (std::find(names.begin(), names.end(), first) != names.end()) return error.what();
    if (first.empty()) return "a command is required; expected " + join_choices(names);
    const std::string nearest = find_nearest(first, names);
    return "unknown command \"" + first + "\"; expected " + join_choices(names) +
           (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

void add_scenes(Program& p) {
    CLI::App* c = p.cli.add_subcommand("scenes", "lists the built-in scenes");
    c->footer("Example:\n  plica scenes");
    c->add_flag("--json", p.scenes_json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::list_scenes(p.scenes_json); }; });
}

void add_check(Program& p) {
    CLI::App* c = p.cli.add_subcommand("check", "validates a scene: all errors at once, each with file and line");
    c->footer("Example:\n  plica check my-scene.toml");
    c->add_option("scene", p.check.scene, scene_help)->required()->type_name("SCENE");
    c->add_option("--set", p.check.overrides, set_help)->allow_extra_args(false)->type_name("KEY=VALUE");
    c->add_flag("--json", p.check.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::check(p.check); }; });
}

void add_run(Program& p) {
    CLI::App* c = p.cli.add_subcommand("run", "simulates without a window, as fast as it can, and prints a summary");
    c->footer(
        "Examples:\n"
        "  plica run intestine\n"
        "  plica run intestine-pile --seconds 8 --seed 3 --json\n"
        "  plica run intestine --set gut.segments=400 --record out.plica --dump out\n");
    c->add_option("scene", p.run.scene, scene_help)->required()->type_name("SCENE");
    auto* seconds = c->add_option("--seconds", p.run.seconds, "simulated time; the scene's own when left out");
    seconds->check(is_finite_number)->check(CLI::Range(1e-6, 1e6))->type_name("S");
    c->add_option("--steps", p.run.steps, "number of steps instead of a time")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->excludes(seconds)
        ->type_name("N");
    c->add_option("--seed", p.run.seed, "seed of everything random")
        ->capture_default_str()
        ->check(is_seed)
        ->type_name("N");
    c->add_option("--threads", p.run.threads, "threads; results do not depend on it")
        ->capture_default_str()
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    c->add_option("--isa", p.run.isa, "vector instructions: best, avx512, avx2 or sse2; results do not depend on it")
        ->capture_default_str()
        ->type_name("NAME");
    c->add_option("--set", p.run.overrides, set_help)->allow_extra_args(false)->type_name("KEY=VALUE");
    c->add_option("--record", p.run.record, "write a recording for replay and export")
        ->check(is_given)
        ->type_name("FILE");
    c->add_option("--dump", p.run.dump, "write positions.npy, times.npy, tools.npy and scene.json")
        ->check(is_given)
        ->type_name("DIR");
    c->add_option("--audit", p.run.audit, "independent check of penetration, pass-throughs and intersecting solids")
        ->capture_default_str()
        ->check(CLI::IsMember({"on", "off"}));
    c->add_flag("--json", p.run.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::run(p.run); }; });
}

// WxH, within what graphics drivers can draw.
void read_size(const std::string& text, int& width, int& height) {
    int w = 0, h = 0, end = 0;
    const bool whole =
        std::sscanf(text.c_str(), "%dx%d%n", &w, &h, &end) == 2 && static_cast<std::size_t>(end) == text.size();
    if (!whole || w < 16 || h < 16 || w > 8192 || h > 8192) {
        throw Error("--size: found " + text + ", expected WIDTHxHEIGHT with both from 16 to 8192, as in 1280x720");
    }
    width = w;
    height = h;
}

CLI::Option* add_any_colour(CLI::App& command, std::string& colour, const std::string& more) {
    return command
        .add_option("--colour", colour,
                    "what surfaces take their colour from: tissue, curvature (of tubes), stress or stretch (of solid "
                    "organs), temperature or conductivity (of heat tissue)" +
                        more)
        ->capture_default_str();
}

void add_colour(CLI::App& command, std::string& colour) {
    add_any_colour(command, colour, "")
        ->check(CLI::IsMember(std::vector<std::string>(render::colour_names.begin(), render::colour_names.end())));
}

void add_render(Program& p) {
    CLI::App* c =
        p.cli.add_subcommand("render", "draws a scene or a recording, as a picture or a film, without a window");
    c->footer(
        "Examples:\n"
        "  plica render intestine --at 6 -o intestine.png\n"
        "  plica render intestine --seconds 10 -o intestine.mp4\n"
        "  plica run intestine --record out.plica && plica render out.plica -o out.mp4 --size 1920x1080\n");
    c->add_option("scene", p.rendering.scene, "a scene, as for run, or a file written by --record")
        ->required()
        ->type_name("SCENE|RECORDING");
    c->add_option("-o,--output", p.rendering.output, "what to write; its ending says what it is")
        ->required()
        ->type_name("FILE.png|FILE.mp4");
    c->add_option("--at", p.rendering.at, "time of the picture, or of the film's beginning")
        ->capture_default_str()
        ->check(is_finite_number)
        ->check(CLI::Range(0.0, 1e6))
        ->type_name("S");
    c->add_option("--seconds", p.rendering.seconds, "length of the film; to the end of the scene when left out")
        ->check(is_finite_number)
        ->check(CLI::Range(1e-6, 1e6))
        ->type_name("S");
    c->add_option("--size", p.size, "pixels")->capture_default_str()->type_name("WxH");
    c->add_option("--fps", p.rendering.fps, "pictures a second of film")
        ->capture_default_str()
        ->check(is_finite_number)
        ->check(CLI::Range(1.0, 240.0))
        ->type_name("N");
    c->add_option("--samples", p.rendering.samples,
                  "samples a pixel, 1 or 4; 4 for a picture and 1 for a film when left out")
        ->check(CLI::IsMember({1, 4}))
        ->type_name("N");
    add_any_colour(*c, p.rendering.colour, ", or a field of a recording by its name");
    c->add_option("--colour-max", p.rendering.colour_max,
                  "end of the scale of stress, in Pa, or stretch; chosen from what is there when left out")
        ->check(is_finite_number)
        ->check(CLI::Range(1e-9, 1e12))
        ->type_name("X");
    c->add_flag(
        "--contacts", p.rendering.contacts,
        "marks where bodies press on each other, larger where they press harder; of a scene, not of a recording");
    c->add_option("--seed", p.rendering.seed, "seed of everything random")
        ->capture_default_str()
        ->check(is_seed)
        ->type_name("N");
    c->add_option("--threads", p.rendering.threads, "threads of the simulation")
        ->capture_default_str()
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    c->add_option("--set", p.rendering.overrides, set_help)->allow_extra_args(false)->type_name("KEY=VALUE");
    c->add_flag("--json", p.rendering.json, "one JSON object on standard output");
    c->callback([&p] {
        p.chosen = [&p] {
            read_size(p.size, p.rendering.width, p.rendering.height);
            return app::render_picture(p.rendering);
        };
    });
}

void add_view(Program& p) {
    CLI::App* c = p.cli.add_subcommand("view", "opens a window in which the scene can be pulled at with the mouse");
    c->footer(
        "Drag on a tube to pull; drag beside it to look around; ? lists the keys. What is recorded in the window (R)\n"
        "replays with plica replay. Without a display the exit status is 4: use plica render instead.\n\n"
        "Examples:\n"
        "  plica view intestine\n"
        "  plica view intestine-pile --fps 30 --set contact.friction=0 --set hand.max_force=8");
    c->add_option("scene", p.view.scene, scene_help)->required()->type_name("SCENE");
    c->add_option("--set", p.view.overrides, set_help)->allow_extra_args(false)->type_name("KEY=VALUE");
    c->add_option("--seed", p.view.seed, "seed of everything random")
        ->capture_default_str()
        ->check(is_seed)
        ->type_name("N");
    c->add_option("--threads", p.view.threads, "threads of the simulation")
        ->capture_default_str()
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    c->add_option("--fps", p.view.fps, "frames a second to hold, by drawing as finely as that allows")
        ->capture_default_str()
        ->check(CLI::IsMember({30, 60, 90}));
    c->add_option("--size", p.window_size, "of the window, in pixels")->capture_default_str()->type_name("WxH");
    add_colour(*c, p.view.colour);
    c->add_flag("--low", p.view.low, "least detail, for slow machines");
    c->add_option("--seconds", p.view.seconds, "close the window after this time on the wall clock")
        ->check(is_finite_number)
        ->check(CLI::Range(1e-3, 1e6))
        ->type_name("S");
    c->add_flag("--json", p.view.json, "on closing, one JSON object on standard output");
    c->callback([&p] {
        p.chosen = [&p] {
            read_size(p.window_size, p.view.width, p.view.height);
            return app::view(p.view);
        };
    });
}

void add_demo(Program& p) {
    CLI::App* c = p.cli.add_subcommand(
        "demo", "the intestinal simulator; without a display it leaves a film and a picture instead");
    c->footer("Example:\n  plica demo");
    c->add_option("-o,--output", p.demo.folder, "folder for demo.mp4 and demo.png")
        ->capture_default_str()
        ->type_name("DIR");
    c->add_option("--seconds", p.demo.seconds,
                  "length of the film (ten when left out), or how long the window stays open")
        ->check(is_finite_number)
        ->check(CLI::Range(1e-6, 1e6))
        ->type_name("S");
    c->add_option("--seed", p.demo.seed, "seed of everything random")
        ->capture_default_str()
        ->check(is_seed)
        ->type_name("N");
    c->add_flag("--json", p.demo.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::demo(p.demo); }; });
}

void add_replay(Program& p) {
    CLI::App* c = p.cli.add_subcommand("replay", "re-runs a recording from its inputs and verifies every frame's hash");
    c->footer("Example:\n  plica run intestine --record out.plica && plica replay out.plica");
    c->add_option("recording", p.replay.recording, "a file written by --record")->required()->type_name("RECORDING");
    c->add_option("--threads", p.replay.threads, "threads")
        ->capture_default_str()
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    c->add_flag("--json", p.replay.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::replay(p.replay); }; });
}

void add_export(Program& p) {
    CLI::App* c = p.cli.add_subcommand("export", "converts a recording for other programs");
    c->footer("Example:\n  plica export out.plica --to vtk -o frames   # open frames/frame_*.vtk in ParaView");
    c->add_option("recording", p.exporting.recording, "a file written by --record")->required()->type_name("RECORDING");
    c->add_option("--to", p.exporting.format, "npy, vtk or obj")
        ->required()
        ->check(CLI::IsMember({"npy", "vtk", "obj"}));
    c->add_option("-o,--output", p.exporting.folder, "folder to write to")->required()->type_name("DIR");
    c->add_flag("--json", p.exporting.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::export_recording(p.exporting); }; });
}

void add_audit(Program& p) {
    CLI::App* c =
        p.cli.add_subcommand("audit", "checks any trajectory for penetration, pass-throughs and intersecting solids");
    c->footer(
        "DIR holds positions.npy, times.npy and scene.json: written by --dump, by export --to npy, or from another\n"
        "engine's output (docs/output.md, \"A trajectory of your own\", says how).\n\n"
        "The audit sees frames only: penetration is measured at each frame, pass-throughs are judged for straight\n"
        "lines from frame to frame. plica run looks at every substep. Exit status 1: a pass-through, two triangles\n"
        "of solids that intersect, or two bodies deeper in each other than half a radius.\n\n"
        "Example:\n"
        "  plica run intestine --dump out && plica audit out");
    c->add_option("trajectory", p.audit.folder, "a folder with positions.npy, times.npy and scene.json")
        ->required()
        ->type_name("DIR");
    c->add_flag("--json", p.audit.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::audit_trajectory(p.audit); }; });
}

void add_mesh(Program& p) {
    CLI::App* c = p.cli.add_subcommand("mesh", "says whether a mesh file is good for simulating, and converts it");
    c->footer(
        "Volumes: Gmsh .msh, VTK .vtk and .vtu, TetGen .node and .ele, Abaqus .inp. Surfaces: .stl, .obj, .ply, .vtk, "
        ".vtp.\n"
        "Mirrored cells, duplicates and unused nodes are repaired; what cannot be is an error that names the cell.\n"
        "With --cell a closed surface is filled with tetrahedra by tetgen or gmsh, where they are installed.\n\n"
        "Examples:\n"
        "  plica mesh liver.msh --scale 0.001\n"
        "  plica mesh liver.vtu -o liver.msh\n"
        "  plica mesh liver.stl --scale 0.001 --cell 0.005 -o liver.msh");
    c->add_option("file", p.mesh.file, "a mesh file")->required()->type_name("FILE");
    c->add_option("--scale", p.mesh.scale, "metres per unit of the file, e.g. 0.001 for millimetres")
        ->capture_default_str()
        ->check(is_finite_number)
        ->check(CLI::Range(1e-12, 1e12))
        ->type_name("S");
    c->add_option("-o,--output", p.mesh.output, "write the repaired mesh, in metres; .vtk or .msh, .obj for a surface")
        ->type_name("FILE");
    c->add_option("--cell", p.mesh.cell, "fill a closed surface with cells of this size in metres")
        ->check(is_finite_number)
        ->check(CLI::Range(1e-9, 1e9))
        ->type_name("M");
    c->add_option("--mesher", p.mesh.mesher, "what fills a surface")
        ->capture_default_str()
        ->check(CLI::IsMember({"stuffing", "tetgen", "gmsh"}));
    c->add_flag("--json", p.mesh.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::inspect_mesh(p.mesh); }; });
}

void add_bench(Program& p) {
    CLI::App* c = p.cli.add_subcommand("bench", "measures Plica and others side by side in one run");
    c->footer(
        "Times are CPU times of one thread. Programs of other projects take part when they were built; the launcher\n"
        "./plica bench installs and builds them. In self-collision every program is swept over its own settings and\n"
        "shown at its fastest with a penetration of at most half a radius, by one audit for all. detection and "
        "contact\n"
        "fail (exit status 1) unless all methods find exactly the same pairs, contact also where surfaces intersect,\n"
        "tled unless all versions compute the same forces; tled counts wall time where two threads work.\n\n"
        "Examples:\n"
        "  plica bench --list\n"
        "  plica bench detection --sizes 100,1000\n"
        "  plica bench self-collision --peers plica,bullet --sizes 100 -o out");
    c->add_option("name", p.bench.names, "benchmarks to run; all when left out")->type_name("NAME");
    c->add_flag("--list", p.bench.list, "list the benchmarks");
    c->add_flag("--quick", p.bench.quick, "small sizes, few frames, few settings: shows that it works, no more");
    c->add_option("--sizes", p.bench.sizes,
                  "numbers of segments, e.g. 100,200; of tetrahedra for tled; of gestures a scene for abuse")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(20, 2000000))
        ->type_name("N,...");
    c->add_option("--peers", p.bench.peers, "programs that take part, e.g. plica,bullet; all when left out")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,...");
    c->add_option("--threads", p.bench.threads,
                  "numbers of threads of hand, e.g. 1,8; what the machine has when left out")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 256))
        ->type_name("N,...");
    c->add_option("--only", p.bench.only, "scenes or single gestures of abuse, e.g. gut,liver:17")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("CASE,...");
    c->add_option(
         "--settings", p.bench.settings,
         "settings tried of each program in self-collision, spread over its own by their work; all when left out")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    c->add_option("--seconds", p.bench.seconds, "simulated time; the benchmark's own when left out")
        ->check(is_finite_number)
        ->check(CLI::Range(0.1, 1000.0))
        ->type_name("S");
    c->add_option("-o,--output", p.bench.folder, "keep tables (CSV, JSON), trajectories and, with gnuplot, a PNG")
        ->type_name("DIR");
    c->add_flag("--json", p.bench.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::bench(p.bench); }; });
}

void add_reproduce(Program& p) {
    CLI::App* c = p.cli.add_subcommand("reproduce", "repeats the papers' tables and figures and judges their claims");
    c->footer(
        "Each experiment prints the published number, ours, and whether the claim holds, and leaves tables, plots and\n"
        "data in DIR/NAME. --all also writes DIR/index.html. Exit status 1: a claim about Plica itself fails; a "
        "paper's\n"
        "claim that does not hold, or is about hardware of its day, is a finding. A run that was interrupted goes "
        "on.\n\n"
        "Examples:\n"
        "  plica reproduce --list\n"
        "  plica reproduce raghupathi2003-table1 -o out/reproduce\n"
        "  plica reproduce --all");
    auto* names = c->add_option("name", p.reproduce.names, "experiments; see --list")->type_name("NAME");
    auto* all = c->add_flag("--all", p.reproduce.all, "every experiment, and one report")->excludes(names);
    c->add_flag("--list", p.reproduce.list, "lists the experiments")->excludes(names)->excludes(all);
    c->add_option("-o,--output", p.reproduce.folder, "folder to write to")->capture_default_str()->type_name("DIR");
    c->add_flag("--quick", p.reproduce.quick, "small sizes: seconds instead of minutes, but no basis for a verdict");
    c->add_flag("--fresh", p.reproduce.fresh, "runs what an earlier run of this program left in DIR again");
    c->add_flag("--json", p.reproduce.json, "one JSON object on standard output");
    c->callback([&p] { p.chosen = [&p] { return app::reproduce(p.reproduce); }; });
}

int parse_and_run(int argc, char** argv) {
    Program p;
    p.cli.name("plica");
    p.cli.set_version_flag("--version", "plica " PLICA_VERSION);
    p.cli.require_subcommand(1);
    p.cli.footer(
        "Every command has --help with an example. The launcher ./plica also knows setup, build, test and lint.\n"
        "Exit status: 0 done, 1 a check failed, 2 wrong use or bad input, 3 the simulation lost validity, 4 "
        "environment.");
    add_scenes(p);
    add_check(p);
    add_run(p);
    add_demo(p);
    add_render(p);
    add_view(p);
    add_replay(p);
    add_export(p);
    add_audit(p);
    add_mesh(p);
    add_bench(p);
    add_reproduce(p);
    try {
        p.cli.parse(argc, argv);
    } catch (const CLI::Success& done) {
        return p.cli.exit(done);
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "plica: {}\nSee plica --help.\n", explain(p.cli, argc, argv, error));
        return static_cast<int>(Status::bad_input);
    }
    const Status status = p.chosen();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        throw Error("plica: standard output cannot be written", Status::environment);
    }
    return static_cast<int>(status);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return parse_and_run(argc, argv);
    } catch (const plica::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return static_cast<int>(error.status());
    } catch (const std::filesystem::filesystem_error& error) {
        fmt::print(stderr, "plica: {}\n", error.what());
        return static_cast<int>(plica::Status::environment);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "plica: out of memory\n");
        return static_cast<int>(plica::Status::environment);
    } catch (const std::exception& error) {
        fmt::print(stderr, "plica: {}\n", error.what());
        return static_cast<int>(plica::Status::environment);
    }
}
