#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "collision/tree/build.hpp"
#include "collision/tree/cone.hpp"
#include "collision/tree/leaves.hpp"
#include "collision/tree/patches.hpp"
#include "core/isa.hpp"
#include "geometry/pose.hpp"

// A bounding volume hierarchy with surface cones over the triangles of solids, rigid tools and sheets, and the pairs of
// their features that may come to touch. Johnsen et al. 2012, sec. 2.2; where we depart: docs/papers/johnsen.md.
namespace plica {

// Ours; the paper's eq. 5 as printed, which misses pairs; Larsson and Akenine-Moeller (half depth, below on demand);
// everything at every update; what the paper compares itself with (half depth, eq. 5 as printed).
enum class TreeUpdate : std::uint8_t { margins, johnsen, larsson, naive, half_depth };

struct TreeSettings {
    TreeBuilder builder = TreeBuilder::growth;
    TreeUpdate update = TreeUpdate::margins;
    bool cones = true;    // closed surfaces: leave out what cannot be a first contact
    double margin = 0.0;  // m, how far corners move before a refit; 0: a tenth of the body's mean edge
    double layer = 0.0;   // m: pairs nearer than this beyond their contact radii are wanted too
};

// Per body of the surface.
struct TreeBody {
    bool closed = false;  // an open one is never culled by cones
    bool rigid = false;   // its boxes stay in its own frame
};

struct TreeCounts {
    int volumes = 0;
    int patches = 0;                   // of bodies that deform
    std::int64_t updates = 0;          // volumes read or written by updates so far
    std::int64_t visits = 0;           // pairs of volumes tested in searches so far
    std::int64_t refits = 0;           // of patches so far
    std::int64_t searches = 0;         // updates that searched at all
    std::int64_t facet_pairs = 0;      // now
    std::int64_t heap_operations = 0;  // of the build
};

class SurfaceTree {
public:
    // Keeps a reference to the surface. `rest`: places of all nodes; Triangle::body is an index into `bodies`.
    SurfaceTree(const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest,
                const TreeSettings& settings);

    // Makes pairs() complete for every place of the nodes on the straight way from x to p: every pair that the rules
    // of surface.hpp allow and that comes nearer than its contact radii and the layer, except those of closed bodies
    // that the cones show to be no first contact. `start` and `end`: per body the motion from rest, only read for
    // rigid ones. True when pairs() changed.
    bool update(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                std::span<const Pose> end);

    // (a, b), ascending: a feature, and b > a, an edge or a triangle (capsules + its number).
    [[nodiscard]] std::span<const std::array<std::int32_t, 2>> pairs() const { return m_pairs; }

    // Positions were replaced: the next update refits all.
    void forget() { m_warm = false; }

    [[nodiscard]] const TreeCounts& counts() const { return m_counts; }

    // For pictures, reports and tests. A body's volumes are those from first_volume(body) to first_volume(body + 1).
    [[nodiscard]] const TreeShape& shape() const { return m_shape; }
    [[nodiscard]] std::int32_t first_volume(std::size_t body) const {
        return body < m_bodies.size() ? m_bodies[body].first_volume : m_counts.volumes;
    }
    [[nodiscard]] int depth() const;                      // levels of the deepest body
    [[nodiscard]] Bounds box(std::int32_t volume) const;  // m, now (of the last update), with radius, layer and margin
    [[nodiscard]] Cone cone(std::int32_t volume) const;   // of the normals at the last refit, and of their fans
    [[nodiscard]] double margin(std::size_t body) const { return m_bodies[body].margin; }
    [[nodiscard]] double candidates_per_corner() const;
    [[nodiscard]] const Patches& patches() const { return m_patches; }

private:
    // The nodes of a body, some repeated, where they were when all of its patches were last looked at, in its frame.
    struct Seen {
        std::vector<std::int32_t> node;
        std::vector<double> x, y, z;
    };
    struct Body {
        bool closed, rigid;
        bool own = false;  // touches itself
        std::int32_t first_volume = 0, last_volume = 0;
        std::int32_t first_patch = 0, last_patch = 0;
        double margin = 0.0;                 // m
        std::vector<std::int32_t> sample{};  // nodes whose mean place its frame follows
        Bounds rest{};                       // of a rigid one
        Seen seen{};                         // of one that deforms
        double margin_left = 0.0;            // m: how far its nodes may go from there until patches are looked at
        Pose start{}, end{};                 // its frame, now
    };
    // What a leaf's cone was made for; as constructed, nothing.
    struct Fit {
        double cosine = 2.0;  // of the widest angle between its axis and a normal around it
        double extra = 0.0;   // rad: turn beyond the margin that patches around it had
        int age = 0;          // times it was looked at since
    };
    // Two bodies, when they were last searched. One that deforms comes first.
    struct Meeting {
        std::int32_t a, b;
        Pose at_a{}, at_b{};
        double margin = -1.0;  // m: how far their frames may drift apart; < 0: never searched
        bool cull = false;
        bool expired = true;
    };
    // How one tree is searched against another.
    struct Search {
        Pose b_to_a{};
        bool turned = false;  // b_to_a is more than a shift
        double margin = 0.0;  // m, beyond the boxes: how far the frames may drift
        bool cull = false;
        bool all = false;  // not only what was touched
    };

    // Pairs of features of one kind that wait to be measured.
    struct FeatureBatch {
        static constexpr int size = 8;
        Vec3 point[5 * size];
        std::array<std::int32_t, 2> pair[size];
        double limit[size];  // m
        int count = 0;
    };

