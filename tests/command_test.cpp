#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "scene/recording/recording.hpp"
#include "scene/recording/recording_format.hpp"

namespace plica {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Texts = std::vector<std::string>;

// Running the program.

struct Outcome {
    int status = -1;  // exit status; -1: ended by a signal
    int signal = 0;
    std::string out, err;
};

struct Settings {
    std::string out_file;                 // standard output goes there
    rlim_t largest_file = RLIM_INFINITY;  // bytes; a write beyond it fails as on a full disk
};

// A running program whose standard output and error are kept apart.
class Process {
public:
    explicit Process(const Texts& arguments, const Settings& settings = {}) {
        Texts words{PLICA_PROGRAM};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        int out[2];
        int err[2];
        if (pipe(out) != 0 || pipe(err) != 0) throw std::runtime_error("no pipe");
        m_pid = fork();
        if (m_pid == 0) {
            const int target = settings.out_file.empty() ? out[1] : open(settings.out_file.c_str(), O_WRONLY);
            dup2(target, STDOUT_FILENO);
            dup2(err[1], STDERR_FILENO);
            for (const int fd : {out[0], out[1], err[0], err[1]}) close(fd);
            if (settings.largest_file != RLIM_INFINITY) {
                const rlimit limit{settings.largest_file, settings.largest_file};
                std::signal(SIGXFSZ, SIG_IGN);
                setrlimit(RLIMIT_FSIZE, &limit);
            }
            execv(argv[0], argv.data());
            _exit(127);
        }
        close(out[1]);
        close(err[1]);
        m_out = out[0];
        m_err = err[0];
    }
    ~Process() {
        if (m_pid <= 0) return;
        kill(m_pid, SIGKILL);
        finish();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    Process(Process&&) = delete;
    Process& operator=(Process&&) = delete;

    void send(int signal) const { kill(m_pid, signal); }

    Outcome finish() {
        Outcome outcome;
        drain(outcome);
        int state = 0;
        waitpid(m_pid, &state, 0);
        m_pid = -1;
        if (WIFEXITED(state)) outcome.status = WEXITSTATUS(state);
        if (WIFSIGNALED(state)) outcome.signal = WTERMSIG(state);
        return outcome;
    }

private:
    void drain(Outcome& outcome) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(240);
        std::array<pollfd, 2> wait{pollfd{m_out, POLLIN, 0}, pollfd{m_err, POLLIN, 0}};
        std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
        while (wait[0].fd >= 0 || wait[1].fd >= 0) {
            poll(wait.data(), wait.size(), 1000);
            if (std::chrono::steady_clock::now() > deadline) kill(m_pid, SIGKILL);
            for (std::size_t i = 0; i < wait.size(); ++i) {
                if (wait[i].fd < 0 || (wait[i].revents & (POLLIN | POLLHUP)) == 0) continue;
                std::array<char, 4096> buffer;
                const ssize_t count = ::read(wait[i].fd, buffer.data(), buffer.size());
                if (count > 0) {
                    texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
                } else {
                    close(wait[i].fd);
                    wait[i].fd = -1;
                }
            }
        }
    }

    pid_t m_pid = -1;
    int m_out = -1, m_err = -1;
};

Outcome run(const Texts& arguments, const Settings& settings = {}) {
    return Process(arguments, settings).finish();
}

std::string quoted(const Texts& arguments) {
    std::string text = "plica";
    for (const std::string& argument : arguments) text.append(" ").append(argument, 0, 80);
    return text;
}

// Standard output is one JSON object and nothing else.
Json parse_object(const Outcome& outcome) {
    const Json json = Json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << "status " << outcome.status << ", output: " << outcome.out << "\n" << outcome.err;
    return json.is_object() ? json : Json::object();
}

Json run_json(Texts arguments, int status = 0) {
    arguments.emplace_back("--json");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << quoted(arguments) << "\n" << outcome.err;
    return parse_object(outcome);
}

std::string hash_of(const Texts& arguments) {
    return run_json(arguments).value("hash", "");
}

std::set<std::string> keys(const Json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
}

Texts lines_of(const std::string& text) {
    Texts lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string slurp(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void spill(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

struct Npy {
    std::vector<std::size_t> shape;
    std::vector<double> values;
};

// Version 1.0, float64, C order: what numpy.load expects.
Npy load_npy(const fs::path& path) {
    const std::string bytes = slurp(path);
    Npy npy;
    if (bytes.size() < 10 || bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) {
        ADD_FAILURE() << path << " is not an npy file of version 1.0";
        return npy;
    }
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    const std::size_t start = 10 + byte(8) + 256 * byte(9);
    EXPECT_EQ(start % 64, 0U);
    const std::string header = bytes.substr(10, start - 10);
    EXPECT_TRUE(contains(header, "'descr': '<f8'")) << header;
    EXPECT_TRUE(contains(header, "'fortran_order': False")) << header;
    const std::string mark = "'shape': (";
    std::size_t at = header.find(mark);
    if (at == std::string::npos) {
        ADD_FAILURE() << header;
        return npy;
    }
    std::size_t count = 1;
    for (at += mark.size(); at < header.size() && header[at] != ')';) {
        std::size_t digits = 0;
        while (std::isdigit(static_cast<unsigned char>(header[at + digits])) != 0) ++digits;
        if (digits > 0) {
            npy.shape.push_back(std::stoul(header.substr(at, digits)));
            count *= npy.shape.back();
        }
        at += std::max<std::size_t>(digits, 1);
    }
    EXPECT_EQ(bytes.size() - start, 8 * count) << path;
    npy.values.resize((bytes.size() - start) / 8);
    for (std::size_t i = 0; i < npy.values.size(); ++i) std::memcpy(&npy.values[i], bytes.data() + start + 8 * i, 8);
    return npy;
}

using Shape = std::vector<std::size_t>;

class Command : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "plica_command_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
        // What a sanitizer finds in the program must not look like one of the program's own answers.
        setenv("ASAN_OPTIONS", "exitcode=99", 0);
        setenv("UBSAN_OPTIONS", "exitcode=99", 0);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder / name).string(); }
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        spill(m_folder / name, text);
        return path(name);
    }
    // A rope held at one end and pulled at the other, 15 steps a simulated half second.
    [[nodiscard]] std::string pulled_rope() const {
        return write("pulled.toml",
                     "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nfixed = \"start\"\n"
                     "[[tool]]\nname = \"hand\"\nmax_force = 2.0\n"
                     "path = [{ t = 0.1, at = \"gut:1\" }, { t = 0.4, move = [0.1, 0, 0.1] }]\n");
    }
    [[nodiscard]] std::string record(const Texts& arguments, const std::string& name = "a.plica") const {
        Texts words{"run"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        words.insert(words.end(), {"--record", path(name)});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return path(name);
    }
    [[nodiscard]] Texts files() const {
        Texts names;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder)) {
            if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), m_folder).string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    fs::path m_folder;
};

// Help and wrong use.

