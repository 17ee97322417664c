#include <fmt/format.h>

#include <algorithm>

#include "experiments/common/report.hpp"

// The report of `plica reproduce --all`: one page without scripts, which needs nothing but the plots next to it.
namespace plica::experiments {
namespace {

constexpr const char* style =
    "body{font:16px/1.5 Georgia,serif;max-width:68em;margin:2em auto;padding:0 1em;color:#222}"
    "h1,h2,h3,table,.badge,.from,nav{font-family:sans-serif}h2{margin-top:2.5em;border-bottom:2px solid #222}"
    "h3{font-size:17px;margin:0 0 .4em}"
    "table{border-collapse:collapse;margin:1em 0;font-size:13px}caption{text-align:left;font-weight:bold;padding:.3em "
    "0}th,td{border:1px solid #ccc;padding:.2em .6em;text-align:right}th{background:#f3f3f3}"
    ".claim{border:1px solid #ccc;border-left:6px solid #888;margin:1em 0;padding:.8em 1em;overflow:hidden}"
    ".claim.yes{border-left-color:#1a7a34}.claim.no{border-left-color:#b35c00}.claim.open{border-left-color:#6a6a9a}"
    ".claim.fails{border-left-color:#b00020}"
    ".badge{float:right;color:#fff;background:#888;border-radius:3px;padding:.1em .6em;font-size:13px;margin-left:1em}"
    ".yes .badge{background:#1a7a34}.no .badge{background:#b35c00}.open .badge{background:#6a6a9a}"
    ".fails .badge{background:#b00020}"
    "blockquote{margin:.4em 0;padding:0 .8em;font-style:italic;border-left:3px solid #ddd}"
    ".from{font-style:normal;font-size:13px;color:#555}"
    "dl{display:grid;grid-template-columns:6.5em 1fr;gap:.15em .8em;margin:.5em 0 0;font-size:15px}"
    "dt{font-family:sans-serif;font-size:13px;color:#555;padding-top:.15em}dd{margin:0}"
    ".claim img{float:right;width:17em;margin:.3em 0 .3em 1em;border:1px solid #ddd;clear:right}"
    ".all img{max-width:100%;border:1px solid #ddd;margin:.5em 0}.wide{overflow-x:auto}"
    "nav td,nav th{text-align:left}nav td.n{text-align:right}details{margin:1em 0}summary{cursor:pointer;font-family:"
    "sans-serif;font-size:14px}.quick{color:#b35c00;font-weight:bold}";

std::string escape(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string row_html(const std::vector<std::string>& cells, const char* tag) {
    std::string text = "<tr>";
    for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escape(cell));
    return text + "</tr>\n";
}

std::string table_html(const Table& table) {
    std::string text = fmt::format("<div class=\"wide\"><table>\n<caption>{}</caption>\n{}", escape(table.title),
                                   row_html(table.columns, "th"));
    for (const auto& row : table.rows) text += row_html(row, "td");
    return text + "</table></div>\n";
}

std::string path_of(const Report& report, const std::string& file) {
    return escape(fmt::format("{}/{}", report.experiment->name, file));
}

std::string line_html(const char* name, const std::string& text) {
    return text.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escape(text));
}

const char* kind_of(const Claim& claim) {
    if (claim.holds()) return "yes";
    return claim.verdict == Verdict::not_comparable ? "open" : claim.own ? "fails" : "no";
}

std::string plot_html(const Report& report, const Claim& claim) {
    const std::vector<std::string>& files = report.result.plots;
    const auto it = std::find_if(files.begin(), files.end(), [&](const std::string& file) {
        return claim.plot.empty() ? is_image(file) : file == claim.plot;
    });
    if (it == files.end()) return "";
    const std::string path = path_of(report, *it);
    return fmt::format("<a href=\"{0}\"><img src=\"{0}\" alt=\"{0}\" loading=\"lazy\"></a>\n", path);
}

std::string claim_html(const Report& report, const Claim& claim) {
    const Said& said = claim.said;
    std::string text =
        fmt::format("<div class=\"claim {}\">\n<span class=\"badge\">{}</span>\n<h3>{}{}</h3>\n", kind_of(claim),
                    verdict(claim), escape(said.text), claim.own ? " <i>(Plica)</i>" : "");
    if (!claim.own || !claim.plot.empty()) text += plot_html(report, claim);
    if (!said.quote.empty()) {
        text += fmt::format("<blockquote>\u201c{}\u201d <span class=\"from\">{}</span></blockquote>\n",
                            escape(said.quote), escape(said.where));
    }
    text += "<dl>\n";
    if (said.quote.empty()) text += line_html("where", said.where);
    return text + line_html("published", said.published) + line_html("ours", claim.ours) +
           line_html("criterion", claim.criterion) + line_html("reason", claim.why) + "</dl>\n</div>\n";
}

std::string files_html(const Report& report) {
    std::string images;
    std::string links;
    for (const std::string& file : report.result.plots) {
        const std::string path = path_of(report, file);
        if (is_image(file)) {
            images += fmt::format("<p><img src=\"{0}\" alt=\"{0}\" loading=\"lazy\"></p>\n", path);
        } else {
            links += fmt::format("{}<a href=\"{}\">{}</a>", links.empty() ? "" : ", ", path, escape(file));
        }
    }
    return images + (links.empty() ? "" : "<p>Data and scripts of the plots: " + links + "</p>\n");
}

std::string report_html(const Report& report) {
    const Result& result = report.result;
    std::string text = fmt::format("<h2 id=\"{0}\">{0}</h2>\n<p>{1}.</p>\n", report.experiment->name,
                                   escape(report.experiment->title));
    for (const bool own : {false, true}) {
        for (const Claim& claim : report.claims) {
            if (claim.own == own) text += claim_html(report, claim);
        }
    }
    text += "<details class=\"all\"><summary>All pictures, tables and notes</summary>\n" + files_html(report);
    for (const Table& table : result.tables) text += table_html(table);
    for (const std::string& note : result.notes) text += fmt::format("<p>{}</p>\n", escape(note));
    return text + fmt::format("<p>Took {:.1f} s.</p>\n</details>\n", report.seconds);
}

std::string count_row(const std::string& name, const std::vector<Claim>& claims) {
    const Tally papers = tally(claims, false), ours = tally(claims, true);
    return fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{} of {}</td></tr>\n",
        name, papers.hold, papers.do_not_hold, papers.not_comparable, ours.hold, ours.all());
}

