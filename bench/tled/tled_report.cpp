#include "bench/tled/tled_report.hpp"

#include <fmt/format.h>

namespace plica::bench {
namespace {

double number(const Json& json) {
    return json.is_number() ? json.get<double>() : 0.0;
}

const Json* find_row(const Json& block, const std::string& method, int threads) {
    for (const Json& row : block["rows"]) {
        if (row["method"] == method && row["threads"] == threads) return &row;
    }
    return nullptr;
}

std::string block_text(const Json& block) {
    std::string text = fmt::format(
        "{} {} cells, {} nodes: {:.0f} operations and {:.0f} bytes a cell and step; forces differ by {:.1e}\n",
        block["cells"].get<int>(), block["element"].get<std::string>(), block["nodes"].get<int>(),
        number(block["operations_per_cell"]), number(block["bytes_per_cell"]), number(block["force_difference"]));
    if (!block["problem"].is_null()) return text + "  FAILED: " + block["problem"].get<std::string>() + "\n\n";
    text += fmt::format("  {:<10} {:>7} {:>10} {:>10} {:>10} {:>10} {:>12} {:>10}\n", "", "threads", "M/s best",
                        "median", "textbook x", "median", "arithmetic", "memory");
    for (const Json& row : block["rows"]) {
        const Json& memory = row["share_of_memory"];
        text += fmt::format("  {:<10} {:>7} {:>10.1f} {:>10.1f} {:>10.2f} {:>10.2f} {:>11.0f}% {:>10}\n",
                            row["method"].get<std::string>(), row["threads"].get<int>(),
                            number(row["million_per_s"]["best"]), number(row["million_per_s"]["median"]),
                            number(row["times_textbook"]["best"]), number(row["times_textbook"]["median"]),
                            100.0 * number(row["share_of_arithmetic"]),
                            memory.is_null() ? "-" : fmt::format("{:.0f}%", 100.0 * number(memory)));
    }
    return text + "\n";
}

std::string memory_text(const Json& memory) {
    std::string text =
        fmt::format("a world of {:.0f} tetrahedra takes {:.1f} bytes a tetrahedron, {:.1f} at its peak\n",
                    number(memory["tets"]), number(memory["bytes_per_tet"]), number(memory["peak_bytes_per_tet"]));
    for (const Json& each : memory["arrays"]) {
        text += fmt::format("  {:<52} {:>7.1f}\n", each["array"].get<std::string>(), number(each["bytes_per_tet"]));
    }
    return text + "\n";
}

}  // namespace

Json compare_with_targets(const Json& result) {
    Json targets = Json::array();
    const auto add = [&](const std::string& what, double wanted, double found, bool at_most) {
        targets.push_back({{"what", what},
                           {at_most ? "at_most" : "at_least", wanted},
                           {"found", found},
                           {"holds", at_most ? found <= wanted : found >= wanted}});
    };
    for (const Json& block : result["blocks"]) {
        const Json* one = find_row(block, "avx512", 1);
        const Json* two = find_row(block, "avx512", 2);
        if (block["element"] != "t4" || one == nullptr || two == nullptr) continue;
        const std::string where = fmt::format("t4, {} cells, avx512: ", block["cells"].get<int>());
        const double rate = number((*one)["million_per_s"]["best"]);
        add(where + "times the textbook's", 6.0, number((*one)["times_textbook"]["best"]), false);
        if (block["cells"] == 48'000) add(where + "million cells a second on one core", 80.0, rate, false);
        add(where + "two threads against one", 1.8, number((*two)["million_per_s"]["best"]) / rate, false);
    }
    if (number(result["memory"]["tets"]) < 1e6) return targets;  // what every process takes would count
    add(fmt::format("bytes a tetrahedron, {:.0f} in a world", number(result["memory"]["tets"])), 120.0,
        number(result["memory"]["bytes_per_tet"]), true);
    return targets;
}

std::string tled_text(const Json& result) {
    std::string text = fmt::format(
        "solid organs: complete steps in float, best and median of {} rounds in turns\n{}; load {:.2f} "
        "before, {:.2f} after\n\n",
        result["rounds"].get<int>(), result["processor"].get<std::string>(), number(result["load_before"]),
        number(result["load_after"]));
    for (const Json& block : result["blocks"]) text += block_text(block);
    text += "limits of the machine, measured between the rounds\n";
    for (const Json& each : result["limits"]["memory"]) {
        text += fmt::format("  y += a x, threads {}: {:.1f} GB/s\n", each["threads"].get<int>(),
                            number(each["gigabytes_per_s"]));
    }
    for (const Json& each : result["limits"]["arithmetic"]) {
        text += fmt::format("  {} multiplying and adding, threads {}: {:.1f} billion/s\n",
                            each["instructions"].get<std::string>(), each["threads"].get<int>(),
                            number(each["billion_per_s"]));
    }
    text += '\n';
    text += memory_text(result["memory"]);
    for (const Json& target : result["targets"]) {
        const bool at_most = target.contains("at_most");
        text += fmt::format("  {:<58} {:>8.2f}, aim {} {:g}: {}\n", target["what"].get<std::string>(),
                            number(target["found"]), at_most ? "at most" : "at least",
                            number(target[at_most ? "at_most" : "at_least"]),
                            target["holds"].get<bool>() ? "met" : "missed");
    }
    return text;
}

std::string tled_csv(const Json& result) {
    std::string text =
        "element,cells,method,threads,million_per_s,median_million_per_s,times_textbook,share_of_arithmetic,"
        "share_of_memory\n";
    for (const Json& block : result["blocks"]) {
        for (const Json& row : block["rows"]) {
            text += fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", block["element"].get<std::string>(),
                                block["cells"].get<int>(), row["method"].get<std::string>(), row["threads"].get<int>(),
                                number(row["million_per_s"]["best"]), number(row["million_per_s"]["median"]),
                                number(row["times_textbook"]["best"]), number(row["share_of_arithmetic"]),
                                number(row["share_of_memory"]));
        }
    }
    return text;
}

std::string tled_plot() {
    return "set datafile separator ','\nset logscale xy\nset key outside right top\n"
           "set xrange [*:*] noextend\nset yrange [*:*] noextend\nset offsets graph 0.05, graph 0.05, graph 0.05, "
           "graph 0.05\n"
           "set title 'Solid organs: complete steps, one thread (lines) and two (dashes)'\n"
           "set xlabel 'cells'\nset ylabel 'million cells a second, best round'\n"
           "set ytics (1, 2, 5, 10, 20, 50, 100, 200)\nset grid ytics lc 'grey'\n"
           "methods = 'textbook sse2 avx2 avx512'\nelements = 't4 t4anp h8'\n"
           "rate(e, m, t) = stringcolumn(1) eq e && stringcolumn(3) eq m && $4 == t ? $5 : NaN\n"
           "set datafile missing NaN\n"
           "plot for [e = 1:3] for [m = 1:4] csv using 2:(rate(word(elements, e), word(methods, m), 1)) with "
           "linespoints lc m pt (2 * e + 3) title word(elements, e).' '.word(methods, m), \\\n"
           " for [e = 1:3] for [m = 2:4] csv using 2:(rate(word(elements, e), word(methods, m), 2)) with linespoints "
           "lc m pt (2 * e + 3) dt 2 notitle\n";
}

}  // namespace plica::bench