TEST_F(Command, HelpOfEveryCommandHasAnExample) {
    for (const char* command : {"scenes", "check", "run", "replay", "export"}) {
        const Outcome outcome = run({command, "--help"});
        EXPECT_EQ(outcome.status, 0) << command;
        EXPECT_EQ(outcome.err, "") << command;
        const std::size_t example = outcome.out.find("Example");
        ASSERT_NE(example, std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find(std::string("plica ") + command, example), std::string::npos) << outcome.out;
        EXPECT_TRUE(contains(outcome.out, "--json")) << outcome.out;
    }
    const Outcome all = run({"--help"});
    EXPECT_EQ(all.status, 0);
    for (const char* command : {"scenes", "check", "run", "replay", "export", "Exit status"}) {
        EXPECT_TRUE(contains(all.out, command)) << all.out;
    }
}

TEST_F(Command, Version) {
    const Outcome outcome = run({"--version"});
    EXPECT_EQ(outcome.status, 0);
    std::array<int, 3> number{-1, -1, -1};
    char end = 0;
    EXPECT_EQ(std::sscanf(outcome.out.c_str(), "plica %d.%d.%d%c", &number[0], &number[1], &number[2], &end), 4)
        << outcome.out;
    EXPECT_EQ(end, '\n');
    EXPECT_EQ(lines_of(outcome.out).size(), 1U);
    EXPECT_EQ(outcome.err, "");
}

// Status 2, nothing on standard output, and a short message that names what is wrong.
void expect_wrong_use(const Texts& arguments, const std::string& named) {
    SCOPED_TRACE(quoted(arguments));
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, named)) << outcome.err << "lacks " << named;
    const Texts lines = lines_of(outcome.err);
    ASSERT_GE(lines.size(), 1U);
    EXPECT_LE(lines.size(), 2U) << outcome.err;
    EXPECT_TRUE(lines.size() != 2 || contains(lines[1], "--help")) << outcome.err;
    for (const char* noise : {"exception", "terminate", "std::", "Sanitizer"})
        EXPECT_FALSE(contains(outcome.err, noise)) << outcome.err;
}

TEST_F(Command, WrongUse) {
    expect_wrong_use({}, "required");
    expect_wrong_use({"run"}, "scene");
    expect_wrong_use({"check"}, "scene");
    expect_wrong_use({"replay"}, "recording");
    expect_wrong_use({"run", "chain", "--frobnicate"}, "--frobnicate");
    expect_wrong_use({"run", "chain", "another"}, "another");
    expect_wrong_use({"run", "chain", "--seconds", "1", "--steps", "1"}, "--steps");
    expect_wrong_use({"run", "chain", "--audit", "maybe"}, "--audit");
    expect_wrong_use({"run", "chain", "--record"}, "--record");
    expect_wrong_use({"export", "x"}, "--to");
    expect_wrong_use({"export", "x", "--to", "npy"}, "-o");
    expect_wrong_use({"export", "x", "--to", "stl", "-o", "y"}, "stl");
    expect_wrong_use({"scenes", "extra"}, "extra");
}

TEST_F(Command, AnUnknownCommandIsNamed) {
    expect_wrong_use({"frobnicate"}, "frobnicate");
    expect_wrong_use({"--frobnicate"}, "--frobnicate");
}

TEST_F(Command, BadNumbers) {
    for (const char* value : {"-1", "0", "inf", "1e300", "ten", "", "1s"}) {
        expect_wrong_use({"run", "chain", "--seconds", value}, "--seconds");
    }
    for (const char* value : {"-1", "0", "1.5", "many", "99999999999999999999"}) {
        expect_wrong_use({"run", "chain", "--steps", value}, "--steps");
    }
    for (const char* value : {"-1", "0", "1.5", "1000000", "two"}) {
        expect_wrong_use({"run", "chain", "--threads", value}, "--threads");
        expect_wrong_use({"replay", "x", "--threads", value}, "--threads");
    }
    for (const char* value : {"1.5", "one"}) {
        expect_wrong_use({"run", "chain", "--seed", value}, "--seed");
    }
}

TEST_F(Command, NotANumberIsNoTime) {
    expect_wrong_use({"run", "chain", "--seconds", "nan"}, "--seconds");
}

TEST_F(Command, SeedsThatDoNotFitAreRefused) {
    for (const char* value : {"-1", "18446744073709551616", ""}) {
        expect_wrong_use({"run", "chain", "--steps", "1", "--seed", value}, "--seed");
    }
}

TEST_F(Command, ATimeStepTooSmallForTheTimeIsRefused) {
    const Outcome outcome = run({"run", "chain", "--seconds", "1", "--set", "solver.dt=1e-300"});
    EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
}

// scenes and check.

