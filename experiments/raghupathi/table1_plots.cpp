#include <algorithm>

#include "experiments/common/experiment.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/raghupathi/table1_data.hpp"

namespace plica::experiments {

const PublishedTime* find_published(int segments) {
    const auto* place = std::find_if(published_times.begin(), published_times.end(),
                                     [&](const PublishedTime& p) { return p.segments == segments; });
    return place != published_times.end() ? place : nullptr;
}

std::vector<std::string> plot_sizes(const std::vector<SizeRow>& rows, const std::string& folder) {
    Table data{"",
               {"segments", "published_brute_ms", "published_tracked_ms", "brute_ms", "tracked_half_ms", "tracked_n_ms",
                "exact_ms", "list_ms", "found_half", "found_n", "found_exact"},
               {}};
    for (const SizeRow& r : rows) {
        const PublishedTime* p = find_published(r.segments);
        data.rows.push_back(
            {count(r.segments), p != nullptr ? count(p->brute) : "NaN", p != nullptr ? count(p->tracked) : "NaN",
             milliseconds(r.brute.seconds), milliseconds(r.half.cost.seconds), milliseconds(r.whole.cost.seconds),
             milliseconds(r.exact.cost.seconds), milliseconds(r.list.finding.cost.seconds),
             number(100 * tube_share(r.half.recall).regions, 2), number(100 * tube_share(r.whole.recall).regions, 2),
             number(100 * tube_share(r.exact.recall).regions, 2)});
    }
    const std::string logarithmic =
        "set logscale x\nset xrange [40:13000]\nset xlabel 'segments N'\nset grid\n"
        "set xtics (50,100,200,400,'' 800,1000,3000,10000) rotate by 45 right\n"
        "set arrow from 283, graph 0 to 283, graph 1 nohead dt 3 lc rgb '#999999'\n"
        "set label '4 m of gut' at 100, graph 0.96 center tc rgb '#777777'\n"
        "set label 'constant segment length, growing pile' at 1700, graph 0.96 center tc rgb '#777777'\n";
    std::vector<std::string> files =
        plot(folder, "time", data,
             logarithmic +
                 "set logscale y\nset format y '10^{%T}'\nset ylabel 'time of a detection (ms)'\nset key outside right "
                 "Left reverse samplen 2\n"
                 "set title 'Time of one detection: compare slopes and ratios, not machines'\n"
                 "f = 'time.csv'\n"
                 "plot f u 1:2 skip 1 w lp pt 6 ps 1.4 dt 2 lw 2 lc rgb '#777777' t 'published O(n^2)', \\\n"
                 " f u 1:3 skip 1 w lp pt 4 ps 1.4 dt 2 lw 2 lc rgb '#5588cc' t 'published tracked', \\\n"
                 " f u 1:4 skip 1 w lp pt 7 lw 2 lc rgb '#333333' t 'double loop', \\\n"
                 " f u 1:5 skip 1 w lp pt 9 lw 2 lc rgb '#88bbee' t 'tracked, n = N/2', \\\n"
                 " f u 1:6 skip 1 w lp pt 5 lw 2 lc rgb '#1f5fae' t 'tracked, n = N', \\\n"
                 " f u 1:7 skip 1 w lp pt 7 lw 2 lc rgb '#c04000' t 'exact, from scratch', \\\n"
                 " f u 1:8 skip 1 w lp pt 11 lw 2 lc rgb '#e08a30' t 'exact, candidate list'\n");
    const std::vector<std::string> more =
        plot(folder, "found", data,
             logarithmic +
                 "set yrange [0:112]\nset ylabel 'colliding regions found (%)'\nset key outside right Left reverse "
                 "samplen 2\n"
                 "set title 'What is found of the regions that collide (30 detections a second)'\n"
                 "f = 'found.csv'\n"
                 "plot f u 1:11 skip 1 w lp pt 7 lw 2 lc rgb '#c04000' t 'exact', \\\n"
                 " f u 1:10 skip 1 w lp pt 5 lw 2 lc rgb '#1f5fae' t 'tracked, n = N', \\\n"
                 " f u 1:9 skip 1 w lp pt 9 lw 2 lc rgb '#88bbee' t 'tracked, n = N/2'\n");
    files.insert(files.end(), more.begin(), more.end());
    return files;
}

}  // namespace plica::experiments
