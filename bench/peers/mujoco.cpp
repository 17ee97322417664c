// MuJoCo: free capsules whose ends are held together by connect constraints, from a model written in memory.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

#include "bench/peers/bowl.hpp"
#include "bench/peers/rope_peer.hpp"
#include "core/error.hpp"

namespace {

using namespace plica;
using namespace plica::bench;

Vec3 at(const mjtNum* v) {
    return {v[0], v[1], v[2]};
}

// Capsule (geom2) in the bowl (geom1, which the model calls a plane): the bowl's numbers are kept in the model.
int meet_bowl(const mjModel* m, const mjData* d, mjContact* contacts, int, int capsule, mjtNum margin) {
    Wall bowl;
    bowl.kind = WallKind::bowl;
    bowl.radii.x = m->numeric_data[0];
    bowl.center = at(m->numeric_data + 1);
    const mjtNum* pose = d->geom_xmat + 9 * capsule;
    const Vec3 middle = at(d->geom_xpos + 3 * capsule), axis{pose[2], pose[5], pose[8]};
    const double radius = m->geom_size[3 * capsule], half = m->geom_size[3 * capsule + 1];
    int count = 0;
    for (const double side : {-half, half}) {
        const Vec3 end = middle + axis * side;
        const SurfaceSample sample = sample_wall(bowl, end);
        const double gap = sample.distance - radius;
        if (gap > margin) continue;
        mjContact& contact = contacts[count++];
        contact.dist = gap;
        const Vec3 point = end - sample.normal * (radius + 0.5 * gap);
        const Vec3& n = sample.normal;
        std::copy_n(std::array{point.x, point.y, point.z}.begin(), 3, contact.pos);
        std::copy_n(std::array{n.x, n.y, n.z, 0.0, 0.0, 0.0}.begin(), 6, contact.frame);  // the rest follows
    }
    return count;
}

struct Quaternion {
    double w, x, y, z;
};

// Turns z into the unit vector u.
Quaternion turn_from_z(const Vec3& u) {
    if (u.z < -1.0 + 1e-12) return {0.0, 1.0, 0.0, 0.0};
    const double w = std::sqrt(0.5 * (1.0 + u.z));
    return {w, -u.y / (2.0 * w), u.x / (2.0 * w), 0.0};
}

constexpr int most_stack = 600'000'000;  // doubles

// Room for constraint rows. This version keeps matrices of rows x rows and rows x unknowns, of 12 and twice 12 bytes an
// entry, in one block that must stay below 2^31 bytes.
int most_rows(int segments) {
    const double wanted = 40.0 * segments + 1000.0, block = 2.0e9, unknowns = 6.0 * segments;
    return static_cast<int>(
        std::min(wanted, (std::sqrt(576.0 * unknowns * unknowns + 48.0 * block) - 24.0 * unknowns) / 24.0));
}

std::string write_header(const RopeCase& rope, const Json& setting) {
    const double dt = 1.0 / rope.frames_per_second / setting.at("steps").get<int>();
    const std::string stiffness = fmt::format("{:.9g} 1", setting.at("timeconst_steps").get<double>() * dt);
    const std::string solimp = setting.at("solimp").get<std::string>();
    const int n = rope.segments();
    return fmt::format(
        "<mujoco><compiler angle='radian' boundmass='0'/>"
        "<option timestep='{:.17g}' gravity='{} {} {}' solver='{}' iterations='{}' tolerance='{}' "
        "jacobian='sparse' cone='{}'/>"
        "<size njmax='{}' nconmax='{}' nstack='{}'/>"
        "<custom><numeric name='bowl' data='{:.17g} {:.17g} {:.17g} {:.17g}'/></custom>"
        "<default><geom type='capsule' condim='3' friction='{} 0 0' solref='{}' solimp='{}'/>"
        "<equality solref='{}' solimp='{}'/></default>",
        dt, rope.gravity.x, rope.gravity.y, rope.gravity.z, setting.at("solver").get<std::string>(),
        setting.at("iterations").get<int>(), setting.at("tolerance").get<double>(),
        setting.at("cone").get<std::string>(), most_rows(n), 10 * n + 1000, std::min(most_stack, 750'000 * n),
        rope.bowl_radius, rope.bowl_center.x, rope.bowl_center.y, rope.bowl_center.z, rope.friction, stiffness, solimp,
        stiffness, solimp);
}

// A plane meets every body; the one here is high above the rope so that no body is left out as too far from it.
std::string write_model(const RopeCase& rope, const Json& setting) {
    std::string xml = write_header(rope, setting) + "<worldbody><geom type='plane' size='1 1 1' pos='0 0 1000'/>";
    for (std::size_t i = 0; i + 1 < rope.nodes.size(); ++i) {
        const Vec3 along = rope.nodes[i + 1] - rope.nodes[i], middle = 0.5 * (rope.nodes[i] + rope.nodes[i + 1]);
        const double h = norm(along);
        const Quaternion q = turn_from_z(along / h);
        xml += fmt::format(
            "<body name='s{}' pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'><freejoint/>"
            "<geom size='{} {:.17g}' mass='{:.17g}'/></body>",
            i, middle.x, middle.y, middle.z, q.w, q.x, q.y, q.z, rope.radius, 0.5 * h, rope.mass_per_length * h);
    }
    xml += "</worldbody><contact>";
    const int exclude = rope_surface(rope).capsules.front().exclude;
    for (int i = 0; i < rope.segments(); ++i) {
        for (int j = i + 1; j <= std::min(i + exclude, rope.segments() - 1); ++j) {
            xml += fmt::format("<exclude body1='s{}' body2='s{}'/>", i, j);
        }
    }
    xml += "</contact><equality>";
    for (std::size_t i = 0; i + 2 < rope.nodes.size(); ++i) {
        const double half = 0.5 * distance(rope.nodes[i], rope.nodes[i + 1]);
        xml += fmt::format("<connect body1='s{}' body2='s{}' anchor='0 0 {:.17g}'/>", i, i + 1, half);
    }
    return xml + "</equality></mujoco>";
}

mjModel* load(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "rope.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    std::array<char, 1000> problem{};
    mjModel* model = mj_loadXML("rope.xml", files.get(), problem.data(), static_cast<int>(problem.size()));
    mj_deleteVFS(files.get());
    if (model == nullptr) throw Error(std::string("MuJoCo refuses the model: ") + problem.data());
    return model;
}

class MujocoRope : public SimulatedRope {
public:
    MujocoRope(const RopeCase& rope, const Json& setting)
        : m_model(load(write_model(rope, setting))), m_data(mj_makeData(m_model)) {
        mju_user_warning = [](const char*) {};  // or it writes files and to standard output; see is_lost
        mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_CAPSULE] = meet_bowl;
        for (std::size_t i = 0; i + 1 < rope.nodes.size(); ++i) set_motion(rope, i);
    }
    ~MujocoRope() override {
        mj_deleteData(m_data);
        mj_deleteModel(m_model);
    }
    MujocoRope(const MujocoRope&) = delete;
    MujocoRope& operator=(const MujocoRope&) = delete;
    MujocoRope(MujocoRope&&) = delete;
    MujocoRope& operator=(MujocoRope&&) = delete;

    void step() override {
        mj_step(m_model, m_data);
        for (const int lost : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC, mjWARN_CONTACTFULL, mjWARN_CNSTRFULL}) {
            if (m_data->warning[lost].number > 0) m_lost = true;  // MuJoCo starts over, or leaves contacts out
        }
    }
    [[nodiscard]] bool is_lost() const override { return m_lost; }

