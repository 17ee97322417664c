#include "bench/abuse/abuse_scene.hpp"

namespace plica::bench {
namespace {

constexpr const char* head = R"(
plica = 1
[contact]
friction = 0.1
)";

// The ball is a finger's tip, the plate an instrument's flat side; both are led by at most 50 N, the scenes' default.
constexpr const char* left_and_right = R"(
[[tool]]
name = "left"
kind = "rigid"
shape = "ball"
radius = 0.012
fineness = 2
walls = false
path = [ { t = 0, at = [-0.1, 0, 0.4] } ]
[[tool]]
name = "right"
kind = "rigid"
shape = "block"
size = [0.012, 0.05, 0.05]
walls = false
path = [ { t = 0, at = [0.1, 0, 0.4] } ]
)";

constexpr const char* gut = R"(
[solver]
dt = 0.033333333333333333
substeps = 10
[environment]
gravity = [0, 0, -9.81]
drag = 2.0
cavity = { kind = "ellipsoid", radii = [0.17, 0.17, 0.17] }
[[body]]
name = "gut"
anatomy = "intestine"
preset = "human"
length = 2.0
segments = 120
root_length = 0.06
axis = [1, 0, 0]
noise = 0.01
[[tool]]
name = "hand"
path = [ { t = 1e9, at = "gut:0.5" } ]
)";

constexpr const char* liver = R"(
[solver]
dt = 0.01
substeps = 1
[environment]
gravity = [0, 0, -9.81]
plane = { point = [0, 0, -0.08], normal = [0, 0, 1], friction = 0.3 }
[[body]]
name = "liver"
tissue = "tled"
shape = "liver"
cell = 0.02
element = "t4anp"
material = { young = 3000, poisson = 0.45, density = 1060 }
damping = 10.0
turn = [1.5708, 0, 0]
[[tool]]
name = "hand"
path = [ { t = 1e9, at = "liver", near = [0, 0, 0] } ]
)";

constexpr const char* heat = R"(
[solver]
dt = 0.02
substeps = 4
[environment]
gravity = [0, 0, -9.81]
[[body]]
name = "membrane"
tissue = "heat"
shape = "plane"
size = [0.24, 0.16, 0]
columns = 14
rows = 10
bears = 10
density = 1.0
fixed = [ { side = "-x" }, { side = "+x" } ]
[[tool]]
name = "hand"
path = [ { t = 1e9, at = "membrane", near = [0, 0, 0] } ]
)";

constexpr const char* all = R"(
[solver]
dt = 0.02
substeps = 4
[environment]
gravity = [0, 0, -9.81]
drag = 2.0
[[body]]
name = "gut"
anatomy = "intestine"
preset = "human"
length = 2.0
segments = 120
root_length = 0.06
axis = [1, 0, 0]
noise = 0.01
[[body]]
name = "liver"
tissue = "tled"
shape = "liver"
cell = 0.025
element = "t4anp"
material = { young = 6000, poisson = 0.45, density = 1060 }
damping = 10.0
turn = [1.5708, 0, 0]
center = [0, -0.04, -0.23]
motion = [ { box = [[-0.3, -0.3, -0.4], [0.3, 0.3, -0.25]], by = [0, 0, 0.05], until = 1.0 } ]
[[body]]
name = "membrane"
tissue = "heat"
shape = "plane"
size = [0.24, 0.12, 0]
columns = 12
rows = 8
bears = 10
density = 1.0
center = [0, 0.12, -0.15]
fixed = [ { side = "-x" }, { side = "+x" }, { side = "+y" } ]
[[tool]]
name = "hand"
path = [ { t = 1e9, at = "gut:0.5" } ]
)";

std::string compose(const char* organs) {
    return std::string(head) + organs + left_and_right;
}

}  // namespace

const std::vector<AbuseScene>& abuse_scenes() {
    static const std::vector<AbuseScene> list{
        {"gut", compose(gut), {"gut"}, 6.0},
        {"liver", compose(liver), {"liver"}, 2.0},
        {"heat", compose(heat), {"membrane"}, 2.0},
        {"all", compose(all), {"gut", "liver", "membrane"}, 6.0},
    };
    return list;
}

}  // namespace plica::bench
