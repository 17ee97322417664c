#pragma once
#include <vector>

// Rectangular nets (Zhong 2005, eq. 9 and 10): as bodies, on curved surfaces, under shear.
namespace plica::experiments {

// A flat uneven net as a body beside eq. 9 (one conductivity) and 10 (two), after some explicit steps.
struct FlatNet {
    bool even = true;         // one conductivity
    double difference = 0.0;  // of temperatures, most
    double triangles = 0.0;   // the same of the surface as triangles with div(k grad T)
};
FlatNet compare_flat_net(bool even);

// A net of latitudes and longitudes on the unit sphere, `lines` from the pole to the equator: which share of the
// Laplacian of z is found halfway between them.
struct CurvedNet {
    int lines = 0;
    double printed = 0.0;    // eq. 9 with the distances along the surface
    double triangles = 0.0;  // the same nodes, triangulated
};
CurvedNet compare_curved_net(int lines);

// J, of a flat square net whose lines keep their lengths and turn by an angle against each other.
struct ShearedNet {
    double angle = 0.0;  // rad
    double quads = 0.0, triangles = 0.0;
};
ShearedNet shear_net(double angle);

struct NetTrials {
    std::vector<FlatNet> flat;
    std::vector<CurvedNet> curved;
    std::vector<ShearedNet> sheared;
};

}  // namespace plica::experiments
