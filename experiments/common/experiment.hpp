#pragma once
#include <functional>
#include <string>
#include <vector>

// What every experiment of `plica reproduce` hands in: tables, plots and a verdict on each claim of a paper.
namespace plica::experiments {

struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

struct Claim {
    std::string text;       // what the paper says
    std::string published;  // its number, with unit
    std::string ours;       // what was measured here
    bool holds;
    std::string why;   // in a sentence, when it does not or only partly holds
    bool own = false;  // about Plica, not about a paper: `plica reproduce` fails when it does not hold
};

struct Result {
    std::vector<Table> tables;
    std::vector<std::string> plots;  // files below the experiment's folder: what plot() returned
    std::vector<Claim> claims;
    std::vector<std::string> notes;
};

struct ExperimentOptions {
    std::string folder;                                    // where plots and data go, the experiment's own; exists
    bool quick = false;                                    // small sizes: for tests of the command, not of the claims
    std::function<void(double)> progress = [](double) {};  // share done, 0 .. 1
};

struct Experiment {
    const char* name;
    const char* title;  // one line
    Result (*run)(const ExperimentOptions& options);
};

// Writes FOLDER/NAME.csv from the table, FOLDER/NAME.gp from `commands` (which plot "NAME.csv"; terminal, size, output
// and separator are set before them and may be set again) and runs gnuplot on it for FOLDER/NAME.png. The first line of
// the file are the columns' names. Without gnuplot the data and the script are left. Returns the files made, relative
// to FOLDER.
std::vector<std::string> plot(const std::string& folder, const std::string& name, const Table& data,
                              const std::string& commands);

}  // namespace plica::experiments
