#include "apps/desktop/panel.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "engine/tuning.hpp"

namespace plica::desktop {
namespace {

void show(const std::string& text) {
    ImGui::TextUnformatted(text.c_str());
}

void check(const char* label, bool& value) {
    ImGui::Checkbox(label, &value);
}

bool slide(const char* label, double& value, float lo, float hi, int flags = 0) {
    auto shown = static_cast<float>(value);
    if (!ImGui::SliderFloat(label, &shown, lo, hi, "%.2f", flags)) return false;
    value = static_cast<double>(shown);
    return true;
}

void draw_clock(const PanelFacts& facts, const Snapshot& now, const Settings& settings, std::vector<Action>& wanted) {
    show(fmt::format("{:6.2f} s   {}", now.frame.time, describe_pace(settings, now.pace)));
    const auto button = [&](const char* label, Action action) {
        if (ImGui::Button(label)) wanted.push_back(action);
        ImGui::SameLine();
    };
    button(settings.paused ? "go on" : "pause", Action::pause);
    button("step", Action::step);
    button("reset", Action::reset);
    button("-", Action::slower);
    button("+", Action::faster);
    show(fmt::format("x {:g}", settings.speed));
    button("picture", Action::picture);
    button(now.recording.empty() ? "record" : "stop recording", Action::record);
    button("keys ?", Action::help);
    ImGui::NewLine();
    if (!now.recording.empty()) show("recording " + now.recording);
    if (!facts.news.empty()) show(facts.news);
    if (now.lost) ImGui::TextColored({1.0F, 0.4F, 0.3F, 1.0F}, "the simulation lost validity; reset it");
}

void draw_detector(const Model& model, Tuning& tuning) {
    constexpr std::array<const char*, 5> names{"the scene's", "brute", "grid", "bvh", "tracked"};
    const int count = can_track(model) ? 5 : 4;
    int chosen = tuning.detector + 1;
    if (ImGui::Combo("detector", &chosen, names.data(), count)) tuning.detector = chosen - 1;
}

void draw_tuning(const PanelFacts& facts, Settings& settings) {
    if (!ImGui::CollapsingHeader("tissue and surroundings", ImGuiTreeNodeFlags_DefaultOpen)) return;
    Tuning& tuning = settings.tuning;
    slide("stiffness x", tuning.stiffness, 0.1F, 10.0F, ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    slide("damping x", tuning.damping, 0.1F, 10.0F, ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    double friction = tuning.friction < 0.0 ? facts.model.contact.friction : tuning.friction;
    if (slide("friction", friction, 0.0F, 1.0F, ImGuiSliderFlags_AlwaysClamp)) tuning.friction = friction;
    ImGui::SliderAngle("gravity forward", &settings.tilt_forward, -180.0F, 180.0F);
    ImGui::SliderAngle("gravity sideways", &settings.tilt_sideways, -180.0F, 180.0F);
    draw_detector(facts.model, tuning);
    if (ImGui::Button("as the scene says")) {
        tuning = {};
        settings.tilt_forward = settings.tilt_sideways = 0.0F;
    }
}

void draw_times(const PanelFacts& facts, const Snapshot& now) {
    if (!ImGui::CollapsingHeader("step", ImGuiTreeNodeFlags_DefaultOpen)) return;
    const float top = facts.times.largest();
    show(fmt::format("{:.2f} ms, {} substeps, {:.0f} contacts", 1e3 * now.report.seconds, now.report.substeps,
                     now.report.contacts));
    show(fmt::format("stages, ms; plots go up to {:.2f}", static_cast<double>(top)));
    for (std::size_t s = 0; s < stage_count; ++s) {
        const auto& values = facts.times.of(static_cast<Stage>(s));
        const std::string label = fmt::format("{} {:.2f}", stage_names[s], static_cast<double>(values.back()));
        ImGui::PlotLines(label.c_str(), values.data(), static_cast<int>(values.size()), 0, nullptr, 0.0F, top,
                         {0.0F, 26.0F * ImGui::GetIO().FontGlobalScale});
    }
}

void draw_colour(render::Style& style) {
    int chosen = static_cast<int>(style.colour);
    if (ImGui::Combo("colour", &chosen, render::colour_names.data(), static_cast<int>(render::colour_names.size()))) {
        style.colour = static_cast<render::ColourBy>(chosen);
    }
}

void draw_view(const PanelFacts& facts, Settings& settings) {
    if (!ImGui::CollapsingHeader("picture", ImGuiTreeNodeFlags_DefaultOpen)) return;
    show(fmt::format("{:.0f} frames a second, detail {} of {}", facts.frame_rate, facts.level + 1, facts.levels));
    check("contacts", settings.style.contacts);
    ImGui::SameLine();
    check("wireframe", settings.style.wireframe);
    ImGui::SameLine();
    check("mesentery", settings.style.sheets);
    draw_colour(settings.style);
}

void draw_help(bool& open) {
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5F, 0.5F});
    if (ImGui::Begin("keys", &open, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse)) {
        for (const Shortcut& each : shortcuts()) show(fmt::format("{:8} {}", each.key, each.what));
        ImGui::Separator();
        constexpr std::array<std::array<const char*, 2>, 4> mouse{{{"drag on an organ", "pull"},
                                                                   {"drag beside it, or right drag", "orbit"},
                                                                   {"shift drag, or middle drag", "pan"},
                                                                   {"wheel", "zoom"}}};
        for (const auto& [drag, what] : mouse) show(fmt::format("{:30} {}", drag, what));
    }
    ImGui::End();
}

}  // namespace

void StepTimes::add(const Snapshot& snapshot) {
    if (snapshot.frame.step == m_step) return;
    m_step = snapshot.frame.step;
    for (std::size_t s = 0; s < stage_count; ++s) {
        std::rotate(m_stages[s].begin(), m_stages[s].begin() + 1, m_stages[s].end());
        m_stages[s].back() = static_cast<float>(1e3 * snapshot.report.stage_seconds[s]);
    }
}

float StepTimes::largest() const {
    float most = 0.1F;  // ms
    for (const auto& stage : m_stages) most = std::max(most, *std::max_element(stage.begin(), stage.end()));
    return most;
}

std::vector<Action> draw_panel(const PanelFacts& facts, const Snapshot& now, Settings& settings) {
    std::vector<Action> wanted;
    if (settings.panel) {
        const float scale = ImGui::GetIO().FontGlobalScale;
        ImGui::SetNextWindowPos({10.0F, 10.0F}, ImGuiCond_FirstUseEver);
        ImGui::SetNextWindowSize({300.0F * scale, 0.0F}, ImGuiCond_FirstUseEver);
        ImGui::SetNextWindowBgAlpha(0.75F);
        // Where it would hide the scene it starts as a title.
        ImGui::SetNextWindowCollapsed(ImGui::GetIO().DisplaySize.y < 600.0F * scale, ImGuiCond_FirstUseEver);
        if (ImGui::Begin("Plica")) {
            ImGui::PushItemWidth(0.5F * ImGui::GetContentRegionAvail().x);
            draw_clock(facts, now, settings, wanted);
            draw_tuning(facts, settings);
            draw_times(facts, now);
            draw_view(facts, settings);
            ImGui::PopItemWidth();
        }
        ImGui::End();
    }
    if (settings.help) draw_help(settings.help);
    return wanted;
}

void draw_force(double force, double max_force) {
    const ImGuiIO& io = ImGui::GetIO();
    const float scale = io.FontGlobalScale;
    const ImVec2 from{io.MousePos.x + 18.0F * scale, io.MousePos.y - 6.0F * scale};
    const float width = 90.0F * scale, height = 12.0F * scale;
    constexpr double usual = 3.0;  // N, the bar's end where nothing limits the force
    const bool limited = max_force > 0.0;
    const auto share = static_cast<float>(std::clamp(force / (limited ? max_force : usual), 0.0, 1.0));
    const ImU32 colour = share > 0.8F ? IM_COL32(230, 40, 30, 255) : IM_COL32(90, 200, 110, 255);
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRectFilled(from, {from.x + width, from.y + height}, IM_COL32(0, 0, 0, 160));
    list->AddRectFilled(from, {from.x + width * share, from.y + height}, colour);
    list->AddRect(from, {from.x + width, from.y + height}, IM_COL32(255, 255, 255, 200));
    list->AddText(
        {from.x, from.y + height + 2.0F}, IM_COL32_WHITE,
        (limited ? fmt::format("{:.2f} N of {:.1f}", force, max_force) : fmt::format("{:.2f} N", force)).c_str());
}

}  // namespace plica::desktop
