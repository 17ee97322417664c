#pragma once

namespace plica::testing {

// A bone, a chain that can be held, and a ball on a path, which is rigid.
inline constexpr const char* ball_scene = R"(plica = 1
[solver]
substeps = 4
[environment]
gravity = [0, 0, 0]
[[body]]
name = "bone"
tissue = "rigid"
shape = "block"
size = [0.05, 0.05, 0.05]
center = [0, 0, -0.2]
[[body]]
name = "chain"
anatomy = "rope"
segments = 4
from = [0, 0.3, 0]
[[tool]]
name = "ball"
kind = "rigid"
shape = "ball"
radius = 0.02
fineness = 1
path = [{ t = 0, at = [0.3, 0, 0.1], turn = [0, 0.5, 0] }, { t = 1, to = [0.31, 0, 0.1], turn = [0, 0.9, 0] }]
)";

}  // namespace plica::testing
