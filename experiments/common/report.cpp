#include "experiments/common/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    std::string text = fmt::format("  [{}] {}\n", verdict(claim), claim.said.text);
    if (!claim.said.where.empty()) text += fmt::format("      where      {}\n", claim.said.where);
    if (!claim.said.quote.empty()) text += fmt::format("      says       \"{}\"\n", claim.said.quote);
    if (!claim.said.published.empty()) text += fmt::format("      published  {}\n", claim.said.published);
    text += fmt::format("      ours       {}\n      criterion  {}\n", claim.ours, claim.criterion);
    if (!claim.why.empty()) text += fmt::format("      {}\n", claim.why);
    return text;
}

Json claim_json(const Claim& c) {
    return {{"text", c.said.text},   {"where", c.said.where},
            {"quote", c.said.quote}, {"published", c.said.published},
            {"ours", c.ours},        {"criterion", c.criterion},
            {"holds", c.holds()},    {"verdict", verdict(c)},
            {"about_plica", c.own},  {"why", c.why},
            {"plot", c.plot}};
}

// JSON knows no number that is not one.
void restore_numbers(Measurements& value) {
    if (value.is_null()) value = std::nan("");
    if (!value.is_structured()) return;
    for (Measurements& part : value) restore_numbers(part);
}

}  // namespace

const char* verdict(const Claim& claim) {
    switch (claim.verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::not_comparable:
            return "not comparable today";
        case Verdict::does_not_hold:
            break;
    }
    return claim.own ? "FAILS" : "does not hold";
}

Tally tally(const std::vector<Claim>& claims, bool own) {
    Tally tally;
    for (const Claim& claim : claims) {
        if (claim.own != own) continue;
        (claim.holds()                              ? tally.hold
         : claim.verdict == Verdict::not_comparable ? tally.not_comparable
                                                    : tally.do_not_hold) += 1;
    }
    return tally;
}

std::string tally_text(const Tally& tally) {
    std::string text = fmt::format("{} hold{}, {} {}", tally.hold, tally.hold == 1 ? "s" : "", tally.do_not_hold,
                                   tally.do_not_hold == 1 ? "does not" : "do not");
    if (tally.not_comparable > 0) {
        text +=
            fmt::format(", {} {} not comparable today", tally.not_comparable, tally.not_comparable == 1 ? "is" : "are");
    }
    return text;
}

bool is_image(const std::string& file) {
    return file.ends_with(".png") || file.ends_with(".svg");
}

Json to_json(const Report& report) {
    Json json{{"name", report.experiment->name},
              {"title", report.experiment->title},
              {"wall_s", report.seconds},
              {"key", report.key}};
    json["claims"] = Json::array();
    for (const Claim& c : report.claims) json["claims"].push_back(claim_json(c));
    json["measured"] = report.result.measured;
    json["tables"] = Json::array();
    for (const Table& t : report.result.tables) {
        json["tables"].push_back({{"title", t.title}, {"columns", t.columns}, {"rows", t.rows}});
    }
    json["files"] = report.result.plots;
    json["notes"] = report.result.notes;
    return json;
}

Measurements read_measured(const nlohmann::json& json) {
    Measurements measured = json;
    restore_numbers(measured);
    return measured;
}

Report from_json(const Experiment& experiment, const nlohmann::json& json) {
    Report report{&experiment, {}, {}, json.at("wall_s").get<double>(), json.value("key", "")};
    report.result.measured = read_measured(json.at("measured"));
    for (const nlohmann::json& t : json.at("tables")) {
        report.result.tables.push_back({t.at("title"), t.at("columns"), t.at("rows")});
    }
    report.result.plots = json.at("files").get<std::vector<std::string>>();
    report.result.notes = json.at("notes").get<std::vector<std::string>>();
    report.claims = experiment.judge(report.result.measured);
    return report;
}

std::string to_text(const Report& report) {
    std::string text = fmt::format("{}: {}\n\n", report.experiment->name, report.experiment->title);
    for (const Table& table : report.result.tables) text += table_text(table);
    for (const Claim& claim : report.claims) text += claim_text(claim);
    for (const std::string& note : report.result.notes) text += fmt::format("  note: {}\n", note);
    return text;
}

}  // namespace plica::experiments
