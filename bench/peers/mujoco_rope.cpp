#include "bench/peers/mujoco_rope.hpp"

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
#include "core/error.hpp"

namespace plica::bench {
namespace {

using Quaternion = std::array<mjtNum, 4>;

Vec3 at(const mjtNum* v) {
    return {v[0], v[1], v[2]};
}

std::array<mjtNum, 3> numbers(const Vec3& v) {
    return {v.x, v.y, v.z};
}

// Capsule (geom2) in the bowl (geom1, which the model calls a plane): the bowl's numbers are kept in the model.
int meet_bowl(const mjModel* m, mjData* d, mjPreContact* contacts, int, int capsule, mjtNum margin) {
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
        mjPreContact& contact = contacts[count++];
        contact.dist = gap;
        const Vec3 point = end - sample.normal * (radius + 0.5 * gap);
        std::copy_n(numbers(point).begin(), 3, contact.pos);
        std::copy_n(numbers(sample.normal).begin(), 3, contact.normal);
        std::fill_n(contact.tangent, 3, 0.0);  // any
    }
    return count;
}

// Drag on every body by its mass and inertia is drag on the unknowns by the matrix that holds these.
void add_drag(const mjModel* m, mjData* d) {
    std::vector<mjtNum> momentum(static_cast<std::size_t>(m->nv));
    mj_mulM(m, d, momentum.data(), d->qvel);
    for (int i = 0; i < m->nv; ++i) d->qfrc_passive[i] -= m->numeric_data[4] * momentum[static_cast<std::size_t>(i)];
}

// Turns z into the unit vector u.
Quaternion turn_from_z(const Vec3& u) {
    if (u.z < -1.0 + 1e-12) return {0.0, 1.0, 0.0, 0.0};
    const double w = std::sqrt(0.5 * (1.0 + u.z));
    return {w, -u.y / (2.0 * w), u.x / (2.0 * w), 0.0};
}

Quaternion inverse(const Quaternion& q) {
    Quaternion back;
    mju_negQuat(back.data(), q.data());
    return back;
}

Vec3 turned(const Vec3& v, const Quaternion& q) {
    Vec3 result;
    std::array<mjtNum, 3> to{};
    mju_rotVecQuat(to.data(), numbers(v).data(), q.data());
    result = at(to.data());
    return result;
}

// A segment of the rope as it starts.
struct Segment {
    Vec3 middle, along, velocity, spin;
    double length;
    Quaternion turn;
};

Segment segment_of(const RopeCase& rope, int segment) {
    const auto i = static_cast<std::size_t>(segment);
    const Vec3 along = rope.nodes[i + 1] - rope.nodes[i];
    const Vec3 change = rope.velocities[i + 1] - rope.velocities[i];
    const double length = norm(along);
    return {
        0.5 * (rope.nodes[i] + rope.nodes[i + 1]),  along / length, 0.5 * (rope.velocities[i] + rope.velocities[i + 1]),
        cross(along, change) / squared_norm(along), length,         turn_from_z(along / length)};
}

std::string write_header(const RopeCase& rope, const Json& setting) {
    const double dt = 1.0 / rope.frames_per_second / setting.at("steps").get<int>();
    const std::string stiffness = fmt::format("{:.9g} 1", setting.at("timeconst_steps").get<double>() * dt);
    const std::string solimp = setting.at("solimp").get<std::string>();
    return fmt::format(
        "<mujoco><compiler angle='radian' boundmass='0'/>"
        "<option timestep='{:.17g}' gravity='{} {} {}' solver='{}' iterations='{}' tolerance='{}' "
        "jacobian='sparse' cone='{}'/><size memory='2G'/>"
        "<custom><numeric name='bowl' data='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g}'/></custom>"
        "<default><geom type='capsule' condim='3' friction='{} 0 0' solref='{}' solimp='{}'/>"
        "<equality solref='{}' solimp='{}'/></default>",
        dt, rope.gravity.x, rope.gravity.y, rope.gravity.z, setting.at("solver").get<std::string>(),
        setting.at("iterations").get<int>(), setting.at("tolerance").get<double>(),
        setting.at("cone").get<std::string>(), rope.bowl_radius, rope.bowl_center.x, rope.bowl_center.y,
        rope.bowl_center.z, rope.drag, rope.friction, stiffness, solimp, stiffness, solimp);
}

// A body up to its joints' end; `parent`: what it hangs on in a tree, else itself.
std::string write_body(const RopeCase& rope, int i, int parent, const std::string& joint) {
    const Segment s = segment_of(rope, i);
    Vec3 place = s.middle;
    Quaternion turn = s.turn;
    if (parent != i) {
        const Segment p = segment_of(rope, parent);
        const Quaternion back = inverse(p.turn);
        place = turned(s.middle - p.middle, back);
        mju_mulQuat(turn.data(), back.data(), s.turn.data());
    }
    return fmt::format(
        "<body name='s{}' pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'>{}"
        "<geom size='{} {:.17g}' mass='{:.17g}'/>",
        i, place.x, place.y, place.z, turn[0], turn[1], turn[2], turn[3], joint, rope.radius, 0.5 * s.length,
        rope.mass_per_length * s.length);
}

std::string write_free_bodies(const RopeCase& rope) {
    std::string xml;
    for (int i = 0; i < rope.segments(); ++i) xml += write_body(rope, i, i, "<freejoint/>") + "</body>";
    return xml;
}

// A branch of the tree: from behind the root to the rope's end, or from before it to its beginning.
std::string write_branch(const RopeCase& rope, int root, int step) {
    std::string xml, ends;
    for (int i = root + step; i >= 0 && i < rope.segments(); i += step) {
        const double joint = -0.5 * step * segment_of(rope, i).length;
        xml += write_body(rope, i, i - step, fmt::format("<joint type='ball' pos='0 0 {:.17g}'/>", joint));
        ends += "</body>";
    }
    return xml + ends;
}

int root_of(const RopeCase& rope, MujocoChain chain) {
    return chain == MujocoChain::tree ? rope.segments() / 2 : -1;
}

std::string write_tree(const RopeCase& rope) {
    const int root = root_of(rope, MujocoChain::tree);
    return write_body(rope, root, root, "<freejoint/>") + write_branch(rope, root, -1) + write_branch(rope, root, 1) +
           "</body>";
}

std::string write_connections(const RopeCase& rope) {
    std::string xml = "<equality>";
    for (int i = 0; i + 1 < rope.segments(); ++i) {
        xml += fmt::format("<connect body1='s{}' body2='s{}' anchor='0 0 {:.17g}'/>", i, i + 1,
                           0.5 * segment_of(rope, i).length);
    }
    return xml + "</equality>";
}

// A plane meets every body; the one here is high above the rope so that no body is left out as too far from it.
std::string write_model(const RopeCase& rope, const Json& setting, MujocoChain chain) {
    const bool tree = chain == MujocoChain::tree;
    std::string xml = write_header(rope, setting) + "<worldbody><geom type='plane' size='1 1 1' pos='0 0 1000'/>";
    xml += tree ? write_tree(rope) : write_free_bodies(rope);
    xml += "</worldbody><contact>";
    const int exclude = rope_surface(rope).capsules.front().exclude;
    for (int i = 0; i < rope.segments(); ++i) {
        for (int j = i + 1; j <= std::min(i + exclude, rope.segments() - 1); ++j) {
            xml += fmt::format("<exclude body1='s{}' body2='s{}'/>", i, j);
        }
    }
    return xml + "</contact>" + (tree ? "" : write_connections(rope)) + "</mujoco>";
}

mjModel* load(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_addBufferVFS(files.get(), "rope.xml", xml.data(), static_cast<int>(xml.size()));
    std::array<char, 1000> problem{};
    mjModel* model = mj_loadXML("rope.xml", files.get(), problem.data(), static_cast<int>(problem.size()));
    mj_deleteVFS(files.get());
    if (model == nullptr) throw Error(std::string("MuJoCo refuses the model: ") + problem.data());
    return model;
}

class MujocoRope : public SimulatedRope {
public:
    MujocoRope(const RopeCase& rope, const Json& setting, MujocoChain chain)
        : m_model(load(write_model(rope, setting, chain))), m_data(mj_makeData(m_model)) {
        mju_user_warning = [](const char*) {};  // or it writes files and to standard output; see is_lost
        mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_CAPSULE] = meet_bowl;
        mjcb_passive = add_drag;
        for (int i = 0; i < rope.segments(); ++i) {
            m_bodies.push_back(mj_name2id(m_model, mjOBJ_BODY, fmt::format("s{}", i).c_str()));
        }
        for (int i = 0; i < rope.segments(); ++i) set_motion(rope, i, root_of(rope, chain));
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
            const int geom = m_model->body_geomadr[m_bodies[i]];
            const mjtNum* pose = m_data->geom_xmat + static_cast<std::ptrdiff_t>(9) * geom;
            const Vec3 half = Vec3{pose[2], pose[5], pose[8]} * m_model->geom_size[3 * geom + 1];
            const Vec3 middle = at(m_data->geom_xpos + static_cast<std::ptrdiff_t>(3) * geom);
            ends[i] = {middle - half, middle + half};
        }
    }

