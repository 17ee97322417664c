#!/usr/bin/env python3
"""Newton (on Warp) on the CPU: rigid capsules on ball joints. `plica bench` calls it as it does the programs beside it
(rope_peer.hpp). Nobody judges on the way here, so a rope that is too deep runs to its end."""

import json
import math
import os
import sys
import time

packages = "@PLICA_PEERS_FROM@"  # where pip put them; see bench/CMakeLists.txt
sys.path.insert(0, packages)

try:
    import numpy as np
    import warp as wp

    wp.config.log_level = wp.LOG_ERROR
    wp.config.kernel_cache_dir = os.path.join(packages, "warp-kernels")
    import newton
except ImportError as error:
    sys.exit(f"Newton cannot be loaded: {error}")


@wp.func
def meet_bowl(p: wp.vec3, center: wp.vec3, radius: float):
    """Distance to a hemisphere with a wall on its rim, and the way in."""
    away = p - center
    if away[2] > 0.0:
        away[2] = 0.0
    far = wp.length(away)
    inward = wp.vec3(0.0, 0.0, 1.0)
    if far > 0.0:
        inward = -away / far
    return radius - far, inward


@wp.kernel
def add_bowl_contacts(
    body_q: wp.array[wp.transform], half: wp.array[float], thick: float, center: wp.vec3, radius: float, near: float,
    wall: int, limit: int, count: wp.array[int], shape0: wp.array[int], shape1: wp.array[int],
    point0: wp.array[wp.vec3], point1: wp.array[wp.vec3], offset0: wp.array[wp.vec3], offset1: wp.array[wp.vec3],
    normal: wp.array[wp.vec3], margin0: wp.array[float], margin1: wp.array[float], match: wp.array[int]):
    i, side = wp.tid()
    local = wp.vec3(0.0, 0.0, half[i] * (2.0 * float(side) - 1.0))
    end = wp.transform_point(body_q[i], local)
    distance, inward = meet_bowl(end, center, radius)
    if distance - thick > near:
        return
    k = wp.atomic_add(count, 0, 1)
    if k >= limit:
        return
    shape0[k] = i
    shape1[k] = wall
    point0[k] = local
    point1[k] = end - distance * inward
    offset0[k] = wp.quat_rotate_inv(wp.transform_get_rotation(body_q[i]), -thick * inward)
    offset1[k] = wp.vec3(0.0)
    normal[k] = -inward
    margin0[k] = thick
    margin1[k] = 0.0
    if match:
        match[k] = -1  # no multipliers from the step before


@wp.kernel
def add_drag(kept: float, body_qd: wp.array[wp.spatial_vector]):
    i = wp.tid()
    body_qd[i] = kept * body_qd[i]


def turn_from_z(u):
    if u[2] < -1.0 + 1e-12:
        return wp.quat(1.0, 0.0, 0.0, 0.0)
    w = math.sqrt(0.5 * (1.0 + u[2]))
    return wp.quat(-u[1] / (2.0 * w), u[0] / (2.0 * w), 0.0, w)


class Rope:
    def __init__(self, case, setting):
        self.case, self.setting = case, setting
        nodes, velocities = np.array(case["nodes"]), np.array(case["velocities"])
        along = np.diff(nodes, axis=0)
        length = np.linalg.norm(along, axis=1)
        self.half, self.count = 0.5 * length, len(length)
        self.half_on_device = wp.array(self.half.astype(np.float32), device="cpu")
        self.dt = 1.0 / case["frames_per_second"] / setting["steps"]
        self.near = 0.25 * case["radius"]
        builder = newton.ModelBuilder()
        builder.rigid_gap = self.near
        self.add_capsules(builder, 0.5 * (nodes[:-1] + nodes[1:]), along / length[:, None])
        wall = newton.ModelBuilder.ShapeConfig(
            mu=case["friction"], ke=setting.get("ke", 2.5e3), kd=0.0, has_shape_collision=False)
        self.wall = builder.add_shape_sphere(-1, radius=case["bowl_radius"], cfg=wall)  # who the bowl's contacts name
        builder.color()
        self.model = builder.finalize(device="cpu")
        self.model.set_gravity(tuple(case["gravity"]))
        self.pipeline = newton.CollisionPipeline(
            self.model, broad_phase="sap", rigid_contact_max=24 * self.count, verify_buffers=False,
            shape_pairs_max=64 * self.count, contact_matching="latest" if setting["solver"] == "VBD" else "disabled")
        self.contacts = self.pipeline.contacts()
        self.solver = self.make_solver()
        self.states = [self.model.state(), self.model.state()]
        self.control = self.model.control()
        spin = np.cross(along, np.diff(velocities, axis=0)) / (length**2)[:, None]
        motion = np.hstack([0.5 * (velocities[:-1] + velocities[1:]), spin]).astype(np.float32)
        self.states[0].body_qd.assign(motion)

    def add_capsules(self, builder, middle, direction):
        case = self.case
        exclude = max(1, math.ceil(math.pi * case["radius"] / (2.0 * self.half.mean())))
        joints = []
        for i, half in enumerate(self.half.tolist()):
            volume = math.pi * case["radius"]**2 * (2.0 * half + 4.0 / 3.0 * case["radius"])
            shape = newton.ModelBuilder.ShapeConfig(
                density=case["mass_per_length"] * 2.0 * half / volume, mu=case["friction"], mu_torsional=0.0,
                mu_rolling=0.0, ke=self.setting.get("ke", 2.5e3), kd=0.0)
            body = builder.add_link(xform=wp.transform(wp.vec3(*middle[i]), turn_from_z(direction[i])))
            builder.add_shape_capsule(body, radius=case["radius"], half_height=half, cfg=shape)
            if i == 0:
                joints.append(builder.add_joint_free(body))
            else:
                joints.append(builder.add_joint_ball(
                    i - 1, i, parent_xform=wp.transform(wp.vec3(0.0, 0.0, float(self.half[i - 1]))),
                    child_xform=wp.transform(wp.vec3(0.0, 0.0, -half))))
            for j in range(max(0, i - exclude), i):
                builder.add_shape_collision_filter_pair(j, i)
        builder.add_articulation(joints)

    def make_solver(self):
        if self.setting["solver"] == "XPBD":
            return newton.solvers.SolverXPBD(self.model, iterations=self.setting["iterations"])
        return newton.solvers.SolverVBD(
            self.model, iterations=self.setting["iterations"], rigid_contact_history=True,
            rigid_joint_linear_ke=self.setting["ke"])

    def step(self):
        old, new = self.states
        c = self.contacts
        old.clear_forces()
        self.pipeline.collide(old, c)
        wp.launch(add_bowl_contacts, dim=(self.count, 2), device="cpu", inputs=[
            old.body_q, self.half_on_device, self.case["radius"], wp.vec3(*self.case["bowl_center"]),
            self.case["bowl_radius"], self.near, self.wall, c.rigid_contact_max, c.rigid_contact_count,
            c.rigid_contact_shape0, c.rigid_contact_shape1, c.rigid_contact_point0, c.rigid_contact_point1,
            c.rigid_contact_offset0, c.rigid_contact_offset1, c.rigid_contact_normal, c.rigid_contact_margin0,
            c.rigid_contact_margin1, c.rigid_contact_match_index])
        self.solver.step(old, new, self.control, c, self.dt)
        wp.launch(add_drag, dim=self.count, device="cpu",
                  inputs=[math.exp(-self.case["drag"] * self.dt), new.body_qd])
        self.states = [new, old]

    def lost_contacts(self):
        return self.contacts.rigid_contact_count.numpy()[0] > self.contacts.rigid_contact_max

    def ends(self):
        pose = self.states[0].body_q.numpy().astype(float)
        x, y, z, w = pose[:, 3:].T
        axis = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
        return pose[:, :3] - axis * self.half[:, None], pose[:, :3] + axis * self.half[:, None]