    void read(std::span<Ends> ends) const override {
        mj_kinematics(m_model, m_data);  // positions after the step
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const std::size_t geom = i + 1;
            const mjtNum* pose = m_data->geom_xmat + 9 * geom;
            const Vec3 half = Vec3{pose[2], pose[5], pose[8]} * m_model->geom_size[3 * geom + 1];
            const Vec3 middle = at(m_data->geom_xpos + 3 * geom);
            ends[i] = {middle - half, middle + half};
        }
    }

private:
    // Velocity at the start, and drag as damping of the free joint: linear in world axes, angular in the body's own.
    void set_motion(const RopeCase& rope, std::size_t i) {
        const std::size_t body = i + 1, dof = 6 * i;
        const Vec3 along = rope.nodes[i + 1] - rope.nodes[i];
        const Vec3 change = rope.velocities[i + 1] - rope.velocities[i];
        const Vec3 linear = 0.5 * (rope.velocities[i] + rope.velocities[i + 1]);
        const Vec3 spin = cross(along, change) / squared_norm(along);
        const std::array world{spin.x, spin.y, spin.z};
        std::copy_n(std::array{linear.x, linear.y, linear.z}.begin(), 3, m_data->qvel + dof);
        std::array<mjtNum, 4> back{};
        mju_negQuat(back.data(), m_model->body_quat + 4 * body);
        mju_rotVecQuat(m_data->qvel + dof + 3, world.data(), back.data());
        for (std::size_t k = 0; k < 3; ++k) {
            m_model->dof_damping[dof + k] = rope.drag * m_model->body_mass[body];
            m_model->dof_damping[dof + 3 + k] = rope.drag * m_model->body_inertia[3 * body + k];
        }
    }

    mjModel* m_model;
    mjData* m_data;
    bool m_lost = false;
};

// The time constant of contacts and joints is the stiffest that MuJoCo advises, two steps. Newton took eight times as
// long as CG with 100 segments.
Json settings(int segments) {
    struct Solver {
        const char* name;
        int iterations;
        int work;  // of one step
    };
    Json list = Json::array();
    for (const int steps : {4, 5, 6, 8, 12, 16, 33, 66}) {  // of 8.3 to 0.5 ms
        for (const Solver s : {Solver{"CG", 10, 12}, Solver{"CG", 20, 15}, Solver{"CG", 30, 18}, Solver{"CG", 100, 32},
                               Solver{"PGS", 5, 20}, Solver{"PGS", 10, 22}, Solver{"Newton", 100, 300}}) {
            if (std::string(s.name) == "Newton" && (segments > 200 || steps > 8)) continue;
            for (const char* solimp : {"0.9 0.95 0.001", "0.95 0.99 0.001"}) {
                list.push_back({{"steps", steps},
                                {"solver", s.name},
                                {"iterations", s.iterations},
                                {"tolerance", 1e-8},
                                {"cone", "elliptic"},
                                {"timeconst_steps", 2.0},
                                {"solimp", solimp},
                                {"work", steps * s.work}});
            }
        }
    }
    return list;
}

}  // namespace

int main(int argc, char** argv) {
    mju_user_error = [](const char* what) {  // it would ask for a key
        std::fprintf(stderr, "MuJoCo: %s\n", what);
        std::_Exit(static_cast<int>(Status::environment));
    };
    return rope_peer_main(
        argc, argv,
        {"mujoco", mj_versionString(), "free capsules, connect constraints, sparse Jacobian, exact bowl", settings,
         [](const RopeCase& rope, const Json& setting) { return std::make_unique<MujocoRope>(rope, setting); }});
}
