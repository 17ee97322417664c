#pragma once
#include <limits>

#include "contact/respond.hpp"

// Continuous collision detection by conservative advancement, the last word of a substep: no primitive may have passed
// through another, whatever the response did.
//
// The axes and faces themselves are looked at, without their thickness: as long as their distance stays above zero on
// the straight way from x to p, nothing is on the wrong side of anything. The vector between the closest points of two
// convex sets changes no faster than the sets move against each other; so a pair that moves less than its distance has
// passed, and for the others the same bound tells how far along the way it is safe to look next (conservative
// advancement). Nodes of a pair that would meet are held back on their way, and what that changes is looked at again.
// The same holds for tubes and sheets that would end deeper in anything than they may be.
namespace plica {

struct CertifyScratch {
    std::vector<double> node_moved;       // m, per node: from where the list was built to x, and on to p
    std::vector<double> primitive_moved;  // m: the largest of its nodes
    std::vector<std::int32_t> close;      // pairs that may meet
    std::vector<Vec3> wanted;             // p as it came
    std::vector<double> kept, before;     // per node: the share of the way that is left to it; empty: all of it, to all
    std::vector<std::uint8_t> slowed;     // per node: would have passed, and loses what it was held back by as speed
    bool slows = false;                   // the last pair that was looked at
    std::int64_t tests = 0;               // distances measured
    // When there are so many, pairs that would have to be followed on their way stay where they were instead.
    std::int64_t enough = std::numeric_limits<std::int64_t>::max();
    double deepest = 1.0;  // contact radii, as in ContactSettings; 1: as deep as they get
    bool gave_up = false;  // some did; whoever asks puts it back
};

// m: axes and faces of the two are kept this far apart.
double least_apart(const Surface& surface, const Pair& pair);
// m: the same where a substep ends, for what was not nearer before; 0 for two solids, whose rows are iterated.
double least_apart_at_end(const Surface& surface, const Pair& pair, double deepest);
// m: how far beyond touching they may go without a look.
double most_closer(const Surface& surface, const Pair& pair, double deepest);

// m: how far any two of the list's may move against each other before a look is needed.
double least_margin(const Surface& surface, const CandidateList& list, double deepest = 1.0);

// Both return the number of nodes that were held back; kept[n] < 1 for those.
//
// A list of its own, whatever detector the response used: it must be complete for p and hold every pair that may touch;
// `least` is its least_margin().
int certify(const Surface& surface, const CandidateList& list, double least, std::span<const Vec3> x, std::span<Vec3> p,
            CertifyScratch& scratch);
// The list that the response used, with what that knows of its pairs. It must be complete for p.
int certify(ContactWorld& world, ContactScratch& contact, CertifyScratch& scratch);

}  // namespace plica
