"""Sizes of a model: how many of everything, and the limits that keep a file from exhausting memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.physics.compiler import custom
from tumble.physics.compiler import name_table as names
from tumble.physics.compiler.assets import skin
from tumble.physics.compiler.assets.mesh.asset import mesh_sizes
from tumble.physics.compiler.bodies.numbering import count_trees
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.flex.fill import flex_sizes
from tumble.physics.compiler.hierarchies import hierarchy_sizes
from tumble.physics.compiler.options import section
from tumble.physics.compiler.relations.actuators import activation_number, transmission
from tumble.physics.compiler.relations.equalities import most_rows
from tumble.physics.compiler.relations.sensors import Sensor, history_size
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtTrn

_MOST_USER = 10_000  # user numbers of one object
_MOST_BYTES = 2**31  # of user numbers, or keyframes, of all objects together
_MOST_DATA = 100_000_000  # numbers of user data
_MOST_KEYS = 1_000_000
_MOST_BODIES = 65_536  # a pair of bodies is stored as two 16-bit numbers


def find_sizes(
    draft: Draft, named: dict[str, list[str]], sensors: Sequence[Sensor]
) -> dict[str, int]:
    """Sizes by name, but for those of sparsity patterns. Raises MjcfError if a file asks for too much."""
    size = section(draft.root, "size")
    if size.get("nuserdata") < 0:
        raise size.error(f"nuserdata must not be negative, is {size.get('nuserdata')}")
    if size.get("nkey") < 0:
        size.warn(f"nkey is negative, {size.get('nkey')}: there are as many keyframes as are written")
    if size.get("nuserdata") > _MOST_DATA:
        raise size.error(f"nuserdata must be at most {_MOST_DATA}, is {size.get('nuserdata')}")
    sizes = {f"n{names.KINDS[kind]}": len(listed) for kind, listed in named.items()}
    sizes["nu"] = sizes.pop("nactuator")
    sizes |= {
        "nq": sum(joint.nqpos for joint in draft.joints), "nv": sum(joint.ndof for joint in draft.joints),
        "na": sum(activation_number(element) for element in draft.actuators), "ntree": count_trees(draft),
        "ntexdata": sum(texture.pixels.size for texture in draft.assets.textures), "nemax": most_rows(draft),
        "nhfielddata": sum(hfield.data.size for hfield in draft.assets.hfields),
        "nwrap": sum(len(element.children) for element in draft.tendons), "nsensordata": sum(sensor.dim for sensor in sensors),
        "nnumericdata": sum(custom.numeric_size(element) for element in draft.numerics),
        "ntextdata": sum(len(custom.text_bytes(element)) for element in draft.texts),
        "ntupledata": sum(len(element.children) for element in draft.tuples),
        "nmocap": sum(body.mocap for body in draft.bodies), "nuserdata": size.get("nuserdata"),
        "ngravcomp": sum(body.element.get("gravcomp", 0.0) != 0 for body in draft.bodies[1:]),
        "nnames": len(names.buffer(draft.root.get("model", ""), named)), "npaths": max(1, sum(map(len, draft.assets.paths()))),
        "nnames_map": 2 * sum(map(len, named.values())), "njmax": size.get("njmax"), "nconmax": size.get("nconmax"),
        "narena": max(0, size.get("memory")), "nhistory": history_size(draft, sensors),
        "npluginattr": sum(len(instance.text()) for instance in draft.plugins.instances),
    }  # fmt: skip
    if sizes["nbody"] > _MOST_BODIES:
        raise draft.bodies[_MOST_BODIES].element.error(f"is one body too many; {_MOST_BODIES} are the most, the world included")
    sizes |= skin.sizes(draft.assets.skins) | mesh_sizes(draft.assets.meshes) | hierarchy_sizes(draft) | flex_sizes(draft)
    sizes["nJmom"] = sum(faults.each(lambda element: _moment_size(draft, element, sizes["nv"]), draft.actuators))
    sizes |= _user_sizes(draft, size)
    state = sizes["nq"] + sizes["nv"] + sizes["na"] + sizes["nu"] + 7 * sizes["nmocap"]
    if 8 * sizes["nkey"] * (1 + state) > _MOST_BYTES:
        raise size.error(f"nkey {sizes['nkey']} keyframes of this model need more than {_MOST_BYTES} bytes")
    return sizes


def key_number(draft: Draft) -> int:
    """Number of keyframes: those written, or `<size nkey>` if that is more."""
    size = section(draft.root, "size")
    if size.get("nkey") > _MOST_KEYS:
        raise size.error(f"nkey must be at most {_MOST_KEYS}, is {size.get('nkey')}")
    return max(len(draft.keys), int(size.get("nkey")))


def _moment_size(draft: Draft, element: Element, nv: int) -> int:
    kind, (target, _) = transmission(draft, element)
    return draft.joints[target].ndof if kind in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT) else nv


def _user_sizes(draft: Draft, size: Element) -> dict[str, int]:
    """Room for the `user` numbers of each kind: as `<size>` says, or as many as any element has."""
    sizes = {}
    for kind, elements in ((names.KINDS[kind], elements) for kind, elements in names.elements_of(draft).items()):
        if (asked := size.get(f"nuser_{kind}")) is None:
            continue
        if not -1 <= asked <= _MOST_USER:
            raise size.error(f"nuser_{kind} must be -1 (as needed) to {_MOST_USER}, is {asked}")
        lengths = [np.size(element.get("user", ())) for element in elements]
        longest = max(lengths, default=0)
        if longest > (_MOST_USER if asked < 0 else asked):
            most = f"nuser_{kind} is {asked}" if asked >= 0 else f"{_MOST_USER} are the most"
            raise elements[lengths.index(longest)].error(f"user has {longest} numbers, but {most}")
        sizes[f"nuser_{kind}"] = longest if asked < 0 else asked
        if 8 * sizes[f"nuser_{kind}"] * len(elements) > _MOST_BYTES:
            raise size.error(f"nuser_{kind} of all elements needs more than {_MOST_BYTES} bytes")
    return sizes