def record(case, setting):
    """Two steps as one graph, so that Python is not what is timed. The first rope makes Warp compile what it needs."""
    Rope(case, setting).step()
    rope = Rope(case, setting)
    with wp.ScopedCapture(device="cpu") as capture:
        rope.step()
        rope.step()
    return rope, capture.graph


def read_nodes(rope):
    a, b = rope.ends()
    nodes = np.vstack([a[:1], 0.5 * (b[:-1] + a[1:]), b[-1:]])
    return nodes, float(np.linalg.norm(a[1:] - b[:-1], axis=1).max(initial=0.0))


def simulate(case, limit, setting):
    rope, graph = record(case, setting)
    fps = case["frames_per_second"]
    frames = [np.array(case["nodes"])]
    frame_ms, gap, state = [], 0.0, "done"
    while state == "done" and len(frame_ms) < max(1, round(case["seconds"] * fps)):
        began = time.process_time()
        for _ in range(setting["steps"] // 2):
            wp.capture_launch(graph)
        frame_ms.append(1e3 * (time.process_time() - began))
        nodes, open_now = read_nodes(rope)
        gap = max(gap, open_now)
        if rope.lost_contacts() or not np.all(np.abs(nodes) < 100.0):
            state, gap = "exploded", None
        else:
            frames.append(nodes)
        if 1e-3 * sum(frame_ms) > limit * max(len(frame_ms) / fps, 1.0):
            state = "too slow"
    answer = {"state": state, "cpu_s": 1e-3 * sum(frame_ms), "simulated_s": len(frame_ms) / fps, "frame_ms": frame_ms,
              "joint_gap": gap}
    return np.array(frames), answer


def write(folder, case, frames):
    """What `plica run --dump` writes."""
    os.makedirs(folder, exist_ok=True)
    count = len(case["nodes"])
    np.save(os.path.join(folder, "positions.npy"), frames)
    np.save(os.path.join(folder, "times.npy"), np.arange(len(frames)) / case["frames_per_second"])
    body = {"name": "gut", "nodes": [0, count], "columns": list(range(count)),
            "segments": [[i, i + 1, case["radius"]] for i in range(count - 1)]}
    with open(os.path.join(folder, "scene.json"), "w") as out:
        json.dump({"units": "SI", "bodies": [body]}, out)


def settings():
    """Steps are even: two make a graph. What a setting of VBD costs is in iterations of XPBD."""
    some = [{"steps": steps, "solver": "XPBD", "iterations": n, "work": steps * (n + 3)}
            for steps in (8, 10, 12, 16, 20, 40, 80, 160) for n in (2, 4)]
    some += [{"steps": steps, "solver": "VBD", "iterations": n, "ke": ke, "work": round(steps * (1.3 * n + 11))}
             for steps in (10, 20, 40) for n in (5, 10) for ke in (1e5, 1e6)]
    return some


def main(words):
    if len(words) == 2 and words[0] == "describe":
        return {"name": "newton", "version": newton.__version__, "settings": settings(),
                "setup": "rigid capsules on ball joints, steps replayed as a graph, exact bowl"}
    if len(words) == 6 and words[0] == "run":
        with open(words[1]) as text:
            case = json.load(text)
        frames, answer = simulate(case, float(words[3]), json.loads(words[5]))
        write(words[2], case, frames)
        return answer
    sys.exit("expected: describe SEGMENTS, or run CASE DIR SECONDS DEPTH SETTING; plica bench calls this program")


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])))