std::string contents_html(const std::vector<Report>& reports) {
    std::string text =
        "<nav><table>\n<tr><th>experiment</th><th>papers' claims that hold</th><th>do not hold</th>"
        "<th>not comparable today</th><th>claims about Plica that hold</th></tr>\n";
    std::vector<Claim> all;
    for (const Report& report : reports) {
        text += count_row(
            fmt::format("<a href=\"#{0}\">{0}</a>: {1}", report.experiment->name, escape(report.experiment->title)),
            report.claims);
        all.insert(all.end(), report.claims.begin(), report.claims.end());
    }
    return text + count_row("<b>all</b>", all) + "</table></nav>\n";
}

}  // namespace

std::string to_html(const std::vector<Report>& reports, bool quick) {
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>Plica: the papers' claims, repeated</title>\n<style>{}</style>\n"
        "</head>\n<body>\n<h1>The papers' claims, repeated with Plica " PLICA_VERSION "</h1>\n",
        style);
    text +=
        "<p>Each claim with the paper's words, its number and ours, the criterion that the verdict follows from, and a "
        "reason. Verdicts are computed from the numbers of this run. What a paper says about the speed of computers of "
        "its day is <i>not comparable today</i>: its numbers and ours stand side by side. Our times are CPU times of "
        "one "
        "thread unless they say otherwise.</p>\n";
    if (quick) text += "<p class=\"quick\">Quick run with small sizes: no basis for a verdict.</p>\n";
    text += contents_html(reports);
    for (const Report& report : reports) text += report_html(report);
    return text + "</body>\n</html>\n";
}

}  // namespace plica::experiments