TEST_F(Command, ScenesHaveOneLineEach) {
    const Outcome outcome = run({"scenes"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    std::set<std::string> names;
    for (const std::string& line : lines_of(outcome.out)) {
        const std::size_t gap = std::min(line.find(' '), line.size());
        EXPECT_GT(gap, 0U);
        EXPECT_NE(line.find_first_not_of(' ', gap), std::string::npos) << "\"" << line << "\" says only a name";
        names.insert(line.substr(0, line.find(' ')));
    }
    for (const char* name : {"chain", "intestine", "intestine-pile", "intestine-plane"})
        EXPECT_EQ(names.count(name), 1U) << name;
    const Json json = run_json({"scenes"});
    EXPECT_EQ(keys(json), (std::set<std::string>{"scenes"}));
    ASSERT_EQ(json["scenes"].size(), names.size());
    for (const Json& scene : json["scenes"]) {
        EXPECT_EQ(keys(scene), (std::set<std::string>{"name", "title"}));
        EXPECT_EQ(names.count(scene["name"].get<std::string>()), 1U);
    }
}

TEST_F(Command, EveryListedSceneIsValidAndRuns) {
    const Json json = run_json({"scenes"});
    for (const Json& scene : json["scenes"]) {
        const std::string name = scene["name"];
        const Outcome outcome = run({"check", name});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_EQ(outcome.out.rfind(name + ": valid", 0), 0U) << outcome.out;
        EXPECT_EQ(run_json({"run", name, "--steps", "2"}).value("steps", 0), 2);
    }
}

TEST_F(Command, CheckAsJson) {
    const Json good = run_json({"check", "chain"});
    EXPECT_EQ(good, (Json{{"scene", "chain"}, {"valid", true}, {"errors", Json::array()}}));
    const std::string bad =
        write("bad.toml", "plica = 1\nx = 1\n[[body]]\nname = \"a\"\nanatomy = \"rope\"\nsegments = 0\n");
    const Json json = run_json({"check", bad}, 2);
    EXPECT_EQ(keys(json), (std::set<std::string>{"scene", "valid", "errors"}));
    EXPECT_EQ(json["valid"], false);
    ASSERT_EQ(json["errors"].size(), 2U) << json;
    EXPECT_EQ(json["errors"][0].get<std::string>().rfind(bad + ":2: ", 0), 0U);
    EXPECT_EQ(json["errors"][1].get<std::string>().rfind(bad + ":6: ", 0), 0U);
}

TEST_F(Command, CheckTakesOverrides) {
    EXPECT_EQ(run({"check", "intestine", "--set", "gut.segments=400"}).status, 0);
    const Outcome outcome = run({"check", "intestine", "--set", "gut.segmnts=400", "--set", "contact.friction=-1"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, "--set gut.segmnts=400: ")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "gut.segments?")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--set contact.friction=-1: ")) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 2U);
}

// Bytes from a command line are not always text.
TEST_F(Command, NamesThatAreNoTextAreBadInput) {
    const Outcome name = run({"check", "\xFF\xFE", "--json"});
    EXPECT_EQ(name.status, 2) << name.err;
    EXPECT_FALSE(contains(name.err, "exception")) << name.err;
    const Outcome value = run({"check", "chain", "--json", "--set", "chain.\xFF=1"});
    EXPECT_EQ(value.status, 2) << value.err;
    EXPECT_FALSE(contains(value.err, "exception")) << value.err;
}

struct WrongScene {
    std::string what, text;
    std::vector<int> lines;  // of the errors, in order
};

TEST_F(Command, WrongScenes) {
    const std::string rope = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n";
    const std::string intestine = "plica = 1\n[[body]]\nname = \"gut\"\n";
    const std::vector<WrongScene> scenes{
        {"not TOML", "plica = 1\n\nOnce upon a time\n", {3}},
        {"empty", "", {1, 1}},
        {"unknown key", rope + "segmnts = 4\n", {5}},
        {"wrong type", rope + "segments = \"four\"\n", {5}},
        {"negative mass", rope + "mass_per_length = -0.5\n", {5}},
        {"NaN", rope + "length = nan\n", {5}},
        {"infeasible anatomy", intestine + "segments = 40\n", {4}},
        {"no segments", intestine + "segments = 0\n", {4}},
        {"a million segments", intestine + "segments = 1000000\n", {4}},
        {"duplicate names", rope + "[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n", {5}},
        {"many mistakes",
         "plica = 1\nx = 1\n" + rope.substr(10) + "radius = -1\nfrom = 3\n[solver]\ndt = inf\n",
         {2, 6, 7, 9}},
    };
    for (const WrongScene& scene : scenes) {
        SCOPED_TRACE(scene.what);
        const std::string file = write("wrong.toml", scene.text);
        for (const Texts& arguments :
             {Texts{"check", file}, Texts{"run", file}, Texts{"run", file, "--json", "--record", path("r")}}) {
            const Outcome outcome = run(arguments);
            EXPECT_EQ(outcome.status, 2) << outcome.err;
            EXPECT_EQ(outcome.out, "");
            std::vector<int> found;
            for (const std::string& line : lines_of(outcome.err)) {
                EXPECT_EQ(line.rfind(file + ":", 0), 0U) << line;
                if (line.size() > file.size()) found.push_back(std::atoi(line.c_str() + file.size() + 1));
            }
            EXPECT_EQ(found, scene.lines) << outcome.err;
        }
    }
    EXPECT_EQ(files(), Texts{"wrong.toml"});
}

TEST_F(Command, ScenesThatAreNotThere) {
    for (const char* command : {"check", "run"}) {
        for (const std::string& name : {path("missing.toml"), path(""), std::string("intestin"), std::string("")}) {
            const Outcome outcome = run({command, name});
            EXPECT_EQ(outcome.status, 2) << name;
            EXPECT_EQ(outcome.out, "");
            EXPECT_EQ(outcome.err.rfind(name + ": ", 0), 0U) << outcome.err;
            EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        }
    }
    EXPECT_TRUE(contains(run({"run", "intestin"}).err, "did you mean intestine?"));
}

TEST_F(Command, DeepKeysDoNotCrash) {
    std::string deep = "a";
    for (int i = 0; i < 300000; ++i) deep += ".a";
    for (const std::string& text :
         {deep + " = 1\n", "[" + deep + "]\n", "[[" + deep + "]]\n", "x = { " + deep + " = 1 }\n"}) {
        const Outcome outcome = run({"check", write("deep.toml", "plica = 1\n" + text)});
        EXPECT_EQ(outcome.status, 2) << "signal " << outcome.signal << ": " << text.substr(0, 20) << "... "
                                     << outcome.err.substr(0, 200);
    }
}

TEST_F(Command, ScenesFromAPathRunLikeBuiltInOnes) {
    const std::string file =
        write("copy.toml", "plica = 1\n[[body]]\nname = \"chain\"\nanatomy = \"rope\"\nfixed = \"start\"\n");
    const Json json = run_json({"run", file, "--steps", "5"});
    EXPECT_EQ(json["scene"], "copy");
    EXPECT_EQ(json["hash"], hash_of({"run", "chain", "--steps", "5"}));
}

// run.

TEST_F(Command, RunTellsWhatIsDocumented) {
    const Json json = run_json({"run", "intestine", "--steps", "3", "--seed", "7", "--threads", "2"});
    const std::set<std::string> documented{
        "scene",          "seed",         "threads",     "steps",         "substeps",   "dt",
        "simulated_s",    "wall_s",       "realtime",    "nodes",         "free_nodes", "primitives",
        "memory_mb",      "threads_used", "isa",         "step_ms",       "stage_ms",   "detector",
        "distance_tests", "contacts",     "penetration", "pass_throughs", "certify",    "bodies",
        "momentum",       "tools",        "flags",       "hash",          "audit",      "exempt_share"};
    EXPECT_EQ(keys(json), documented);
    EXPECT_EQ(json["scene"], "intestine");
    EXPECT_EQ(json["seed"], 7);
    EXPECT_EQ(json["threads"], 2);
    EXPECT_EQ(json["threads_used"], 2);
    EXPECT_EQ(json["steps"], 3);
    EXPECT_EQ(json["substeps"], 20);
    EXPECT_NEAR(json["dt"].get<double>(), 1.0 / 30.0, 1e-12);
    EXPECT_NEAR(json["simulated_s"].get<double>(), 0.1, 1e-12);
    EXPECT_GT(json["wall_s"].get<double>(), 0.0);
    EXPECT_GT(json["realtime"].get<double>(), 0.0);
    EXPECT_GT(json["nodes"].get<int>(), json["free_nodes"].get<int>());
    EXPECT_GT(json["memory_mb"].get<double>(), 0.0);
    EXPECT_EQ(keys(json["step_ms"]), (std::set<std::string>{"p50", "p99", "max"}));
    EXPECT_LE(json["step_ms"]["p50"].get<double>(), json["step_ms"]["max"].get<double>());
    for (const char* stage : {"tissue", "detect", "respond"}) {
        EXPECT_EQ(keys(json["stage_ms"][stage]), (std::set<std::string>{"p50", "p99"})) << stage;
    }
    EXPECT_EQ(keys(json["distance_tests"]), std::set<std::string>{"mean"});
    EXPECT_EQ(keys(json["contacts"]), (std::set<std::string>{"mean", "max", "settled", "by_pair"}));
    EXPECT_TRUE(json["contacts"]["by_pair"].is_object());
    EXPECT_EQ(keys(json["penetration"]), (std::set<std::string>{"worst", "settled", "frame_p99"}));
    EXPECT_TRUE(json["penetration"]["worst"].is_number());
    EXPECT_EQ(json["pass_throughs"], 0);
    EXPECT_TRUE(json["certify"].is_null());
    ASSERT_EQ(json["bodies"].size(), 2U);
    EXPECT_EQ(json["bodies"][0]["name"], "gut");
    EXPECT_EQ(json["bodies"][1]["name"], "mesentery");
    for (const Json& body : json["bodies"]) {
        EXPECT_EQ(keys(body), (std::set<std::string>{"name", "tissue", "max_stretch", "peak_stretch", "rms_speed",
                                                     "kinetic", "elastic"}));
        EXPECT_EQ(body["tissue"], "mass_spring");
    }
    ASSERT_EQ(json["momentum"].size(), 3U);
    EXPECT_LT(json["momentum"][2].get<double>(), 0.0);
    ASSERT_EQ(json["tools"].size(), 1U);
    EXPECT_EQ(keys(json["tools"][0]), (std::set<std::string>{"name", "peak_force", "mean_force"}));
    EXPECT_TRUE(json["flags"].is_array());
    const std::string hash = json["hash"];
    EXPECT_EQ(hash.size(), 16U);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos) << hash;
}

// As the stage itself: named, and null until there is one.
TEST_F(Command, EveryDocumentedStageHasItsTime) {
    const Json json = run_json({"run", "chain", "--steps", "2"});
    EXPECT_EQ(keys(json["stage_ms"]), (std::set<std::string>{"tissue", "detect", "respond", "certify"}));
}

TEST_F(Command, RunWritesItsSummaryForPeople) {
    const Outcome outcome = run({"run", "intestine-pile", "--seconds", "0.2"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(contains(outcome.out, "intestine-pile"));
    EXPECT_TRUE(contains(outcome.out, "hash"));
    EXPECT_TRUE(contains(outcome.out, "6 steps")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "audit")) << outcome.out;
}

TEST_F(Command, StepsAndSeconds) {
    EXPECT_EQ(run_json({"run", "chain", "--steps", "7"})["steps"], 7);
    EXPECT_EQ(run_json({"run", "chain", "--seconds", "0.5"})["steps"], 15);
    EXPECT_EQ(run_json({"run", "chain", "--seconds", "1e-6"})["steps"], 1);
    EXPECT_EQ(run_json({"run", "chain", "--set", "seconds=0.4"})["steps"], 12);
    EXPECT_EQ(run_json({"run", "chain", "--set", "solver.dt=0.1", "--seconds", "1"})["steps"], 10);
    EXPECT_EQ(hash_of({"run", "chain", "--steps", "15"}), hash_of({"run", "chain", "--seconds", "0.5"}));
}

TEST_F(Command, TheSameInputsGiveTheSameHash) {
    const Texts pile{"run", "intestine-pile", "--seconds", "1"};
    const auto with = [&](const Texts& more) {
        Texts all = pile;
        all.insert(all.end(), more.begin(), more.end());
        return hash_of(all);
    };
    const std::string hash = with({});
    EXPECT_EQ(with({}), hash);
    EXPECT_EQ(with({"--seed", "1"}), hash);
    EXPECT_EQ(with({"--threads", "2"}), hash);
    EXPECT_EQ(with({"--threads", "4"}), hash);
    EXPECT_EQ(with({"--audit", "off"}), hash);
    EXPECT_EQ(with({"--record", path("a.plica"), "--dump", path("dump")}), hash);
    EXPECT_NE(with({"--seed", "2"}), hash);
    EXPECT_NE(with({"--set", "contact.friction=0.3"}), hash);
    EXPECT_NE(with({"--set", "environment.gravity=[0,0,-9.8]"}), hash);
    EXPECT_NE(with({"--set", "gut.noise=0.06"}), hash);
}

TEST_F(Command, ThreadsDoNotChangeTheIntestine) {
    const std::string hash = hash_of({"run", "intestine", "--steps", "3"});
    EXPECT_EQ(hash_of({"run", "intestine", "--steps", "3", "--threads", "2"}), hash);
    EXPECT_EQ(hash_of({"run", "intestine", "--steps", "3", "--threads", "4"}), hash);
    EXPECT_NE(hash_of({"run", "intestine", "--steps", "3", "--seed", "2"}), hash);
    EXPECT_NE(hash_of({"run", "intestine", "--steps", "3", "--seed", "18446744073709551615"}), hash);
}

TEST_F(Command, WithoutAuditItsFieldsAreNull) {
    const Json json = run_json({"run", "intestine-pile", "--steps", "10", "--audit", "off"});
    for (const char* field : {"worst", "settled", "frame_p99"})
        EXPECT_TRUE(json["penetration"][field].is_null()) << field;
    EXPECT_TRUE(json["pass_throughs"].is_null());
    EXPECT_TRUE(json["contacts"]["settled"].is_null());
    const Json with = run_json({"run", "intestine-pile", "--steps", "10"});
    EXPECT_EQ(keys(json), keys(with));
    EXPECT_TRUE(with["pass_throughs"].is_number());
    EXPECT_EQ(with["hash"], json["hash"]);
}

TEST_F(Command, TheAuditCatchesAPileWithoutContact) {
    const Json good = run_json({"run", "intestine-pile", "--seconds", "2"});
    EXPECT_EQ(good["pass_throughs"], 0);
    EXPECT_LT(good["penetration"]["worst"].get<double>(), 1.0);
    EXPECT_GT(good["contacts"]["by_pair"]["gut-gut"].get<double>(), 0.0);
    const Outcome bad = run({"run", "intestine-pile", "--seconds", "2", "--set", "contact.enabled=false", "--json"});
    EXPECT_EQ(bad.status, 1);
    EXPECT_TRUE(contains(bad.err, "AUDIT FAILED")) << bad.err;
    const Json json = parse_object(bad);
    EXPECT_GT(json["pass_throughs"].get<int>(), 0);
    EXPECT_GE(json["penetration"]["worst"].get<double>(), 1.0);
    EXPECT_GE(json["penetration"]["settled"].get<double>(), 1.0);
    EXPECT_EQ(json["contacts"]["by_pair"].size(), 0U);
}

// A mass that rounds to nothing: the first step has no finite answer.
TEST_F(Command, AStateThatIsNoNumberEndsTheRun) {
    const Texts arguments{"run", "chain", "--steps", "5", "--set", "chain.mass_per_length=5e-324", "--json"};
    const Outcome outcome = run(arguments);
    if (outcome.status == 2) GTEST_SKIP() << "such a mass is refused";
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "lost validity")) << outcome.err;
    const Json json = parse_object(outcome);
    EXPECT_TRUE(contains(json["flags"].dump(), "non_finite")) << json["flags"];
    EXPECT_LT(json["steps"].get<int>(), 5);
    for (const char* number : {"rms_speed", "kinetic", "elastic"})
        EXPECT_TRUE(json["bodies"][0][number].is_number()) << number;
}

