#include <gtest/gtest.h>

#include "reproduce/sliding.hpp"

// Spec B12: a ball slides over a liver of 1280 triangles at 20 mm/s, without friction.
namespace plica::testing {
namespace {

using app::Slide;
using app::SlidingBall;
using app::SlidingOptions;

Slide slide(NormalKind normals, SlidingBall ball, int level = 3) {
    SlidingOptions options;
    options.normals = normals;
    options.ball = ball;
    options.level = level;
    const Slide s = app::slide_ball(options);
    const char* names[] = {"rounded", "facet", "smooth"};
    printf("%s level %d %s: turn %.5f rad rms, largest %.4f, least %.5f, off %.4f; force %.4f (%.4f..%.4f) N, sweeps %.2f, held %lld, "
           "valid %d\n",
           ball == SlidingBall::probe ? "hard" : "soft", level, names[static_cast<int>(normals)], s.turn, s.largest,
           s.least, s.off, s.force, s.lightest, s.strongest, s.sweeps, static_cast<long long>(s.held), s.valid);
    return s;
}

TEST(SlidingBallTest, Explore) {
    for (const SlidingBall ball : {SlidingBall::probe, SlidingBall::pressed}) {
        for (const int level : {3, 2}) {
            for (const NormalKind n : {NormalKind::rounded, NormalKind::facet, NormalKind::smooth}) slide(n, ball, level);
        }
    }
}

}  // namespace
}  // namespace plica::testing
