#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "experiments/common/experiment.hpp"

namespace plica::experiments {
namespace {

constexpr int not_found = 127;  // as a shell says it

void write_file(const std::string& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

std::string to_csv(const Table& table) {
    std::string text;
    const auto add_line = [&](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0) text += ',';
            text += cells[i];
        }
        text += '\n';
    };
    add_line(table.columns);
    for (const std::vector<std::string>& row : table.rows) add_line(row);
    return text;
}

// The exit status of `gnuplot SCRIPT` run in `folder`; not_found when there is no gnuplot.
int run_gnuplot(const std::string& folder, const std::string& script) {
    const pid_t child = fork();
    if (child < 0) throw Error("plica: no process could be started for gnuplot", Status::environment);
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);  // standard output is the command's alone
        if (chdir(folder.c_str()) == 0) execlp("gnuplot", "gnuplot", script.c_str(), static_cast<char*>(nullptr));
        _exit(not_found);
    }
    int state = 0;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) throw Error("plica: gnuplot's end could not be waited for", Status::environment);
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

}  // namespace

std::vector<std::string> plot(const std::string& folder, const std::string& name, const Table& data,
                              const std::string& commands) {
    const std::string script = name + ".gp";
    const std::string image = name + ".png";
    write_file(folder + "/" + name + ".csv", to_csv(data));
    write_file(folder + "/" + script,
               fmt::format("set terminal pngcairo size 1000,650 font 'sans,13' background 'white'\n"
                           "set output '{}'\nset datafile separator ','\nset key noenhanced\n{}\n",
                           image, commands));
    std::vector<std::string> files{name + ".csv", script};
    const int status = run_gnuplot(folder, script);
    if (status == 0) {
        files.push_back(image);
    } else if (status != not_found) {
        throw Error(fmt::format("{}/{}: gnuplot ended with status {}", folder, script, status), Status::environment);
    }
    return files;
}

}  // namespace plica::experiments
