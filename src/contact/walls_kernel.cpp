#include "contact/walls.hpp"
#include "core/wide.hpp"
#include "geometry/sample_wall.hpp"

namespace plica::PLICA_ISA {

void sample_nodes(const Wall& wall, const double* x, const std::int32_t* node, int count, WallSample* out) {
    for (int i = 0; i < count; i += lanes) {
        std::int32_t index[lanes];
        for (int k = 0; k < lanes; ++k) index[k] = node[i + k < count ? i + k : i];
        const WideTriple t = gather_triples(x, index);
        const SampleOf<Wide> sample = sample_any_wall(wall, Vec3Of<Wide>{t.x, t.y, t.z});
        store(sample.distance, out[i / lanes].distance);
        store(sample.normal.x, out[i / lanes].normal[0]);
        store(sample.normal.y, out[i / lanes].normal[1]);
        store(sample.normal.z, out[i / lanes].normal[2]);
    }
}

}  // namespace plica::PLICA_ISA
