"""Custom data and keyframes."""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler import pose
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.fill import lay_out
from tumble.physics.errors import ModelError
from tumble.physics.mjcf.references import ALIASES
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtJoint, mjtObj
from tumble.physics.state.model import Model
from tumble.physics.state.own import DEFAULTS

OWN_PREFIX = "tumble_"  # of a <numeric> that is an option of m.tumble
_MOST_NUMBERS = 500  # in one <numeric>


def numeric_size(element: Element) -> int:
    """Length of a <numeric>. Raises MjcfError if it is too long, or has more data than that."""
    data = np.atleast_1d(element.get("data", ()))
    size = element.get("size", len(data))
    if not 1 <= size <= _MOST_NUMBERS:
        raise element.error(f"size must be 1 to {_MOST_NUMBERS}, is {size}")
    if len(data) > size:
        raise element.error(f"has {len(data)} numbers of data, more than its size {size}")
    return int(size)


def text_bytes(element: Element) -> bytes:
    """A <text> as it is stored, with a zero byte at the end."""
    data = element.get("data").encode()
    if not data:
        raise element.error("data must not be empty")
    return data + b"\0"


def fill_custom(draft: Draft, m: Model) -> None:
    """Write the numbers, texts and tuples of a model."""
    numbers = [np.atleast_1d(element.get("data", ())) for element in draft.numerics]
    lay_out(m, [numeric_size(element) for element in draft.numerics], "numeric_adr", "numeric_size", numeric_data=numbers)
    texts = [np.frombuffer(text_bytes(element), np.uint8) for element in draft.texts]
    lay_out(m, [len(text) for text in texts], "text_adr", "text_size", text_data=texts)
    lay_out(m, [len(element.children) for element in draft.tuples], "tuple_adr", "tuple_size")
    at = 0
    for element in draft.tuples:
        if not element.children:
            raise element.error("is empty: give it at least one <element>")
        for child in element.children:
            kind = child.get("objtype")
            m.tuple_objtype[at] = mjtObj[f"mjOBJ_{kind.upper()}"]
            m.tuple_objid[at] = draft.named(child, "objname", ALIASES.get(kind, kind), child.get("objname"))
            m.tuple_objprm[at] = child.get("prm")
            at += 1


def fill_own_options(draft: Draft, m: Model) -> None:
    """Set options beyond the reference, m.tumble, by the <numeric> of their names: tumble_lcp_omega.

    The reference reads such a file, too, and ignores them. Raises MjcfError for an unknown name, or a value that is not valid.
    """
    for element in draft.numerics:
        name = element.get("name")
        if not name.startswith(OWN_PREFIX):
            continue
        if name not in DEFAULTS:
            raise element.error(f"{name} is no option; valid are {', '.join(DEFAULTS)}")
        numbers = np.atleast_1d(element.get("data", ()))
        if len(numbers) != 1 or numeric_size(element) != 1:
            raise element.error(f"{name} needs 1 number, has {len(numbers)}")
        value = float(numbers[0])
        whole = isinstance(DEFAULTS[name], int)
        if whole and value != round(value):
            raise element.error(f"{name} must be a whole number, is {value:g}")
        try:
            setattr(m.tumble, name.removeprefix(OWN_PREFIX), int(value) if whole else value)
        except ModelError as error:
            raise element.error(str(error)) from None


def fill_keys(draft: Draft, m: Model) -> None:
    """Write the keyframes of a model; what a keyframe does not say is as at the start.

    Raises MjcfError for a keyframe whose numbers do not fit the model.
    """
    mocaps = [body for body in draft.bodies if body.mocap]
    start = {
        "qpos": np.asarray(m.qpos0), "qvel": np.zeros(m.nv), "act": np.zeros(m.na), "ctrl": np.zeros(m.nu),
        "mpos": np.array([body.pos for body in mocaps]).ravel(), "mquat": np.array([body.quat for body in mocaps]).ravel(),
    }  # fmt: skip
    for name, values in start.items():
        getattr(m, f"key_{name}")[...] = values
    for i, element in enumerate(draft.keys):
        m.key_time[i] = element.get("time", 0.0)
        for name, values in start.items():
            if not element.has(name):
                continue
            given = _fitting(element, name, values)
            # not-a-number: a value that the keyframe of a composed model does not give
            getattr(m, f"key_{name}")[i] = np.where(np.isnan(given), values, given)
        _unit_quats(draft, m, i)


def _fitting(element: Element, name: str, start: np.ndarray) -> np.ndarray:
    """The numbers of a keyframe, those that it leaves out as at the start; of a mocap body all that belong together or none."""
    given = np.atleast_1d(element.get(name))
    if len(given) > len(start):
        raise element.error(f"{name} needs {len(start)} numbers for this model, has {len(given)}")
    if len(given) < len(start):
        element.warn(f"{name} has {len(given)} numbers, {len(start)} are needed for this model: the others are as at the start")
        together = {"mpos": 3, "mquat": 4}.get(name, 1)
        whole = len(given) // together * together
        given = np.concatenate([given[:whole], start[whole:]])
    return given


def _unit_quats(draft: Draft, m: Model, i: int) -> None:
    for joint in draft.joints:
        at = joint.qposadr + 3 * (joint.type == mjtJoint.mjJNT_FREE)
        if joint.type in (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL):
            m.key_qpos[i, at : at + 4] = pose.quat_unit(m.key_qpos[i, at : at + 4])
    for k in range(m.nmocap):
        m.key_mquat[i, 4 * k : 4 * k + 4] = pose.quat_unit(m.key_mquat[i, 4 * k : 4 * k + 4])
