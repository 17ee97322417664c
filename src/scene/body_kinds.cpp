#include "scene/body_kinds.hpp"

#include <array>

#include "scene/build_body.hpp"
#include "scene/build_membrane.hpp"
#include "scene/build_organ.hpp"
#include "scene/build_own.hpp"
#include "scene/build_rigid.hpp"
#include "scene/file/read_body.hpp"
#include "scene/file/read_membrane.hpp"
#include "scene/file/read_organ.hpp"
#include "scene/file/read_rigid.hpp"

namespace plica {
namespace {

constexpr auto kinds = std::to_array<BodyKind>({{TissueKind::mass_spring, read_tube, add_tube_body},
                                                {TissueKind::tled, read_solid_body, add_organ},
                                                {TissueKind::heat, read_heat_body, add_membrane},
                                                {TissueKind::rigid, read_rigid_body, add_rigid_body},
                                                {TissueKind::own, nullptr, add_own_body}});

}  // namespace

const BodyKind& kind_of(TissueKind tissue) {
    std::size_t i = 0;
    while (kinds.at(i).tissue != tissue) ++i;
    return kinds[i];
}

std::vector<std::string> readable_tissues() {
    std::vector<std::string> names;
    for (const BodyKind& kind : kinds) {
        if (kind.read != nullptr) names.emplace_back(traits_of(kind.tissue).name);
    }
    return names;
}

}  // namespace plica
