#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "experiments/common/registry.hpp"
#include "experiments/common/report.hpp"

namespace plica::experiments {
namespace {

// Verdicts without experiments: measured/NAME.json is what a full run measured, never a quick one.

std::string slurp(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

Measurements measured_of(const std::string& name) {
    const std::filesystem::path folder = PLICA_SOURCE_DIR "/tests/experiments/measured";
    return read_measured(nlohmann::json::parse(slurp(folder / (name + ".json"))));
}

const Experiment& experiment_called(const std::string& name) {
    for (const Experiment& e : all_experiments()) {
        if (e.name == name) return e;
    }
    throw std::runtime_error(name);
}

// The one claim whose sentence has this in it.
Claim claim_about(const std::string& experiment, const Measurements& m, const std::string& words) {
    std::vector<Claim> found;
    for (const Claim& claim : experiment_called(experiment).judge(m)) {
        if (claim.said.text.find(words) != std::string::npos) found.push_back(claim);
    }
    EXPECT_EQ(found.size(), 1U) << experiment << ": " << words;
    return found.at(0);
}

TEST(Verdicts, EachSaysWhatItRestsOn) {
    std::set<std::string> sentences;
    for (const Experiment& e : all_experiments()) {
        SCOPED_TRACE(e.name);
        const Measurements m = measured_of(e.name);
        EXPECT_FALSE(m.at("quick").get<bool>());
        for (const Claim& claim : e.judge(m)) {
            SCOPED_TRACE(claim.said.text);
            EXPECT_FALSE(claim.ours.empty());
            EXPECT_FALSE(claim.criterion.empty());
            EXPECT_TRUE(sentences.insert(e.name + claim.said.text).second) << "said twice";
            if (claim.own) {
                EXPECT_NE(claim.verdict, Verdict::does_not_hold);
            } else {
                EXPECT_FALSE(claim.said.where.empty());
                EXPECT_FALSE(claim.said.quote.empty());
                EXPECT_FALSE(claim.holds() ? false : claim.why.empty()) << "no reason";
            }
        }
    }
}

// Leaves of equal meaning: the way to them without the places in lists.
using Leaves = std::map<std::string, std::vector<nlohmann::json::json_pointer>>;

void find_leaves(const Measurements& m, const nlohmann::json::json_pointer& at, const std::string& name,
                 Leaves& found) {
    if (m.is_array()) {
        for (std::size_t i = 0; i < m.size(); ++i) find_leaves(m[i], at / i, name + "/*", found);
    } else if (m.is_object()) {
        for (const auto& [key, value] : m.items()) {
            if (key == "growing" || key == "collapsed") continue;  // what was measured, not what came of it
            find_leaves(value, at / key, name + "/" + key, found);
        }
    } else if (m.is_number() || m.is_boolean()) {
        found[name].push_back(at);
    }
}

// Of a value and its place among those of its kind.
using Fault = std::function<double(double, std::size_t)>;
const std::vector<Fault>& faults() {
    static const std::vector<Fault> list{[](double, std::size_t) { return 0.0; },
                                         [](double, std::size_t) { return 1.0; },
                                         [](double, std::size_t) { return 0.5; },
                                         [](double x, std::size_t) { return -x; },
                                         [](double x, std::size_t) { return 1000 * x; },
                                         [](double x, std::size_t) { return 0.001 * x; },
                                         [](double x, std::size_t) { return x + 1000; },
                                         [](double, std::size_t i) { return 1.0 / (1.0 + static_cast<double>(i)); }};
    return list;
}

void spoil(Measurements& value, const Fault& fault, std::size_t i) {
    if (value.is_boolean()) {
        value = fault(1.0, i) != 0.0 && !value.get<bool>();
    } else if (value.is_number_float()) {
        value = fault(value.get<double>(), i);
    } else {
        value = static_cast<std::int64_t>(fault(value.get<double>(), i));
    }
}

void spoil_all(Measurements& m, const std::vector<nlohmann::json::json_pointer>& places, const Fault& fault) {
    for (std::size_t i = 0; i < places.size(); ++i) spoil(m[places[i]], fault, i);
}

// Claims whose verdict has not changed yet under any fault.
class Unmoved {
public:
    explicit Unmoved(const Experiment& experiment, Measurements sound)
        : m_experiment(experiment), m_sound(std::move(sound)), m_verdicts(m_experiment.judge(m_sound)) {
        for (std::size_t i = 0; i < m_verdicts.size(); ++i) {
            if (m_verdicts[i].verdict != Verdict::not_comparable) m_left.insert(i);
        }
    }
    void judge_again(const Measurements& m) {
        const std::vector<Claim> now = m_experiment.judge(m);
        if (now.size() != m_verdicts.size()) return;
        std::erase_if(m_left, [&](std::size_t i) { return now[i].verdict != m_verdicts[i].verdict; });
    }
    [[nodiscard]] bool none() const { return m_left.empty(); }
    [[nodiscard]] const Measurements& sound() const { return m_sound; }
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const std::size_t i : m_left) text += "\n  " + m_verdicts[i].said.text;
        return text;
    }

private:
    const Experiment& m_experiment;
    Measurements m_sound;
    std::vector<Claim> m_verdicts;
    std::set<std::size_t> m_left;
};

// One kind of number wrong, or all, or two.
void try_faults(Unmoved& claims) {
    Leaves leaves;
    find_leaves(claims.sound(), nlohmann::json::json_pointer(), "", leaves);
    for (const auto& [name, places] : leaves) {
        for (const Fault& fault : faults()) {
            Measurements m = claims.sound();
            spoil_all(m, places, fault);
            claims.judge_again(m);
        }
    }
    for (const Fault& fault : faults()) {
        Measurements m = claims.sound();
        for (const auto& [name, places] : leaves) spoil_all(m, places, fault);
        claims.judge_again(m);
    }
    for (auto a = leaves.begin(); a != leaves.end() && !claims.none(); ++a) {
        for (auto b = std::next(a); b != leaves.end() && !claims.none(); ++b) {
            for (const Fault& one : faults()) {
                for (const Fault& other : faults()) {
                    Measurements m = claims.sound();
                    spoil_all(m, a->second, one);
                    spoil_all(m, b->second, other);
                    claims.judge_again(m);
                }
            }
        }
    }
}

TEST(Verdicts, NoneIsAConstant) {
    for (const Experiment& e : all_experiments()) {
        Unmoved claims(e, measured_of(e.name));
        try_faults(claims);
        EXPECT_TRUE(claims.none()) << e.name << claims.text();
    }
}

struct Wrong {
    const char *experiment, *place;
    nlohmann::json value;
    const char* words;  // of the claim
};

// Faults as they happen: a sign, a pair that is dropped, a constant.
TEST(Verdicts, ChangeWithWhatIsMeasured) {
    const Wrong list[] = {
        {"raghupathi2003-table1", "/rows/0/exact/recall/tubes/delivered", 1, "delivers every colliding pair"},
        {"raghupathi2003-table1", "/rows/2/brute_agrees", false, "delivers every colliding pair"},
        {"raghupathi2003-fig8", "/found/4/regions", 1.0, "All colliding regions are found"},
        {"raghupathi2003-fig8", "/instants",
         nlohmann::json::array({{{"factor", 1}, {"held", {12, 11}}, {"regions", {13, 11}}}}),
         "Every colliding region of the plots"},
        {"raghupathi2003-fig9", "/loop_through", 1, "make a loop around the mesentery"},
        {"raghupathi2003-fig9", "/turns", -0.98, "make a loop around the mesentery"},
        {"raghupathi2004-fig10", "/gut/printed/sharp", 0.9, "No high-curvature point is missed"},
        {"raghupathi2004-fig10", "/gut/printed/rank", 0.93, "A higher curvature gives a higher c"},
        {"raghupathi2004-fig13", "/ways/0/through", 1, "With triangles and our response"},
        {"raghupathi-draws", "/costs/0/rows/9/cost/seconds", 0.01, "varies linearly with n"},
        {"raghupathi-draws", "/costs/0/brute/seconds", 1.0, "a lot faster than the naive method"},
        {"raghupathi-draws", "/costs/1/exact_found", 0.99, "The exact detector finds every region"},
        {"raghupathi-response", "/responses/outcomes/13/worst", 0.3, "lower with reaction constraints"},
        {"raghupathi-whole", "/outcomes/10/through", 1, "Ours, on the same anatomy"},
        {"raghupathi-whole", "/outcomes/7/worst", 0.6, "show no interpenetration"},
        {"raghupathi-baselines", "/together/scores/3/coarse", 1.0, "A tree of bounding volumes"},
        {"johnsen-table1", "/ball-slab/margins/missed/1", 1, "Ball and slab: and no pair within"},
        {"johnsen-errata", "/rate/printed_factor", {1.0, 0.75, 0.5, 0.25}, "The rate response grows"},
        {"johnsen-errata", "/rate/corrected_factor", {0.0, 0.25, 0.5, 0.75}, "With 1 - g/Delta_close"},
        {"johnsen-errata", "/edges/2/missed/2", 1e-5, "Conservative advancement"},
        {"johnsen-errata", "/momentum/1/ours/momentum", 1e-3, "Ours keeps the momentum"},
        {"johnsen-errata", "/patch/2/force_error", -0.01, "contact patch test to 1e-8"},
        {"johnsen-fig6", "/liver-diaphragm/with/intersections", 1, "goes up again: nothing intersects."},
        {"zhong-errata", "/euler/2/limit", 1e-4, "explicit scheme of eq. 22"},
        {"zhong-errata", "/tension/dual/3", 1.01, "With its dual length"},
        {"zhong-errata", "/held/complete/speed", 0.1, "completed by a rest shape"},
        {"zhong-fig4", "/without_contrast/plane", 0.3, "completed, without the stiffness"},
        {"zhong-compare", "/heat/depth/2", 0.2, "Heat tissue is as deep on every mesh"},
        {"zhong-nets", "/nets/curved/3/printed", 1.0, "Eq. 9 is the heat equation"},
        {"zhong-nets", "/nets/flat/1/difference", 1e-3, "conducts as eq. 9 and 10"},
        {"zhong-damping", "/trials/2/late", 0.4, "depends neither on the damping"},
        {"zhong-width", "/pairs/0/warm/half", 0.3, "Heat widens the dimple of a liver"},
        {"zhong-solver", "/orders/2/degree", 4e6, "our order the factor holds"},
        {"raghupathi2004-fig12", "/simulated/ours/1", -1.0, "Ours settles at the desired frame rate"},
        {"tled-verification", "/errors/patch", 1e-9, "leaves no force inside a perturbed box, double"},
    };
    for (const Wrong& wrong : list) {
        SCOPED_TRACE(std::string(wrong.experiment) + wrong.place);
        Measurements m = measured_of(wrong.experiment);
        const Verdict before = claim_about(wrong.experiment, m, wrong.words).verdict;
        const nlohmann::json::json_pointer place(wrong.place);
        ASSERT_TRUE(m.contains(place));
        m[place] = wrong.value;
        EXPECT_NE(claim_about(wrong.experiment, m, wrong.words).verdict, before);
    }
}

// What the pages count is what the verdicts are.
TEST(Verdicts, AreAsManyAsThePagesSay) {
    struct Page {
        const char *file, *where;  // of the papers' claims that it counts: how their places begin
        bool own;
        std::vector<Claim> claims{};
    };
    std::vector<Page> pages{{"README.md", "", false},
                            {"README.md", "", true},
                            {"docs/papers/verdicts.md", "", false},
                            {"docs/papers/verdicts.md", "", true},
                            {"docs/papers/raghupathi.md", "Raghupathi", false},
                            {"docs/papers/johnsen.md", "Johnsen", false},
                            {"docs/papers/zhong.md", "Zhong", false}};
    for (const Experiment& e : all_experiments()) {
        for (const Claim& claim : e.judge(measured_of(e.name))) {
            for (Page& page : pages) {
                if (claim.own == page.own && claim.said.where.starts_with(page.where)) page.claims.push_back(claim);
            }
        }
    }
    for (const Page& page : pages) {
        const std::string text = "<!-- counted -->" + tally_text(tally(page.claims, page.own)) + "<!-- end -->";
        EXPECT_NE(slurp(std::filesystem::path(PLICA_SOURCE_DIR) / page.file).find(text), std::string::npos)
            << page.file << " does not say: " << text;
    }
}

}  // namespace
}  // namespace plica::experiments