// Recordings.

TEST_F(Command, ARecordingReplays) {
    const std::string file = path("a.plica");
    const Json original = run_json(
        {"run", "intestine-pile", "--seconds", "1", "--seed", "5", "--set", "gut.noise=0.1", "--record", file});
    const Outcome text = run({"replay", file});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_EQ(text.err, "");
    EXPECT_TRUE(contains(text.out, "30 of 30")) << text.out;
    for (const char* threads : {"1", "2"}) {
        const Json json = run_json({"replay", file, "--threads", threads});
        EXPECT_EQ(keys(json), (std::set<std::string>{"recording", "scene", "seed", "steps", "verified", "matches",
                                                     "first_difference", "truncated", "damaged", "hash"}));
        EXPECT_EQ(json["recording"], file);
        EXPECT_EQ(json["scene"], "intestine-pile");
        EXPECT_EQ(json["seed"], 5);
        EXPECT_EQ(json["steps"], 30);
        EXPECT_EQ(json["verified"], 30);
        EXPECT_EQ(json["matches"], true);
        EXPECT_TRUE(json["first_difference"].is_null());
        EXPECT_EQ(json["truncated"], false);
        EXPECT_EQ(json["hash"], original["hash"]);
    }
}

TEST_F(Command, ARecordingWithAToolReplays) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    fs::remove(path("pulled.toml"));  // a recording holds its scene
    EXPECT_EQ(run_json({"replay", file})["verified"], 15);
}

