#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/verdict.hpp"
#include "core/statistics.hpp"
#include "engine/recall.hpp"
#include "engine/world.hpp"

namespace plica::app {

// What a run adds up to: the numbers of `plica run`, as JSON and as text.
class Summary {
public:
    Summary(const World& world, bool audited);

    // The share of brute force's finds that a detector which may miss some had in a step.
    void add(const Recall& recall);
    void add(const World& world, const StepReport& report, const audit::StepFindings* findings);
    [[nodiscard]] nlohmann::ordered_json to_json(const World& world) const;
    [[nodiscard]] bool is_valid() const { return m_valid; }
    [[nodiscard]] bool is_at_rest() const { return m_at_rest; }
    [[nodiscard]] int pass_throughs() const { return m_pass_throughs; }
    [[nodiscard]] double worst() const;
    [[nodiscard]] int intersections() const { return m_intersections_max; }
    [[nodiscard]] bool fails_audit() const {
        return m_pass_throughs > 0 || m_intersections_max > 0 || worst() > audit::deepest_allowed;
    }
    [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(m_seconds.size()); }

private:
    [[nodiscard]] nlohmann::ordered_json contacts_json(const World& world) const;
    [[nodiscard]] nlohmann::ordered_json recall_json() const;
    [[nodiscard]] nlohmann::ordered_json audit_json(const World& world) const;
    [[nodiscard]] nlohmann::ordered_json intersections_json(const World& world) const;

    bool m_audited;
    bool m_valid = true;
    std::vector<double> m_seconds;
    std::vector<std::array<double, stage_count>> m_stages;
    std::vector<double> m_penetration;  // per step
    std::vector<double> m_touching;     // per step
    std::optional<Recall> m_recall;     // summed over the steps
    int m_pass_throughs = 0;
    int m_intersections_max = 0;  // pairs of triangles of closed bodies, at one look
    int m_intersection_frames = 0;
    std::int64_t m_looks = 0;
    audit::BodyPair m_intersecting{-1, -1};  // where there were the most
    int m_substeps_max = 0;                  // the most that any step took
    std::int64_t m_substeps = 0;
    std::int64_t m_rebuilds = 0;  // of the candidate list
    std::int64_t m_sweeps = 0;    // of contact
    std::int64_t m_held = 0;      // nodes that certify held back
    std::int64_t m_retries = 0;   // of steps that an organ did not bear
    bool m_at_rest = false;
    double m_tests = 0.0;
    std::vector<double> m_work;  // per step: distances measured, those of certify included
    double m_contacts = 0.0;
    double m_contacts_max = 0.0;
    std::vector<double> m_by_pair;       // bodies x bodies, summed over the steps
    std::vector<double> m_last_by_pair;  // of the last step
    std::vector<double> m_stretch;       // largest so far, per body
    std::vector<double> m_peak_force;    // N, per tool
    std::vector<double> m_force_sum;
    std::vector<std::int64_t> m_force_steps;
    std::map<std::string, std::int64_t> m_flags;  // "overstretched:gut" -> steps
    std::uint64_t m_hash = 0;
};

// The same, for people.
std::string to_text(const nlohmann::ordered_json& summary);

}  // namespace plica::app
