#include "geometry/mesh/external.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/input_file.hpp"
#include "geometry/mesh/read_mesh.hpp"

extern char** environ;

namespace plica {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (fs::temp_directory_path() / "plica_mesh_XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw Error(pattern + ": cannot be made: " + std::generic_category().message(errno), Status::environment);
        }
        m_path = pattern;
    }
    ~TemporaryFolder() {
        std::error_code code;
        fs::remove_all(m_path, code);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return (m_path / name).string(); }

private:
    fs::path m_path;
};

std::string find_program(const std::string& name) {
    const char* list = std::getenv("PATH");
    std::string rest = list != nullptr ? list : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = rest.substr(0, end) + "/" + name;
        if (end > 0 && access(candidate.c_str(), X_OK) == 0) return candidate;
        rest.erase(0, end + 1);
    }
    throw Error(fmt::format("{0} is not installed (no such program in PATH); on Debian: apt-get install {0}", name),
                Status::environment);
}

// The end of what a program said.
std::string last_words(const std::string& log) {
    std::string text = InputFile(log).read_rest();
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    const std::size_t line = text.rfind('\n');
    return line == std::string::npos ? text : text.substr(line + 1);
}

void run_program(std::vector<std::string> words, const std::string& log) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t pid = -1;
    const int code = posix_spawn(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        throw Error(fmt::format("{}: cannot be run: {}", words[0], std::generic_category().message(code)),
                    Status::environment);
    }
    int state = 0;
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return;
    throw Error(fmt::format("{} failed: {}", words[0], last_words(log)), Status::environment);
}

void check_size_of_cells(double cell) {
    if (!std::isfinite(cell) || cell <= 0.0)
        throw Error(fmt::format("found the cell size {}, expected a length above 0", cell));
}

// TetGen's list of facets.
void write_smesh(const SurfaceMesh& surface, const std::string& path) {
    std::string text = fmt::format("{} 3 0 0\n", surface.nodes.size());
    for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
        const Vec3& p = surface.nodes[i];
        text += fmt::format("{} {} {} {}\n", i, p.x, p.y, p.z);
    }
    text += fmt::format("{} 0\n", surface.triangles.size());
    for (const auto& t : surface.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    AtomicFile file(path);
    file.write(text + "0\n0\n");
    file.commit();
}

// The triangles as one surface of a model, for Gmsh to fill.
void write_gmsh_surface(const SurfaceMesh& surface, const std::string& path) {
    std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", surface.nodes.size());
    for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
        const Vec3& p = surface.nodes[i];
        text += fmt::format("{} {} {} {}\n", i + 1, p.x, p.y, p.z);
    }
    text += fmt::format("$EndNodes\n$Elements\n{}\n", surface.triangles.size());
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        const auto& t = surface.triangles[i];
        text += fmt::format("{} 2 2 0 1 {} {} {}\n", i + 1, t[0] + 1, t[1] + 1, t[2] + 1);
    }
    AtomicFile file(path);
    file.write(text + "$EndElements\n");
    file.commit();
}

// Without what only the program's own way of writing put there.
VolumeMesh read_result(const std::string& path, const std::string& program, const std::string& log) {
    if (!fs::exists(path))
        throw Error(fmt::format("{} left no mesh: {}", program, last_words(log)), Status::environment);
    VolumeMesh mesh = read_volume_mesh(path);
    mesh.region.clear();
    mesh.region_names.clear();
    mesh.node_sets.clear();
    return mesh;
}

}  // namespace

VolumeMesh mesh_with_tetgen(const SurfaceMesh& surface, double cell) {
    check_size_of_cells(cell);
    const std::string program = find_program("tetgen");
    const TemporaryFolder folder;
    write_smesh(surface, folder.file("surface.smesh"));
    const double volume = cell * cell * cell / (6.0 * std::sqrt(2.0));  // of a regular tetrahedron
    // p: fill the surface; q: slender cells are cut; a: volume at most; z: count from 0.
    run_program({program, fmt::format("-pzq1.4a{:.17g}", volume), folder.file("surface.smesh")}, folder.file("log"));
    return read_result(folder.file("surface.1.ele"), program, folder.file("log"));
}

VolumeMesh mesh_with_gmsh(const SurfaceMesh& surface, double cell) {
    check_size_of_cells(cell);
    const std::string program = find_program("gmsh");
    const TemporaryFolder folder;
    write_gmsh_surface(surface, folder.file("surface.msh"));
    AtomicFile model(folder.file("model.geo"));
    // The triangles are put into patches, divided at edges of more than 40 degrees, and these are meshed anew.
    model.write(
        fmt::format("Merge \"surface.msh\";\nClassifySurfaces{{40 * Pi / 180, 1, 1, Pi}};\nCreateGeometry;\n"
                    "patches() = Surface{{:}};\nSurface Loop(1) = patches();\nVolume(1) = {{1}};\n"
                    "Mesh.MeshSizeExtendFromBoundary = 0;\nMesh.MeshSizeFromPoints = 0;\n"
                    "Mesh.MeshSizeMin = {0:.17g};\nMesh.MeshSizeMax = {0:.17g};\n",
                    cell));
    model.commit();
    run_program({program, "-3", "-format", "msh2", "-o", folder.file("volume.msh"), folder.file("model.geo")},
                folder.file("log"));
    return read_result(folder.file("volume.msh"), program, folder.file("log"));
}

}  // namespace plica