TEST_F(Command, ARecordingReplacesTheOneBefore) {
    const std::string file = record({"chain", "--steps", "60"});
    ASSERT_EQ(record({"chain", "--steps", "3"}), file);
    EXPECT_EQ(run_json({"replay", file})["steps"], 3);
}

TEST_F(Command, ACutRecordingReplaysUpToItsLastWholeBlock) {
    const std::string file = record({"intestine-pile", "--seconds", "3", "--audit", "off"});
    const std::string bytes = slurp(file);
    const std::string cut = path("cut.plica");
    std::set<std::uint64_t> counts;
    for (const double share : {0.999, 0.9, 0.75, 0.5, 0.4, 0.25}) {
        spill(cut, bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
        SCOPED_TRACE(share);
        const std::uint64_t steps = RecordingReader(cut).step_count();
        EXPECT_LE(steps, 90U);
        counts.insert(steps);
        const Outcome outcome = run({"replay", cut, "--json"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, cut)) << outcome.err;
        const Json json = parse_object(outcome);
        EXPECT_EQ(json["steps"], steps);
        EXPECT_EQ(json["verified"], steps);
        EXPECT_EQ(json["matches"], true);
        EXPECT_EQ(json["truncated"], true);
    }
    EXPECT_GE(counts.size(), 3U);
    EXPECT_GE(*counts.rbegin(), 60U);  // the cut costs at most the last second
    for (const std::size_t size : {0U, 1U, 8U, 11U, 12U, 13U, 44U, 60U}) {
        spill(cut, bytes.substr(0, size));
        const Outcome outcome = run({"replay", cut});
        EXPECT_EQ(outcome.status, 2) << size;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err.rfind(cut + ": ", 0), 0U) << outcome.err;
    }
}

TEST_F(Command, ADamagedRecordingIsNeverTakenForAGoodOne) {
    const std::string file = record({"intestine-pile", "--seconds", "2", "--audit", "off"});
    const std::string bytes = slurp(file);
    const std::string bad = path("bad.plica");
    const auto flipped = [&](std::size_t at) {
        std::string copy = bytes;
        copy[at] = static_cast<char>(copy[at] ^ 0x10);
        spill(bad, copy);
        return run({"replay", bad, "--json"});
    };
    for (const std::size_t at : {0U, 7U, 8U, 12U, 20U, 50U, 200U}) {  // magic, version, the block with the scene
        const Outcome outcome = flipped(at);
        EXPECT_EQ(outcome.status, 2) << at << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err.rfind(bad + ": ", 0), 0U) << outcome.err;
    }
    for (const double share : {0.3, 0.5, 0.7, 0.9}) {
        const auto at = static_cast<std::size_t>(share * static_cast<double>(bytes.size()));
        const Outcome outcome = flipped(at);
        EXPECT_TRUE(contains(outcome.err, bad)) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "damaged")) << outcome.err;
        const Json json = parse_object(outcome);
        EXPECT_EQ(json["truncated"], true);
        EXPECT_LT(json["verified"].get<int>(), 60);
    }
}

TEST_F(Command, ARecordingOfAnotherVersionIsRefused) {
    const std::string file = record({"chain", "--steps", "3"});
    std::string bytes = slurp(file);
    bytes[recording_format::magic.size()] = 9;
    spill(file, bytes);
    for (const Texts& arguments : {Texts{"replay", file}, Texts{"export", file, "--to", "npy", "-o", path("out")}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(contains(outcome.err, file) && contains(outcome.err, "format 9")) << outcome.err;
    }
    EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Command, FilesThatAreNoRecordings) {
    const std::string text = write("a.txt", "plica = 1\n");
    for (const std::string& name : {text, path("missing"), path("")}) {
        for (const Texts& arguments :
             {Texts{"replay", name}, Texts{"export", name, "--to", "npy", "-o", path("out")}}) {
            const Outcome outcome = run(arguments);
            EXPECT_EQ(outcome.status, 2) << outcome.err;
            EXPECT_EQ(outcome.out, "");
            EXPECT_TRUE(contains(outcome.err, name)) << outcome.err;
        }
    }
    EXPECT_EQ(files(), Texts{"a.txt"});
}

// Writes a recording again through the library, changed on the way.
using ChangeHeader = std::function<void(RecordingHeader&)>;
using ChangeStep = std::function<void(int, RecordedStep&)>;
void rewrite(const std::string& from, const std::string& to, const ChangeStep& change,
             const ChangeHeader& change_header = nullptr) {
    RecordingReader reader(from);
    const auto vectors = [](const std::vector<float>& floats) {
        std::vector<Vec3> all;
        for (std::size_t i = 0; i + 2 < floats.size(); i += 3) all.push_back({floats[i], floats[i + 1], floats[i + 2]});
        return all;
    };
    RecordingHeader header = reader.header();
    if (change_header) change_header(header);
    RecordingWriter writer(to, header, vectors(reader.initial_positions()));
    RecordedStep step;
    for (int i = 0; reader.next(step); ++i) {
        if (change) change(i, step);
        writer.append(step.inputs, step.hash, step.tool_forces, step.tool_torques, vectors(step.positions));
    }
    writer.close();
}

TEST_F(Command, ReplayFailsWhereTheRecordingDiffers) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    const std::string changed = path("changed.plica");
    const std::vector<std::pair<const char*, ChangeStep>> changes{
        {"hash", [](int i, RecordedStep& step) { step.hash ^= i == 9 ? 1U : 0U; }},
        {"gravity", [](int i, RecordedStep& step) { step.inputs.gravity.z += i == 9 ? 1e-9 : 0.0; }},
        {"tool", [](int i, RecordedStep& step) { step.inputs.tools[0].target.x += i == 9 ? 1e-9 : 0.0; }},
        {"hold",
         [](int i, RecordedStep& step) { step.inputs.tools[0].present = i == 9 ? 0 : step.inputs.tools[0].present; }},
    };
    for (const auto& [what, change] : changes) {
        SCOPED_TRACE(what);
        rewrite(file, changed, change);
        const Json json = run_json({"replay", changed}, 1);
        EXPECT_EQ(json["matches"], false);
        EXPECT_EQ(json["first_difference"], 9);
        EXPECT_EQ(json["verified"], 9);
        const Outcome text = run({"replay", changed});
        EXPECT_EQ(text.status, 1);
        EXPECT_TRUE(contains(text.out + text.err, "step 9 differs")) << text.out << text.err;
    }
    rewrite(file, changed, nullptr);
    EXPECT_EQ(run_json({"replay", changed})["verified"], 15);  // what is written again unchanged still matches
}

