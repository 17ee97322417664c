#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// What every experiment of `plica reproduce` hands in: tables, plots, and the measurements that verdicts on the
// claims of a paper follow from.
namespace plica::experiments {

struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

// The numbers that verdicts rest on, and nothing else: small enough to be kept, read and tried with a fault in it.
using Measurements = nlohmann::json;

enum class Verdict : std::uint8_t {
    holds,
    does_not_hold,
    not_comparable  // about hardware of its day, or about what is not built here: the numbers are told, no verdict
};
constexpr Verdict decide(bool holds) {
    return holds ? Verdict::holds : Verdict::does_not_hold;
}

// What a paper says, and where.
struct Said {
    std::string text;       // in a sentence of ours
    std::string where;      // paper, and section, figure or equation
    std::string quote;      // its words
    std::string published;  // its number, with unit
};

struct Claim {
    Said said;
    std::string ours;       // what was measured here
    std::string criterion;  // when it holds
    Verdict verdict = Verdict::does_not_hold;
    std::string why;   // in a sentence: a reason, or what the criterion leaves out
    bool own = false;  // about Plica, not about a paper: `plica reproduce` fails when it does not hold
    std::string plot;  // file of the experiment that shows it; empty: its first picture

    [[nodiscard]] bool holds() const { return verdict == Verdict::holds; }
};

inline Claim judge(Said said, std::string ours, std::string criterion, bool holds, std::string why = "") {
    return {std::move(said), std::move(ours), std::move(criterion), decide(holds), std::move(why), false, {}};
}
inline Claim compare_not(Said said, std::string ours, std::string why) {
    return {std::move(said),
            std::move(ours),
            "none: the numbers stand side by side",
            Verdict::not_comparable,
            std::move(why),
            false,
            {}};
}
// About Plica. `wanted`: the limit, where the sentence does not say it.
inline Claim promise(std::string text, std::string wanted, std::string ours, bool holds, std::string why = "") {
    std::string criterion = wanted.empty() ? "as the sentence says" : wanted;
    return {
        {std::move(text), "", "", ""}, std::move(ours), std::move(criterion), decide(holds), std::move(why), true, {}};
}
inline Claim with_plot(Claim claim, std::string plot) {
    claim.plot = std::move(plot);
    return claim;
}

// Small sizes are for tests of the command: what they measure is no basis for demands on Plica.
inline std::vector<Claim> unless_quick(const Measurements& measured, std::vector<Claim> claims) {
    for (Claim& claim : claims) {
        if (!claim.own || claim.holds() || !measured.value("quick", false)) continue;
        claim.verdict = Verdict::not_comparable;
        claim.why = "A quick run is too small for this.";
    }
    return claims;
}

// Of an experiment: what it measured. What follows from it, judge() says.
struct Result {
    Measurements measured;
    std::vector<Table> tables;
    std::vector<std::string> plots;  // files below the experiment's folder: what plot() returned
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
    Result (*measure)(const ExperimentOptions& options);
    // Of these numbers alone, whoever measured them and when. Measurements of a quick run have quick = true.
    std::vector<Claim> (*judge)(const Measurements& measured);
    int seconds = 0;     // about, of a core: the longest begin first
    bool alone = false;  // it keeps wall time
};

// Writes FOLDER/NAME.csv from the table, FOLDER/NAME.gp from `commands` (which plot "NAME.csv"; terminal, size, output
// and separator are set before them and may be set again) and runs gnuplot on it for FOLDER/NAME.png. The first line of
// the file are the columns' names. Without gnuplot the data and the script are left. Returns the files made, relative
// to FOLDER.
std::vector<std::string> plot(const std::string& folder, const std::string& name, const Table& data,
                              const std::string& commands);

}  // namespace plica::experiments