    // Building.
    struct Built {
        Facets facets;
        TreeShape shape;
    };
    std::vector<Built> build_bodies(std::span<const TreeBody> bodies, std::span<const Vec3> rest);
    void number_leaves();
    [[nodiscard]] std::vector<std::int32_t> choose_roots(const Body& body, const Built& built) const;
    void add_patches(std::size_t body, const Built& built);
    void answer_for_primitives();
    void introduce_bodies();
    void place_rigid(Body& body, std::span<const Vec3> rest);
    void sample_frame(Body& body, std::span<const Leaf> leaves) const;
    void list_nodes(Body& body) const;
    void reserve();

    // Updating.
    void move_frames(std::span<const Vec3> x, std::span<const Vec3> p, std::span<const Pose> start,
                     std::span<const Pose> end);
    void update_by_margins(std::span<const Vec3> x, std::span<const Vec3> p);
    void update_as_paper(std::span<const Vec3> x, std::span<const Vec3> p);
    void update_body(Body& body, std::span<const Vec3> x, std::span<const Vec3> p);
    [[nodiscard]] double farthest_from_seen(const Body& body, std::span<const Vec3> x, std::span<const Vec3> p) const;
    void see(Body& body, std::span<const Vec3> p) const;
    [[nodiscard]] double find_margin_left(std::size_t patch, std::span<const Vec3> x, std::span<const Vec3> p);
    [[nodiscard]] double margin_to_turn(std::size_t patch, std::span<const Vec3> at, const Vec3& frame) const;
    [[nodiscard]] double farthest_apart(const Leaf& leaf, std::span<const Vec3> at, const Vec3& frame) const;
    [[nodiscard]] bool is_turn_limited(std::size_t patch) const;
    [[nodiscard]] double margin_when_new(std::size_t patch) const;
    [[nodiscard]] double most_turned(std::size_t patch, std::span<const Vec3> at, const Vec3& frame) const;
    void refit(std::size_t patch, std::span<const Vec3> x, std::span<const Vec3> p);
    void set_references(std::size_t patch, std::span<const Vec3> x, std::span<const Vec3> p);
    void refit_boxes(std::int32_t root, std::int32_t end, double margin);
    void publish_normals(std::size_t patch, bool all);
    void refit_cones();
    void climb(const Leaf& leaf);
    [[nodiscard]] Cone fan_cone(const Leaf& leaf, double& extra) const;
    [[nodiscard]] bool is_bounded(const Leaf& leaf, const Fit& fit) const;
    void merge_cones(std::int32_t root, std::int32_t end);
    void touch(std::size_t patch);
    void refit_ancestors();
    void refit_below(std::size_t patch);
    double refit_root(std::size_t patch);

    // Searching.
    [[nodiscard]] bool has_drifted(const Meeting& meeting) const;
    [[nodiscard]] double drift(const Meeting& meeting, const Pose& a, const Pose& b) const;
    void arrange(Meeting& meeting) const;
    void drop_pairs(bool all);
    void search_all(bool all);
    void search(std::int32_t a, std::int32_t b, const Search& s);
    void expand_self(std::int32_t volume, const Search& s);
    void compare(std::int32_t a, std::int32_t b, const Search& s);
    void emit(const Leaf& a, const Leaf& b, const Search& s);
    void emit_corners(const Leaf& a, const Leaf& b, const Vec3 (&pa)[3], const Vec3 (&pb)[3], double within);
    void emit_edges(const Leaf& a, const Leaf& b, const Vec3 (&pa)[3], const Vec3 (&pb)[3], double within);
    void keep_near(FeatureBatch& batch, int points);
    bool merge_found();
    [[nodiscard]] bool is_dirty(std::int32_t volume) const;
    [[nodiscard]] bool is_wide(const Cone& cone) const { return !(2.0 * cone.half < m_limit); }

    const Surface& m_surface;
    TreeSettings m_settings;
    Isa m_isa = best_isa();
    double m_limit;  // rad: cones that open less hold no contact
    bool m_warm = false;

    TreeShape m_shape;  // of all bodies; `facet` are triangles of the surface
    std::vector<Bounds> m_boxes;
    std::vector<Cone> m_cones;
    std::vector<std::int32_t> m_patch_of;  // per volume; -1: above the patches
    std::vector<Leaf> m_leaves;
    std::vector<Fit> m_fits;                         // per leaf
    std::vector<Vec3> m_normals;                     // per leaf, as its neighbours know it
    std::vector<std::int32_t> m_patch_of_primitive;  // that answers for it
    Fans m_fans;
    Patches m_patches;
    std::vector<Body> m_bodies;
    std::vector<Meeting> m_meetings;
    std::vector<std::int32_t> m_meeting_of;  // per two bodies

    // The paper's lazy update.
    std::vector<Vec3> m_since;               // per corner: place at the last refit of the subtree
    std::vector<double> m_half, m_fan_half;  // rad, per patch: its cone then, of its own facets and with their fans
    std::vector<double> m_diameter;          // m, per patch: the smallest of a facet then
    std::vector<std::uint8_t> m_behind;      // per patch: its subtree is to be refitted when it is looked into

    std::vector<std::uint8_t> m_touched;      // per patch, in this update
    std::vector<std::uint8_t> m_coned;        // per patch: cones below changed
    std::vector<std::uint8_t> m_marked;       // per volume above patches: touched below
    std::vector<std::int32_t> m_ancestors;    // the marked
    std::vector<std::int32_t> m_restless;     // leaves whose cones are to be bounded again
    std::vector<std::uint8_t> m_is_restless;  // per leaf
    std::vector<std::array<std::int32_t, 2>> m_stack;
    std::vector<std::array<std::int32_t, 2>> m_facet_pairs;  // their patches
    std::vector<std::array<std::int32_t, 2>> m_pairs, m_found, m_merged;
    FeatureBatch m_corner_batch{}, m_edge_batch{};
    TreeCounts m_counts;
};

}  // namespace plica
