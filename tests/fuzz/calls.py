"""Misuse of the public interface: functions called, and fields set, with what does not belong there.

A mutant is a list of calls in JSON. Each argument is a word: what it stands for is made in the child. Where a type is wrong, or
the number of arguments, a TypeError is the answer, as everywhere in Python; to everything else a PhysicsError, or that it works.
"""

import inspect
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.asset_seeds import Files
from tests.fuzz.seeds import EVERYTHING
from tumble import physics
from tumble.physics.errors import PhysicsError

_OTHER = "<mujoco><worldbody><geom size='1'/><body name='b'><freejoint/><geom size='1'/></body></worldbody></mujoco>"
_EMPTY = "<mujoco/>"

# What an argument may be: by word, given the models and data of this mutant.
ARGUMENTS: dict[str, Any] = {
    "m": lambda k: k.m, "d": lambda k: k.d, "other m": lambda k: k.other, "other d": lambda k: k.other_d,
    "empty m": lambda k: k.empty, "empty d": lambda k: k.empty_d, "none": None, "text": "torso", "no text": "", "bytes": b"\0\1",
    "strange": "\x00\ud800", "true": True, "zero": 0, "one": 1, "two": 2, "minus": -1, "hundred": 100, "huge": 2**31,
    "vast": 10**400,
    "real": 0.5, "nan": float("nan"), "inf": float("inf"), "list": [1, 2, 3], "empty list": [], "dict": {}, "object": object(),
    "class": physics.MjModel, "deep": [[[1], [2, 3]]],
    "vec0": lambda k: np.zeros(0), "vec1": lambda k: np.zeros(1), "vec3": lambda k: np.ones(3), "vec4": lambda k: np.array([1.0,
    0, 0, 0]),
    "vec6": lambda k: np.ones(6), "vec9": lambda k: np.eye(3).ravel(), "nq": lambda k: np.zeros(k.m.nq),
    "nv": lambda k: np.zeros(k.m.nv),
    "jac": lambda k: np.zeros((3, k.m.nv)), "square": lambda k: np.zeros((k.m.nv, k.m.nv)), "flat": lambda k: np.zeros((1, 0)),
    "nans": lambda k: np.full(3, np.nan), "floats": lambda k: np.ones(3, np.float32), "ints": lambda k: np.ones(3, np.int32),
    "texts": lambda k: np.array(["a", "b"]), "objects": lambda k: np.array([None, 1], object),
    "strided": lambda k: np.ones(12)[::4],
    "fixed": lambda k: k.fixed, "scalar": lambda k: np.float64(1.5), "column": lambda k: np.ones((3, 1)),
    "big": lambda k: np.zeros(5000), "spec": lambda k: physics.MjSpec(), "complex": 1j,
}  # fmt: skip
# Not called: they write files, change what the whole process does, take a function, or are enumerations of Python.
_NOT = ("mjt", "mj_save", "mj_print", "set_", "reset_", "mju_writeLog", "mj_clearCache", "mj_setCache", "prepare", "work_ahead",
    "compiled",
        "mju_printMat", "Sp", "start_recording", "mj_resetCallbacks")  # fmt: skip
_FIELDS = ("d.qpos", "d.qvel", "d.ctrl", "d.time", "d.xfrc_applied", "d.mocap_pos", "d.act", "d.userdata", "d.eq_active",
    "m.opt.timestep",
           "m.opt.solver", "m.opt.gravity", "m.opt.iterations", "m.body_mass", "m.geom_size", "m.jnt_range", "m.nbody", "m.nv",
           "d.ncon",
           "d.nefc", "m.body_parentid", "m.dof_parentid", "m.names", "m.vis.map.znear", "m.stat.extent", "m.opt.disableflags",
           "d.contact", "d.efc_J", "m.jnt_type", "m.geom_type", "m.actuator_trnid", "m.opt.cone",
           "m.opt.sdf_initpoints")  # fmt: skip
_NAMED = ("m.body", "m.geom", "m.joint", "d.body", "d.geom", "d.sensor", "m.actuator", "m.keyframe", "d.joint", "m.site")


