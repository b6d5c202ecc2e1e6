"""`mj_saveLastXML`: the file of a model with the numbers that the model has now."""

from __future__ import annotations

import logging
import os
from typing import Any

import numpy as np

from tumble.physics.compiler import pose
from tumble.physics.compiler.pose import Quat, vec3
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel
from tumble.physics.spec.conversion import SpecLoader
from tumble.physics.spec.spec import MjSpec
from tumble.physics.state.enums import mjtGeom, mjtJoint, mjtOrientation
from tumble.physics.state.model import Model
from tumble.physics.state.own import DEFAULTS

log = logging.getLogger(__name__)

# Of each kind of element: the prefix of its fields in a model, those of the same name, and those of another in the model.
_PLAIN: dict[str, tuple[str, str, dict[str, str]]] = {
    "body": ("body", "gravcomp", {}),
    "joint": ("jnt", "axis stiffness margin", {"solref_limit": "solref", "solimp_limit": "solimp", "actfrcrange": "actfrcrange"}),
    "geom": ("geom", "friction solmix solref solimp margin gap rgba condim contype conaffinity priority group", {}),
    "site": ("site", "rgba group", {}),
    "camera": ("cam", "fovy ipd", {}),
    "light": ("light", "attenuation cutoff exponent ambient diffuse specular castshadow active bulbradius intensity range", {}),
    "material": ("mat", "rgba emission specular shininess reflectance metallic roughness texrepeat texuniform", {}),
    "pair": ("pair", "solref solreffriction solimp margin gap friction", {"condim": "dim"}),
    "equality": ("eq", "data solref solimp", {"active": "active0"}),
    "tendon": ("tendon", "stiffness damping frictionloss armature range margin width rgba group actfrcrange", {
        "solref_limit": "solref_lim", "solimp_limit": "solimp_lim", "solref_friction": "solref_fri",
        "solimp_friction": "solimp_fri", "springlength": "lengthspring",
    }),
    "actuator": ("actuator", "gainprm biasprm dynprm ctrlrange forcerange actrange gear cranklength lengthrange group", {}),
    "sensor": ("sensor", "cutoff noise", {}),
    "key": ("key", "time qpos qvel act mpos mquat ctrl", {}),
}  # fmt: skip
_OF_DOFS = {"armature": "armature", "damping": "damping", "frictionloss": "frictionloss", "solref_friction": "solref",
            "solimp_friction": "solimp"}  # fmt: skip
_POSED = {"body": "body", "geom": "geom", "site": "site", "camera": "cam"}
_NOTHING = [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0]  # as the table says that end points and full inertias are not said
# What follows from other numbers, or is kept in another form: it is not said by itself.
_DERIVED = ("_invweight0", "dof_length", "_poscom0", "actuator_acc0", "stat_", "bvh_", "geom_rbound", "geom_aabb",
            "body_subtreemass", "dof_M0", "_length0", "paths", "mesh_")  # fmt: skip


def mj_saveLastXML(filename: str | os.PathLike[str], m: Model | None = None) -> None:
    """Write the model m, with the numbers that it has now, to a file; None: the one that was loaded last, as it was loaded.

    What is written is as `MjSpec.to_xml` writes it. Numbers that no file can say are named in the log. A copy of a model, or one
    of a compiled file, has to be one of the model that was loaded last. Raises MjcfError if none was loaded, it is of another, or
    the file cannot be written.
    """
    spec = _spec_of(m)
    if m is not None:
        fresh = spec.compile()
        if fresh.sizes() != m.sizes() or fresh.names != m.names:
            what = "not written: the model is not the one that was loaded last, or what it was made from has changed since"
            raise MjcfError(f"{os.fspath(filename)}: {what}")
        ModelNumbers(spec, fresh, m).copy()
        ModelNumbers(spec, spec.compile(), m).copy()  # what followed from those numbers, and is otherwise in the model
        _tell(spec.compile(), m, os.fspath(filename))
    spec.to_file(filename)


def _spec_of(m: Model | None) -> MjSpec:
    """A spec of what a model was made from, or the one that was loaded last."""
    origin = getattr(m, "origin", None)
    if isinstance(origin, MjSpec):
        return origin.copy()
    spec = MjSpec()
    SpecLoader(origin() if callable(origin) else MjModel.last_document(), spec).run()
    return spec


def _tell(written: Model, m: Model, filename: str) -> None:
    """Name the fields in which the model that is written differs from the one that it is to be."""
    left = [name for name in Model._struct.fields if not any(part in name for part in _DERIVED) and _differ(written, m, name)]
    if left:
        log.warning("%s: no file says these numbers of the model: %s", filename, ", ".join(left))


def _differ(a: Model, b: Model, name: str) -> bool:
    x, y = np.asarray(getattr(a, name)), np.asarray(getattr(b, name))
    if x.dtype.kind != "f":
        return x.shape != y.shape or bool((x != y).any())
    return x.shape != y.shape or not np.allclose(x, y, 1e-9, 1e-12, equal_nan=True)


