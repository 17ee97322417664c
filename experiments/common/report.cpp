#include "experiments/common/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace plica::experiments {
namespace {

// Characters, not bytes, so that columns with a "²" line up.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string pad(const std::string& text, std::size_t to) {
    return std::string(to - std::min(to, width(text)), ' ').append(text);
}

std::string table_text(const Table& table) {
    std::vector<std::size_t> widths;
    for (const std::string& name : table.columns) widths.push_back(width(name));
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text = fmt::format("  {}\n", table.title);
    const auto add_line = [&](const std::vector<std::string>& cells) {
        text += "   ";
        for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) text += pad(cells[i], widths[i] + 2);
        text += '\n';
    };
    add_line(table.columns);
    for (const auto& row : table.rows) add_line(row);
    return text + '\n';
}

std::string claim_text(const Claim& claim) {
    std::string text = fmt::format("  [{}] {}\n", verdict(claim), claim.text);
    if (!claim.published.empty()) text += fmt::format("      published  {}\n", claim.published);
    text += fmt::format("      ours       {}\n", claim.ours);
    if (!claim.why.empty()) text += fmt::format("      {}\n", claim.why);
    return text;
}

}  // namespace

const char* verdict(const Claim& claim) {
    if (claim.holds) return "holds";
    return claim.own ? "FAILS" : "does not hold";
}

bool is_image(const std::string& file) {
    return file.ends_with(".png") || file.ends_with(".svg");
}

Json to_json(const Report& report) {
    Json json{{"name", report.experiment->name}, {"title", report.experiment->title}, {"wall_s", report.seconds}};
    json["claims"] = Json::array();
    for (const Claim& c : report.result.claims) {
        json["claims"].push_back({{"text", c.text},
                                  {"published", c.published},
                                  {"ours", c.ours},
                                  {"holds", c.holds},
                                  {"about_plica", c.own},
                                  {"why", c.why}});
    }
    json["tables"] = Json::array();
    for (const Table& t : report.result.tables) {
        json["tables"].push_back({{"title", t.title}, {"columns", t.columns}, {"rows", t.rows}});
    }
    json["files"] = report.result.plots;
    json["notes"] = report.result.notes;
    return json;
}

std::string to_text(const Report& report) {
    std::string text = fmt::format("{}: {}\n\n", report.experiment->name, report.experiment->title);
    for (const Table& table : report.result.tables) text += table_text(table);
    for (const Claim& claim : report.result.claims) text += claim_text(claim);
    for (const std::string& note : report.result.notes) text += fmt::format("  note: {}\n", note);
    return text;
}

}  // namespace plica::experiments