def functions() -> dict[str, Any]:
    """What can be called by its name."""
    return {
        name: made for name in dir(physics) if callable(made := getattr(physics, name)) and not name.startswith(("_",
            *_NOT))
        and name[0].islower() and not inspect.ismodule(made)
    }  # fmt: skip


def sound(name: str) -> list[str]:
    """Words for arguments that may be right, by the names of the parameters."""
    known = {"m": "m", "model": "m", "d": "d", "data": "d", "name": "text", "nstep": "one", "mat": "vec9", "quat": "vec4",
        "res": "vec3",
             "vec": "vec3", "jacp": "jac", "jacr": "jac", "pos": "vec3", "point": "vec3", "id": "one", "body": "one"}  # fmt: skip
    try:
        parameters = inspect.signature(getattr(physics, name)).parameters.values()
    except (ValueError, TypeError):
        return ["m", "d"]
    wanted = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [known.get(p.name, "one" if "int" in str(p.annotation) else "vec3") for p in wanted]


def calls_of(rng: random.Random) -> bytes:
    """A list of calls, a few steps among them: what a wrong one leaves behind must not break what follows."""
    made, words = [], sorted(ARGUMENTS)
    for _ in range(rng.randint(2, 8)):
        kind = rng.random()
        if kind < 0.65:
            name = rng.choice(sorted(functions()))
            given = sound(name)
            for _ in range(rng.choice((1, 1, 2))):
                if given:
                    given[rng.randrange(len(given))] = rng.choice(words)
            if rng.random() < 0.05:
                given = given[:-1] if rng.random() < 0.5 else [*given, rng.choice(words)]
            made.append(["call", name, *given])
        elif kind < 0.85:
            made.append(["set", rng.choice(_FIELDS), rng.choice(words)])
        else:
            made.append(["call", rng.choice(_NAMED), rng.choice(words)])
        if rng.random() < 0.5:
            made.append(["call", "mj_step", "m", "d"])
    return json.dumps(made).encode()


class _Kit:
    """The models and data of a mutant."""

    def __init__(self) -> None:
        self.m, self.other, self.empty = (physics.MjModel.from_xml_string(text) for text in (EVERYTHING, _OTHER, _EMPTY))
        self.d, self.other_d, self.empty_d = physics.MjData(self.m), physics.MjData(self.other), physics.MjData(self.empty)
        self.fixed = np.ones(3)
        self.fixed.flags.writeable = False

    def argument(self, word: str) -> Any:
        """What a word stands for."""
        made = ARGUMENTS[word]
        return made(self) if callable(made) and not isinstance(made, type) else made


def open_calls(files: Files, folder: Path, seed: int) -> None:
    """Make the calls of a mutant, then step, whatever they have done; the last error that is clear is raised again."""
    kit, refused = _Kit(), None
    calls = json.loads(files["calls.json"])
    for call in [*calls, ["call", "mj_resetData", "m", "d"], ["call", "mj_step", "m", "d"]]:
        what, name, *words = call
        given = [kit.argument(word) for word in words]
        try:
            _make(kit, what, name, given)
        except PhysicsError as error:
            refused = error
        except TypeError as error:
            refused = PhysicsError(f"{call[1]}: {error}")
        except AttributeError as error:
            owner = str(error).partition("' object")[0].rpartition(".")[2].strip("'")
            lacking = any(type(one).__name__ == owner for one in given)
            if what != "set" and not lacking:  # else Python says what is wrong with an argument
                error.add_note(call[1])
                raise
            refused = PhysicsError(f"{call[1]}: {error}")
        except Exception as error:
            error.add_note(call[1])
            raise
    if refused is not None:
        raise refused


def _make(kit: _Kit, what: str, name: str, given: list[Any]) -> None:
    if what == "set":
        *path, last = name.split(".")
        setattr(_found(kit, path), last, given[0])
    elif "." in name:
        _found(kit, name.split("."))(*given)
    else:
        getattr(physics, name)(*given)


def _found(kit: _Kit, path: list[str]) -> Any:
    found: Any = kit
    for part in path:
        found = getattr(found, part)
    return found