private:
    // Linear in world axes, angular in the body's own; that of a ball joint against what the body hangs on.
    void set_motion(const RopeCase& rope, int i, int root) {
        const Segment s = segment_of(rope, i);
        mjtNum* velocity = m_data->qvel + m_model->body_dofadr[m_bodies[static_cast<std::size_t>(i)]];
        Vec3 spin = s.spin;
        if (root < 0 || i == root) {
            velocity = std::copy_n(numbers(s.velocity).begin(), 3, velocity);
        } else {
            spin -= segment_of(rope, i < root ? i + 1 : i - 1).spin;
        }
        std::copy_n(numbers(turned(spin, inverse(s.turn))).begin(), 3, velocity);
    }

    mjModel* m_model;
    mjData* m_data;
    std::vector<int> m_bodies;  // per segment
    bool m_lost = false;
};

}  // namespace

int mujoco_main(int argc, char** argv, const RopePeer& about, MujocoChain chain) {
    mju_user_error = [](const char* what) {  // it would ask for a key
        std::fprintf(stderr, "MuJoCo: %s\n", what);
        std::_Exit(static_cast<int>(Status::environment));
    };
    RopePeer peer = about;
    peer.version = mj_versionString();
    peer.make = [chain](const RopeCase& rope, const Json& setting) {
        return std::make_unique<MujocoRope>(rope, setting, chain);
    };
    return rope_peer_main(argc, argv, peer);
}

Json mujoco_setting(int steps, const char* solver, int iterations, const char* solimp, int work) {
    return {{"steps", steps},     {"solver", solver},       {"iterations", iterations}, {"tolerance", 1e-8},
            {"cone", "elliptic"}, {"timeconst_steps", 2.0}, {"solimp", solimp},         {"work", steps * work}};
}

}  // namespace plica::bench