TEST_F(Command, ReplayOfARecordingThatDoesNotFitItsScene) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    const std::string changed = path("changed.plica");
    rewrite(file, changed, nullptr, [](RecordingHeader& header) { header.overrides.emplace_back("gut.segments=30"); });
    for (const Texts& arguments :
         {Texts{"replay", changed}, Texts{"export", changed, "--to", "obj", "-o", path("out")}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
    rewrite(file, changed, nullptr, [](RecordingHeader& header) { header.scene_text = "gibberish"; });
    EXPECT_EQ(run({"replay", changed}).status, 2);
    rewrite(file, changed, nullptr, [](RecordingHeader& header) { header.seed = 2; });
    EXPECT_EQ(run({"replay", changed}).status, 1);
}

TEST_F(Command, ReplayRefusesInputsThatMakeNoSense) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    const std::string changed = path("changed.plica");
    for (const std::int32_t node :
         {26, 1000000, std::numeric_limits<std::int32_t>::max(), -2, std::numeric_limits<std::int32_t>::min()}) {
        rewrite(file, changed, [&](int i, RecordedStep& step) {
            step.inputs.tools[0].node = i == 9 ? node : step.inputs.tools[0].node;
        });
        const Outcome outcome = run({"replay", changed});
        EXPECT_TRUE(outcome.status == 1 || outcome.status == 2)
            << "node " << node << ": status " << outcome.status << " signal " << outcome.signal << " "
            << outcome.err.substr(0, 400);
        EXPECT_FALSE(contains(outcome.err, "Sanitizer")) << "node " << node;
    }
    rewrite(file, changed, [](int i, RecordedStep& step) {
        if (i == 9) step.inputs.tools[0].target.x = std::nan("");
    });
    const Outcome outcome = run({"replay", changed});
    EXPECT_TRUE(outcome.status >= 1 && outcome.status <= 3) << outcome.status << " signal " << outcome.signal;
}

// The checksum is right and what it covers is not: then the steps cannot all be had, and that is no success.
TEST_F(Command, AForgedBlockIsNoSuccess) {
    namespace format = recording_format;
    const std::string file = record({"intestine-pile", "--seconds", "2", "--audit", "off"});
    std::string bytes = slurp(file);
    format::BlockHead head;
    std::size_t at = format::start_size;
    for (int block = 0; block < 2; ++block) {  // past the header and the first second
        ASSERT_TRUE(format::parse_head(std::string_view(bytes).substr(at, format::BlockHead::size), head));
        at += format::BlockHead::size + head.packed_size;
    }
    ASSERT_TRUE(format::parse_head(std::string_view(bytes).substr(at, format::BlockHead::size), head));
    ASSERT_EQ(head.type, format::BlockType::steps);
    const std::size_t packed = at + format::BlockHead::size;
    for (std::size_t i = 2; i < 12; ++i) bytes[packed + i] = static_cast<char>(bytes[packed + i] ^ 0x5A);
    head.packed_crc = format::checksum(std::string_view(bytes).substr(packed, head.packed_size));
    bytes.replace(at, format::BlockHead::size, format::head_bytes(head));
    spill(file, bytes);
    const Outcome outcome = run({"replay", file, "--json"});
    EXPECT_NE(outcome.status, 0) << outcome.out;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_TRUE(contains(outcome.err, file)) << outcome.err;
    const Outcome exported = run({"export", file, "--to", "npy", "-o", path("out")});
    EXPECT_TRUE(contains(exported.err, file)) << "told nothing: " << exported.out;
}

// Places that cannot be written.

// Status 4, the file's name on standard error and nothing else anywhere.
void expect_unwritable(const Texts& arguments, const std::string& name, const Settings& settings = {}) {
    SCOPED_TRACE(quoted(arguments));
    const Outcome outcome = run(arguments, settings);
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, name)) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
}

TEST_F(Command, RecordingsThatCannotBeWritten) {
    for (const std::string& place : {path("missing/x.plica"), std::string("/dev/full"), path("")}) {
        expect_unwritable({"run", "chain", "--steps", "40", "--json", "--record", place}, place);
    }
    expect_unwritable({"run", "chain", "--steps", "3", "--record", path("missing/x"), "--dump", path("dump")},
                      path("missing/x"));
    EXPECT_EQ(files(), Texts{});
}

TEST_F(Command, DumpsThatCannotBeWritten) {
    const std::string file = write("file", "");
    for (const std::string& place : {file, file + "/below", std::string("/dev/full"), std::string("/dev/full/x")}) {
        expect_unwritable({"run", "chain", "--steps", "3", "--json", "--dump", place}, place);
    }
    EXPECT_EQ(files(), Texts{"file"});
}

// Whoever gets the dump's name wrong must not lose the recording of yesterday.
TEST_F(Command, AnUnwritableDumpLeavesTheRecordingAlone) {
    const std::string file = record({"chain", "--steps", "5"});
    const std::string before = slurp(file);
    expect_unwritable({"run", "chain", "--steps", "3", "--record", file, "--dump", "/dev/full"}, "/dev/full");
    EXPECT_TRUE(slurp(file) == before) << "the recording was replaced";
    expect_unwritable({"run", "chain", "--steps", "3", "--record", path("b.plica"), "--dump", "/dev/full"},
                      "/dev/full");
    EXPECT_FALSE(fs::exists(path("b.plica")));
}