class ModelNumbers:
    """Gives the elements of a spec the numbers that a model has otherwise than the one that the spec compiles to."""

    def __init__(self, spec: MjSpec, fresh: Model, m: Model) -> None:
        self._spec, self._fresh, self._m = spec, fresh, m

    def copy(self) -> None:
        """All numbers that elements and settings say."""
        for kind, (prefix, same, others) in _PLAIN.items():
            names = {name: name for name in same.split()} | others
            for element in self._spec.contents.all_of(kind):
                if element.entry.id >= 0:
                    if kind == "actuator" and self._changed("actuator_ctrlrange", element.entry.id):
                        element.inheritrange = 0
                    for field, name in names.items():
                        self._set(element, field, f"{prefix}_{name}", element.entry.id)
                    if kind in _POSED:
                        self._pose(element, kind, element.entry.id)
        for joint in self._spec.contents.all_of("joint"):
            if joint.entry.id >= 0:
                self._joint(joint, joint.entry.id)
        for body in self._spec.contents.all_of("body"):
            if body.entry.id > 0:
                self._inertia(body, body.entry.id)
        for light in self._spec.contents.all_of("light"):
            if light.entry.id >= 0 and light.entry.frame is None:
                self._set(light, "pos", "light_pos", light.entry.id)
                self._set(light, "dir", "light_dir", light.entry.id)
        for numeric in self._spec.contents.all_of("numeric"):
            start, count = self._m.numeric_adr[numeric.entry.id], self._m.numeric_size[numeric.entry.id]
            own = numeric.name in DEFAULTS  # an option of m.tumble, which may have been changed since
            numeric.data = np.array([getattr(self._m, numeric.name)] if own else self._m.numeric_data[start : start + count])
        self._settings()

    def _changed(self, name: str, at: int) -> bool:
        return not np.array_equal(getattr(self._fresh, name)[at], getattr(self._m, name)[at], equal_nan=True)

    def _set(self, element: Any, field: str, name: str, at: int) -> None:
        if self._changed(name, at):
            value = getattr(self._m, name)[at]
            setattr(element, field, np.array(value).reshape(-1) if np.ndim(value) else value.item())

    def _pose(self, element: Any, kind: str, at: int) -> None:
        """Place and orientation in the body, outside of frames; for a mesh, without those of the mesh in its own file."""
        prefix = _POSED[kind]
        sized = f"{prefix}_size" if kind in ("geom", "site") else ""
        if not any(self._changed(name, at) for name in (f"{prefix}_pos", f"{prefix}_quat", sized) if name):
            return
        m, quat = self._m, tuple(float(v) for v in getattr(self._m, f"{prefix}_quat")[at])
        pos, turned = vec3(getattr(m, f"{prefix}_pos")[at]), (quat[0], quat[1], quat[2], quat[3])
        if kind == "geom" and m.geom_dataid[at] >= 0 and m.geom_type[at] in (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF):
            pos, turned = _without_mesh(m, int(m.geom_dataid[at]), pos, turned)
        elif sized:
            element.size = np.array(getattr(m, sized)[at])
            element.fromto = _NOTHING
        element.set_frame(None)
        element.pos, element.quat = np.array(pos), np.array(turned)
        element.alt.type = mjtOrientation.mjORIENTATION_QUAT

    def _joint(self, joint: Any, j: int) -> None:
        m, dof, kind = self._m, self._m.jnt_dofadr[j], self._m.jnt_type[j]
        settings = joint.entry.compiler.settings()
        unit = settings.angle_unit if kind in (mjtJoint.mjJNT_HINGE, mjtJoint.mjJNT_BALL) else 1.0
        for field, name in _OF_DOFS.items():
            self._set(joint, field, f"dof_{name}", dof)
        self._set(joint, "stiffness", "jnt_stiffness", j)
        if self._changed("jnt_range", j) or self._changed("jnt_limited", j):
            limited = bool(m.jnt_limited[j])
            joint.range, joint.limited = m.jnt_range[j] / (unit if limited else 1.0), int(limited)
        if joint.entry.frame is None:
            self._set(joint, "pos", "jnt_pos", j)
        if kind in (mjtJoint.mjJNT_HINGE, mjtJoint.mjJNT_SLIDE):
            at = m.jnt_qposadr[j]
            for field, name in (("ref", "qpos0"), ("springref", "qpos_spring")):
                if self._changed(name, at):
                    setattr(joint, field, float(getattr(m, name)[at]) / unit)

    def _inertia(self, body: Any, b: int) -> None:
        names = ("body_mass", "body_inertia", "body_ipos", "body_iquat")
        if any(self._changed(name, b) for name in names):
            body.mass, body.inertia, body.ipos, body.iquat = (np.array(getattr(self._m, name)[b]).tolist() for name in names)
            body.fullinertia, body.explicitinertial = _NOTHING, 1
            body.ialt.type = mjtOrientation.mjORIENTATION_QUAT

    def _settings(self) -> None:
        """Options, visual settings and those statistics that are not as they follow from the model."""
        for name in Model._struct.fields:
            if name.startswith(("opt_", "vis_", "stat_")) and _differ(self._fresh, self._m, name):
                setattr(self._spec.contents.settings, name, getattr(self._m, name))


def _without_mesh(m: Model, mesh: int, pos: pose.Vec, quat: Quat) -> tuple[pose.Vec, Quat]:
    """The pose that a geom is given, of that which the compiler makes of it with the frame of its mesh."""
    w, x, y, z = (float(v) for v in m.mesh_quat[mesh])
    turned = pose.quat_mul(quat, pose.quat_inv((w, x, y, z)))
    return pose.sub(pos, pose.rotate(turned, vec3(m.mesh_pos[mesh]))), turned
