"""Random specs, made by the same calls in this engine and in the reference."""

from __future__ import annotations

from typing import Any

import numpy as np


class Maker:
    """Makes a spec with the names of one engine. prefix: of all names, so that two specs have none in common."""

    def __init__(self, engine: Any, seed: int, prefix: str = "") -> None:
        self.mj, self.rng, self.prefix = engine, np.random.default_rng(seed), prefix
        self.spec = engine.MjSpec()
        self.bodies, self.frames, self.classes = [self.spec.worldbody], [], [self.spec.default]
        self.joints: list[str] = []
        self.sites: list[str] = []
        self.geoms: list[str] = []

    def make(self) -> Any:
        rng, spec = self.rng, self.spec
        spec.compiler.degree = int(rng.integers(2))
        spec.compiler.eulerseq = [str(letter) for letter in rng.choice(list("xyzXYZ"), 3)]
        spec.option.timestep, spec.option.gravity = float(rng.uniform(0.001, 0.01)), rng.normal(size=3)
        spec.default.geom.friction = rng.uniform(0.1, 2, 3)
        for k in range(rng.integers(1, 4)):
            self._class(f"{self.prefix}class{k}")
        spec.add_texture(name=f"{self.prefix}t", type=self.mj.mjtTexture.mjTEXTURE_2D, builtin=1, width=4, height=4)
        spec.add_material(name=f"{self.prefix}m", rgba=rng.random(4)).textures[1] = f"{self.prefix}t"
        for k in range(rng.integers(3, 8)):
            self._body(k)
        self._relations()
        return spec

    def _class(self, name: str) -> None:
        rng = self.rng
        made = self.spec.add_default(name, self.classes[rng.integers(len(self.classes))])
        made.geom.size, made.geom.rgba = rng.uniform(0.1, 0.5, 3), rng.random(4).astype(np.float32)
        made.joint.armature, made.actuator.gear, made.tendon.width = float(rng.random()), rng.normal(size=6), 0.01
        self.classes.append(made)

    def _chosen(self) -> Any:
        return self.classes[self.rng.integers(len(self.classes))] if self.rng.random() < 0.5 else None

    def _turned(self) -> dict[str, Any]:
        forms = {"quat": 4, "euler": 3, "axisangle": 4, "zaxis": 3, "xyaxes": 6}
        form = str(self.rng.choice([*forms, ""]))
        return {"pos": self.rng.normal(size=3)} | ({form: self.rng.normal(size=forms[form])} if form else {})

    def _holder(self, body: Any) -> Any:
        held = [frame for frame in self.frames if frame.parent == body]
        return held[self.rng.integers(len(held))] if held and self.rng.random() < 0.5 else body

    def _body(self, k: int) -> None:
        rng, mj, prefix = self.rng, self.mj, self.prefix
        parent = self.bodies[rng.integers(len(self.bodies))]
        body = self._holder(parent).add_body(name=f"{prefix}b{k}", **self._turned())
        self.bodies.append(body)
        if rng.random() < 0.5:
            self.frames.append(body.add_frame(name=f"{prefix}f{k}", **self._turned()))
        for i in range(rng.integers(1, 4)):
            self._geom(body, f"{prefix}g{k}_{i}")
        for i in range(rng.integers(0, 3)):
            kind = mj.mjtJoint.mjJNT_SLIDE if rng.random() < 0.5 else mj.mjtJoint.mjJNT_HINGE
            limits = {"range": sorted(rng.normal(size=2) * 20)} if rng.random() < 0.5 else {}
            name = f"{prefix}j{k}_{i}"
            self._holder(body).add_joint(self._chosen(), name=name, type=kind, axis=rng.normal(size=3), pos=rng.normal(size=3),
                                         ref=float(rng.normal()), **limits)  # fmt: skip
            self.joints.append(name)
        if rng.random() < 0.7:
            self._holder(body).add_site(self._chosen(), name=f"{prefix}s{k}", **self._turned())
            self.sites.append(f"{prefix}s{k}")
        if rng.random() < 0.3:
            self._holder(body).add_camera(name=f"{prefix}c{k}", fovy=float(rng.uniform(20, 80)), **self._turned())
            self._holder(body).add_light(pos=rng.normal(size=3), dir=rng.normal(size=3), diffuse=rng.random(3))
        if rng.random() < 0.2:
            body.mass, body.inertia, body.ipos = 1.5, rng.uniform(1, 1.5, 3), rng.normal(size=3)
            body.explicitinertial = 1

    def _geom(self, body: Any, name: str) -> None:
        rng, kinds = self.rng, ("SPHERE", "CAPSULE", "BOX", "ELLIPSOID", "CYLINDER")
        kind = str(rng.choice(kinds))
        pose = {"fromto": rng.normal(size=6)} if kind != "SPHERE" and rng.random() < 0.3 else self._turned()
        more: dict[str, Any] = {"material": f"{self.prefix}m"} if rng.random() < 0.5 else {"userdata": rng.normal(size=2)}
        self._holder(body).add_geom(self._chosen(), name=name, type=getattr(self.mj.mjtGeom, f"mjGEOM_{kind}"),
                                    size=rng.uniform(0.05, 0.4, 3), group=int(rng.integers(4)), **pose, **more)  # fmt: skip
        self.geoms.append(name)

    def _relations(self) -> None:
        mj, rng, spec, prefix = self.mj, self.rng, self.spec, self.prefix
        names = [body.name for body in self.bodies[1:]]
        if len(self.joints) > 1:
            tendon = spec.add_tendon(self._chosen(), name=f"{prefix}fixed")
            for joint in self.joints[:3]:
                tendon.wrap_joint(joint, float(rng.normal()))
            spec.add_equality(name=f"{prefix}je", type=mj.mjtEq.mjEQ_JOINT, name1=self.joints[0], name2=self.joints[1])
        if len(self.sites) > 1:
            tendon = spec.add_tendon(self._chosen(), name=f"{prefix}spatial", range=[0, 5])
            for site in self.sites:
                tendon.wrap_site(site)
        for joint in self.joints:
            actuator = spec.add_actuator(self._chosen(), name=f"{prefix}a{joint}", trntype=mj.mjtTrn.mjTRN_JOINT, target=joint)
            given = [("motor", {}), ("position", {"kp": 5.0, "kv": 0.5}), ("velocity", {"kv": 2.0}),
                     ("cylinder", {"timeconst": 0.1, "bias": 0.2, "area": 0.7})][rng.integers(4)]  # fmt: skip
            getattr(actuator, f"set_to_{given[0]}")(**given[1])
        spec.add_exclude(name=f"{prefix}ex", bodyname1=names[1], bodyname2=names[0])
        spec.add_equality(name=f"{prefix}weld", type=mj.mjtEq.mjEQ_WELD, name1=names[0], name2=names[1],
                          objtype=mj.mjtObj.mjOBJ_BODY)  # fmt: skip
        spec.add_pair(name=f"{prefix}pair", geomname1=self.geoms[0], geomname2=self.geoms[-1])
        for site in self.sites:
            spec.add_sensor(name=f"{prefix}acc{site}", type=mj.mjtSensor.mjSENS_ACCELEROMETER, objtype=mj.mjtObj.mjOBJ_SITE,
                            objname=site)  # fmt: skip
        spec.add_sensor(name=f"{prefix}pos", type=mj.mjtSensor.mjSENS_FRAMEPOS, objtype=mj.mjtObj.mjOBJ_XBODY, objname=names[0],
                        reftype=mj.mjtObj.mjOBJ_BODY, refname=names[-1])  # fmt: skip
        spec.add_sensor(name=f"{prefix}touch", type=mj.mjtSensor.mjSENS_CONTACT, objtype=mj.mjtObj.mjOBJ_BODY, objname=names[0],
                        intprm=[3, 1, 2])  # fmt: skip
        spec.add_numeric(name=f"{prefix}n", data=[1, 2, 3], size=5)
        spec.add_tuple(name=f"{prefix}tu", objtype=[int(mj.mjtObj.mjOBJ_BODY)], objname=[names[0]], objprm=[2.5])