TEST_F(Command, AFullDiskKeepsWhatWasRecorded) {
    const rlim_t size = fs::file_size(record({"intestine-pile", "--seconds", "4", "--audit", "off"}, "whole.plica"));
    const std::string file = path("a.plica");
    const Texts arguments{"run", "intestine-pile", "--seconds", "4", "--audit", "off", "--record", file};
    expect_unwritable(arguments, file, {"", size * 3 / 4});
    ASSERT_TRUE(fs::exists(file));
    const Outcome outcome = run({"replay", file, "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Json json = parse_object(outcome);
    EXPECT_GT(json["verified"].get<int>(), 0);
    EXPECT_LT(json["verified"].get<int>(), 120);
    EXPECT_EQ(json["truncated"], true);
}

TEST_F(Command, AFullDiskLeavesNoHalfDump) {
    expect_unwritable({"run", "chain", "--steps", "100", "--dump", path("dump")}, path("dump/positions.npy"),
                      {"", 40000});
    for (const std::string& name : files()) EXPECT_EQ(name, "dump/scene.json");
    const std::string file = record({"chain", "--steps", "100"});
    expect_unwritable({"export", file, "--to", "npy", "-o", path("out")}, path("out/positions.npy"), {"", 40000});
    for (const std::string& name : files()) {
        EXPECT_FALSE(contains(name, ".npy") || contains(name, ".partial")) << name;
    }
}

TEST_F(Command, AFullDiskLeavesTheDumpBeforeWhole) {
    const std::string dump = path("dump");
    ASSERT_EQ(run({"run", "chain", "--steps", "5", "--dump", dump}).status, 0);
    const std::array<const char*, 4> names{"positions.npy", "times.npy", "tools.npy", "scene.json"};
    std::vector<std::string> before;
    for (const char* name : names) before.push_back(slurp(dump + "/" + name));
    expect_unwritable({"run", "intestine-pile", "--steps", "40", "--dump", dump}, dump, {"", 40000});
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_TRUE(slurp(dump + "/" + names[i]) == before[i]) << names[i];
}

TEST_F(Command, ExportsThatCannotBeWritten) {
    const std::string recording = record({"chain", "--steps", "3"});
    const std::string file = write("file", "");
    for (const char* format : {"npy", "vtk", "obj"}) {
        expect_unwritable({"export", recording, "--to", format, "-o", file}, file);
        expect_unwritable({"export", recording, "--to", format, "-o", file + "/below"}, file);
    }
    EXPECT_EQ(files(), (Texts{"a.plica", "file"}));
}

TEST_F(Command, AnAnswerThatCannotBeWrittenIsNoSuccess) {
    const std::string recording = record({"chain", "--steps", "3"});
    for (const Texts& arguments :
         {Texts{"run", "chain", "--steps", "2", "--json"}, Texts{"run", "chain", "--steps", "2"}, Texts{"scenes"},
          Texts{"check", "chain"}, Texts{"replay", recording, "--json"}}) {
        const Outcome outcome = run(arguments, {"/dev/full", RLIM_INFINITY});
        EXPECT_EQ(outcome.status, 4) << quoted(arguments);
    }
}

// Dumps and exports.

void expect_consistent_scene(const Json& scene, std::size_t nodes) {
    EXPECT_TRUE(scene.contains("bodies"));
    std::size_t next = 0;
    for (const Json& body : scene["bodies"]) {
        for (const char* key : {"name", "tissue", "nodes", "segments", "triangles", "tetrahedra", "exempt"}) {
            EXPECT_TRUE(body.contains(key)) << key;
        }
        const auto first = body["nodes"][0].get<std::size_t>();
        const auto last = body["nodes"][1].get<std::size_t>();
        EXPECT_EQ(first, next);
        EXPECT_LT(first, last);
        next = last;
        for (const Json& segment : body["segments"]) {
            ASSERT_EQ(segment.size(), 3U);
            EXPECT_LT(segment[0].get<std::size_t>(), nodes);
            EXPECT_LT(segment[1].get<std::size_t>(), nodes);
            EXPECT_GT(segment[2].get<double>(), 0.0);
        }
        for (const Json& triangle : body["triangles"]) {
            ASSERT_EQ(triangle.size(), 4U);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(triangle[i].get<std::size_t>(), nodes);
            EXPECT_GT(triangle[3].get<double>(), 0.0);
        }
        for (const Json& node : body["exempt"]) {
            EXPECT_GE(node.get<std::size_t>(), first);
            EXPECT_LT(node.get<std::size_t>(), last);
        }
    }
    EXPECT_EQ(next, nodes);
}

TEST_F(Command, DumpAndExportAgree) {
    const std::string recording = path("a.plica");
    const Json summary =
        run_json({"run", pulled_rope(), "--steps", "15", "--record", recording, "--dump", path("dump")});
    const Json exported = run_json({"export", recording, "--to", "npy", "-o", path("npy")});
    EXPECT_EQ(exported, (Json{{"recording", recording}, {"format", "npy"}, {"folder", path("npy")}, {"frames", 16}}));
    const auto nodes = summary["nodes"].get<std::size_t>();
    const Npy exact = load_npy(path("dump/positions.npy"));
    const Npy rounded = load_npy(path("npy/positions.npy"));
    EXPECT_EQ(exact.shape, (Shape{16, nodes, 3}));
    EXPECT_EQ(rounded.shape, exact.shape);
    ASSERT_EQ(rounded.values.size(), exact.values.size());
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        ASSERT_EQ(rounded.values[i], static_cast<double>(static_cast<float>(exact.values[i]))) << i;
    }
    const Npy times = load_npy(path("dump/times.npy"));
    EXPECT_EQ(times.shape, Shape{16});
    for (std::size_t i = 0; i < times.values.size(); ++i)
        EXPECT_NEAR(times.values[i], static_cast<double>(i) / 30.0, 1e-12);
    EXPECT_EQ(load_npy(path("npy/times.npy")).values, times.values);
    const Npy tools = load_npy(path("dump/tools.npy"));
    EXPECT_EQ(tools.shape, (Shape{15, 1, 6}));
    EXPECT_EQ(load_npy(path("npy/tools.npy")).shape, tools.shape);
    EXPECT_EQ(load_npy(path("npy/tools.npy")).values, tools.values);
    const Json scene = Json::parse(slurp(path("dump/scene.json")));
    EXPECT_EQ(scene, Json::parse(slurp(path("npy/scene.json"))));
    expect_consistent_scene(scene, nodes);
    EXPECT_EQ(scene["bodies"].size(), 1U);
    EXPECT_EQ(scene["bodies"][0]["name"], "gut");
    EXPECT_EQ(scene["bodies"][0]["segments"].size(), summary["primitives"].get<std::size_t>());
    EXPECT_EQ(scene["tools"], (Json{"hand"}));
}

// The files hold what their names say: the first frame is the rope as built, a held node stays, forces are the tool's.
TEST_F(Command, AGrabsForceShowsInTheDump) {
    const Json summary = run_json({"run", pulled_rope(), "--steps", "15", "--dump", path("dump")});
    const Npy x = load_npy(path("dump/positions.npy"));
    ASSERT_EQ(x.shape, (Shape{16, 26, 3}));
    for (std::size_t n = 0; n < 26; ++n) EXPECT_NEAR(x.values[3 * n], static_cast<double>(n) / 25.0, 1e-12);
    for (std::size_t frame = 0; frame < 16; ++frame) EXPECT_EQ(x.values[78 * frame], 0.0);
    const Npy tools = load_npy(path("dump/tools.npy"));
    ASSERT_EQ(tools.shape, (Shape{15, 1, 6}));
    double peak = 0.0;
    for (std::size_t step = 0; step < 15; ++step) {
        const double* f = &tools.values[6 * step];
        const double force = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        EXPECT_TRUE(step >= 3 || force == 0.0) << step;  // it takes hold at 0.1 s
        EXPECT_LE(force, 2.0 + 1e-6);
        peak = std::max(peak, force);
    }
    EXPECT_GT(peak, 0.1);
    EXPECT_NEAR(peak, summary["tools"][0]["peak_force"].get<double>(), 1e-12);
}

TEST_F(Command, ADumpOfTheIntestineDescribesItsMesentery) {
    const Json summary = run_json({"run", "intestine", "--steps", "2", "--dump", path("dump")});
    const auto nodes = summary["nodes"].get<std::size_t>();
    EXPECT_EQ(load_npy(path("dump/positions.npy")).shape, (Shape{3, nodes, 3}));
    const Json scene = Json::parse(slurp(path("dump/scene.json")));
    expect_consistent_scene(scene, nodes);
    ASSERT_EQ(scene["bodies"].size(), 2U);
    EXPECT_EQ(scene["bodies"][0]["segments"].size(), 300U);
    EXPECT_GT(scene["bodies"][1]["triangles"].size(), 0U);
    EXPECT_EQ(scene["bodies"][0]["segments"].size() + scene["bodies"][1]["triangles"].size(),
              summary["primitives"].get<std::size_t>());
    EXPECT_GT(scene["bodies"][0]["exempt"].size(), 0U);
    EXPECT_GT(summary["exempt_share"].get<double>(), 0.0);
    EXPECT_LT(summary["exempt_share"].get<double>(), 0.2);
}

TEST_F(Command, ADumpWithoutToolsIsWhole) {
    EXPECT_EQ(run({"run", "chain", "--steps", "4", "--dump", path("new/folder/dump")}).status, 0);
    EXPECT_EQ(load_npy(path("new/folder/dump/tools.npy")).shape, (Shape{4, 0, 6}));
    EXPECT_EQ(files().size(), 4U);
}

TEST_F(Command, ExportToVtkAndObj) {
    const std::string recording = record({pulled_rope(), "--steps", "15"});
    EXPECT_EQ(run_json({"export", recording, "--to", "vtk", "-o", path("vtk")})["frames"], 16);
    EXPECT_EQ(run_json({"export", recording, "--to", "obj", "-o", path("obj")})["frames"], 16);
    for (const std::string format : {"vtk", "obj"}) {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(path(format))) {
            EXPECT_EQ(entry.path().extension(), "." + format);
            ++count;
        }
        EXPECT_EQ(count, 16U);
        EXPECT_TRUE(fs::exists(path(format + "/frame_000000." + format)));
        EXPECT_TRUE(fs::exists(path(format + "/frame_000015." + format)));
    }
    const std::string vtk = slurp(path("vtk/frame_000003.vtk"));
    EXPECT_EQ(vtk.rfind("# vtk DataFile", 0), 0U);
    EXPECT_TRUE(contains(vtk, "POINTS 26 double"));
    EXPECT_TRUE(contains(vtk, "LINES 25 75"));
    int points = 0;
    int lines = 0;
    for (const std::string& line : lines_of(slurp(path("obj/frame_000003.obj")))) {
        points += line.rfind("v ", 0) == 0 ? 1 : 0;
        lines += line.rfind("l ", 0) == 0 ? 1 : 0;
    }
    EXPECT_EQ(points, 26);
    EXPECT_EQ(lines, 25);
}

