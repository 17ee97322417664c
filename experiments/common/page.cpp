#include <fmt/format.h>

#include "experiments/common/report.hpp"

// The report of `plica reproduce --all`: one page without scripts, which needs nothing but the plots next to it.
namespace plica::experiments {
namespace {

constexpr const char* style =
    "body{font:16px/1.5 sans-serif;max-width:75em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0;font-size:14px}caption{text-align:left;font-weight:bold;padding:.3em "
    "0}"
    "th,td{border:1px solid #ccc;padding:.25em .6em;text-align:right}th{background:#f3f3f3}"
    ".claims td{text-align:left;vertical-align:top}img{max-width:100%;border:1px solid #ddd;margin:.5em 0}"
    ".wide{overflow-x:auto}.yes{color:#17642b;font-weight:bold}.no{color:#8a4b00;font-weight:bold}"
    ".fails{color:#b00020;font-weight:bold}";

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

std::string claim_html(const Claim& claim) {
    const char* kind = claim.holds ? "yes" : claim.own ? "fails" : "no";
    return fmt::format("<tr><td>{}{}</td><td>{}</td><td>{}</td><td><span class=\"{}\">{}</span>{}</td></tr>\n",
                       escape(claim.text), claim.own ? " <i>(about Plica)</i>" : "", escape(claim.published),
                       escape(claim.ours), kind, verdict(claim), claim.why.empty() ? "" : "<br>" + escape(claim.why));
}

std::string claims_html(const std::vector<Claim>& claims) {
    std::string text =
        "<table class=\"claims\">\n<tr><th>claim</th><th>published</th><th>ours</th><th>verdict</th></tr>\n";
    for (const Claim& claim : claims) text += claim_html(claim);
    return text + "</table>\n";
}

std::string files_html(const Report& report) {
    std::string images;
    std::string links;
    for (const std::string& file : report.result.plots) {
        const std::string path = escape(fmt::format("{}/{}", report.experiment->name, file));
        if (is_image(file)) {
            images += fmt::format("<p><img src=\"{0}\" alt=\"{0}\"></p>\n", path);
        } else {
            links += fmt::format("{}<a href=\"{}\">{}</a>", links.empty() ? "" : ", ", path, escape(file));
        }
    }
    return images + (links.empty() ? "" : "<p>Data and scripts of the plots: " + links + "</p>\n");
}

std::string report_html(const Report& report) {
    const Result& result = report.result;
    std::string text =
        fmt::format("<h2 id=\"{0}\">{0}</h2>\n<p>{1}</p>\n", report.experiment->name, escape(report.experiment->title));
    if (!result.claims.empty()) text += claims_html(result.claims);
    text += files_html(report);
    for (const Table& table : result.tables) text += table_html(table);
    for (const std::string& note : result.notes) text += fmt::format("<p>{}</p>\n", escape(note));
    return text + fmt::format("<p>Took {:.1f} s.</p>\n", report.seconds);
}

std::string contents_html(const std::vector<Report>& reports) {
    std::string text = "<ul>\n";
    for (const Report& report : reports) {
        std::size_t held = 0;
        for (const Claim& claim : report.result.claims) held += claim.holds ? 1 : 0;
        text +=
            fmt::format("<li><a href=\"#{0}\">{0}</a>: {1} ({2} of {3} claims hold)</li>\n", report.experiment->name,
                        escape(report.experiment->title), held, report.result.claims.size());
    }
    return text + "</ul>\n";
}

}  // namespace

std::string to_html(const std::vector<Report>& reports, bool quick) {
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>Plica: the papers' claims, repeated</title>\n<style>{}</style>\n"
        "</head>\n<body>\n<h1>The papers' claims, repeated with Plica " PLICA_VERSION "</h1>\n",
        style);
    text +=
        "<p>Published numbers are the papers' own; ours were measured by this run. Times are CPU times of one "
        "thread.</p>\n";
    if (quick) text += "<p class=\"no\">Quick run with small sizes: no basis for a verdict.</p>\n";
    text += contents_html(reports);
    for (const Report& report : reports) text += report_html(report);
    return text + "</body>\n</html>\n";
}

}  // namespace plica::experiments
