"""Why a name of the package mujoco is not here, or is another: the reasons that docs/api.md gives.

A name is written as in a program: `mj_rayFlex`, `MjData.narena`, `viewer.Handle.cam`. A reason for what is there after all is an
error, and so is a missing one.
"""

from __future__ import annotations

_PYTHON = "a module or type of Python's that the package imports for its own use"
_PLUGIN = "MuJoCo's own plugins are parts of the engine; there are no libraries to load"
_ARENA = "the memory of the reference's arena and stack: here arrays are numpy's, and grow as needed"
_ALLOCATE = "memory is numpy's: there is no allocator to replace"

_IMPORTS = "Sequence TypeAlias Union ctypes os platform subprocess warnings zipfile".split()
_MEMORY = "maxuse_arena maxuse_stack maxuse_threadstack narena nbuffer parena pbase pstack threadpool".split()
_ALLOCATORS = "get_mju_user_malloc set_mju_user_malloc get_mju_user_free set_mju_user_free".split()

NOT_APPLICABLE = {
    **dict.fromkeys(_IMPORTS, _PYTHON),
    "HEADERS_DIR": "headers of a C library: there is none",
    **dict.fromkeys(_ALLOCATORS, _ALLOCATE),
    **dict.fromkeys([f"MjData.{name}" for name in _MEMORY], _ARENA),
    **dict.fromkeys(("MjData.bind_scalar", "MjModel.bind_scalar"), "internal to the reference's `bind`, which is here"),
}
REFUSED = {
    **dict.fromkeys(("PLUGINS_DIR", "PLUGIN_HANDLES"), _PLUGIN),
    **dict.fromkeys(("MjData.nplugin",), _PLUGIN),
    "mj_printFormattedScene": "prints with a format of C's printf for each number; `mj_printScene` prints a scene",
    "MjData.signature": "a number by which the reference refuses data of another model; here sizes are compared",
}
REASONS = {"not applicable": NOT_APPLICABLE, "refused": REFUSED}

# What is here, and is another: a value, a type, an argument.
DIFFERENT: dict[str, str] = {
    "MjModel.plugin_attr": "bytes are unsigned here",
    "MjModel.text_data": "an array, as all other fields; `bytes(m.text_data)` is what the reference has",
    "MjVisualRgba.bv": "the reference has no room for its four numbers",
    "MjVisualRgba.bvactive": "the reference has no room for its four numbers",
    "rollout.rollout": "one argument more: `executor`, which spreads the rollouts over machines",
}

_INTERNAL = "is about the insides of the reference: "
_TOLERANCE = "both solvers end within the tolerance of the model, one of them an iteration before the other: "
_HEAP = "three objects that are not used are put into each other at one point: rounding decides where they fly"
_MJX = "mujoco.mjx._src.io_test.DataIOTest.test_get_data"
_GET_DATA = ("0", "1", "2", "3", "_batched0", "_batched1", "_into0", "_into1", "_runs", "_simplebody")
_WRITES = "dm_control.mujoco.wrapper.core_test.AttributesTest.testReadWriteScalar"
PEERS: dict[str, str] = {
    "specs.SpecsTest.test_plugin": "the message about an unknown attribute of a plugin says what is valid",
    "bindings.MuJoCoBindingsTest.test_docstrings": _INTERNAL + "wants its docstrings, word by word",
    "bindings.MuJoCoBindingsTest.test_can_raise_error": _INTERNAL
    + "has its stack overflow, which is not there (`MjData.narena`)",
    "bindings.MuJoCoBindingsTest.test_realloc_con_efc": _INTERNAL + "names its arena where there is no memory",
    "rollout.MuJoCoRolloutTest.test_intercept_mj_errors": "the message about an unknown solver says what is valid",
    **{
        f"{_WRITES}{k}": _INTERNAL + "one test a number, ten of which are not here (`MjData.narena`, `MjData.nplugin`)"
        for k in range(110, 120)
    },
    "dm_control.mujoco.wrapper.core_test.CoreTest.testContactForce": _TOLERANCE + "2e-9 of the weight of a box",
    **{f"{_MJX}{name}": "`mjx.get_data` writes where rows of constraints begin, which is read only here" for name in _GET_DATA},
    "metaworld.handle-press-v3: states": _TOLERANCE + "2e-5",
    "metaworld.peg-unplug-side-v3: states": "a cylinder lies flat on a box: one point stands for their line of contact, and "
    "rounding decides where on it",
    **{f"robosuite.PickPlace{name}: states": _HEAP for name in ("Can", "Cereal", "Milk", "Single")},
    "robosuite.TwoArmTransport: states": "they differ by 2e-5 after ten steps; the cause is not known",
    **{f"robosuite.TwoArm{name}: picture": "the floor is 8 levels of 255 darker" for name in ("Handover", "Transport")},
    "gymnasium_robotics.FrankaKitchen-v1: picture": "a directional light shines from infinity here: with the reference, geoms "
    "behind its position cast no shadow",
}