TEST_F(Command, ExportOfACutRecordingGivesWhatIsThere) {
    const std::string file = record({"intestine-pile", "--seconds", "2", "--audit", "off"});
    const std::string bytes = slurp(file);
    spill(file, bytes.substr(0, bytes.size() - 100));
    const std::uint64_t steps = RecordingReader(file).step_count();
    ASSERT_GT(steps, 0U);
    ASSERT_LT(steps, 60U);
    const Outcome outcome = run({"export", file, "--to", "npy", "-o", path("out"), "--json"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(contains(outcome.err, file)) << outcome.err;
    EXPECT_EQ(parse_object(outcome)["frames"], steps + 1);
    EXPECT_EQ(load_npy(path("out/positions.npy")).shape.at(0), steps + 1);
    EXPECT_EQ(load_npy(path("out/tools.npy")).shape.at(0), steps);
}

// Ctrl-C.

// True once the recording has a step that can be read.
bool wait_for_steps(const std::string& file) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline) {
        try {
            if (RecordingReader(file).step_count() > 0) return true;
        } catch (const Error&) {  // not yet
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

TEST_F(Command, AnInterruptKeepsWhatWasRecorded) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const std::string name = signal == SIGINT ? "int" : "term";
        const std::string file = path(name + ".plica");
        Process process({"run", "intestine-pile", "--seconds", "100000", "--audit", "off", "--json", "--record", file,
                         "--dump", path(name)});
        ASSERT_TRUE(wait_for_steps(file));
        process.send(signal);
        const Outcome outcome = process.finish();
        EXPECT_EQ(outcome.status, 0) << "signal " << outcome.signal << " " << outcome.err;
        const Json json = parse_object(outcome);
        EXPECT_EQ(json["interrupted"], true);
        const auto steps = json["steps"].get<std::size_t>();
        EXPECT_GT(steps, 0U);
        EXPECT_LT(steps, 3000000U);
        const RecordingReader reader(file);
        EXPECT_EQ(reader.step_count(), steps);
        EXPECT_FALSE(reader.truncated());
        EXPECT_EQ(reader.message(), "");
        const Json replayed = run_json({"replay", file});
        EXPECT_EQ(replayed["verified"], steps);
        EXPECT_EQ(replayed["hash"], json["hash"]);
        EXPECT_EQ(load_npy(path(name + "/positions.npy")).shape.at(0), steps + 1);
    }
}

TEST_F(Command, AKilledRunLeavesAReadableRecording) {
    const std::string file = path("a.plica");
    Process process({"run", "intestine-pile", "--seconds", "100000", "--audit", "off", "--record", file});
    ASSERT_TRUE(wait_for_steps(file));
    process.send(SIGKILL);
    EXPECT_EQ(process.finish().signal, SIGKILL);
    const std::uint64_t steps = RecordingReader(file).step_count();
    ASSERT_GT(steps, 0U);
    const Json json = run_json({"replay", file});
    EXPECT_EQ(json["verified"], steps);
    EXPECT_EQ(json["truncated"], true);
}

}  // namespace
}  // namespace plica
