"""Models and data as text: every field of the table that holds something, with its unit and what it means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tumble.physics.base.files import write_whole
from tumble.physics.errors import ModelError
from tumble.physics.state.arguments import checked
from tumble.physics.state.block import Block
from tumble.physics.state.data import Data
from tumble.physics.state.fields.asset_fields import HFIELD, MATERIAL, MESH, OCTREE, SKIN, TEXTURE
from tumble.physics.state.fields.bodies import BODY, DOF, JOINT, TREE
from tumble.physics.state.fields.couplings import ACTUATOR, EQUALITY, EXCLUDE, PAIR, SENSOR, TENDON, WRAP
from tumble.physics.state.fields.data_fields import COMPUTED, STATE, STATUS
from tumble.physics.state.fields.field import Field
from tumble.physics.state.fields.flexes import FLEX
from tumble.physics.state.fields.growing import CONTACT, ISLAND, ROW
from tumble.physics.state.fields.option_fields import OPTION, STATISTIC, VISUAL
from tumble.physics.state.fields.own import OWN_FLEX, OWN_OPTION
from tumble.physics.state.fields.shape_fields import BVH, CAMERA, GEOM, LIGHT, SITE
from tumble.physics.state.fields.sizes import DATA_SIZES, MODEL_SIZES
from tumble.physics.state.fields.tables import CUSTOM, KEY, NAME, SPARSITY
from tumble.physics.state.model import Model
from tumble.physics.state.named import KINDS, names_of

_FORMAT = "%.6g"
_VALID = r"%[-+ #0]*\d{0,3}(\.\d{1,3})?[fgGeE]"
_WIDTH = 30  # letters of a name
_A_LINE = 12  # numbers of a vector in a line

_MODEL: dict[str, tuple[Field, ...]] = {
    "SIZES": MODEL_SIZES, "OPTIONS": OPTION, "OPTIONS OF TUMBLE": OWN_OPTION, "STATISTIC": STATISTIC, "VISUAL": VISUAL,
    "BODIES": BODY, "JOINTS": JOINT, "DOFS": DOF, "TREES": TREE, "GEOMS": GEOM, "SITES": SITE, "CAMERAS": CAMERA,
    "LIGHTS": LIGHT, "FLEXES": (*FLEX, *OWN_FLEX), "MESHES": MESH, "SKINS": SKIN, "HEIGHT FIELDS": HFIELD, "TEXTURES": TEXTURE,
    "MATERIALS": MATERIAL, "PAIRS": PAIR, "EXCLUDES": EXCLUDE, "EQUALITIES": EQUALITY, "TENDONS": TENDON, "WRAPS": WRAP,
    "ACTUATORS": ACTUATOR, "SENSORS": SENSOR, "CUSTOM": CUSTOM, "KEYFRAMES": KEY, "SPARSITY": SPARSITY,
    "BOUNDING VOLUMES": (*BVH, *OCTREE), "NAMES": NAME,
}  # fmt: skip
_DATA: dict[str, tuple[Field, ...]] = {
    "SIZES": DATA_SIZES, "STATUS": STATUS, "STATE": STATE, "COMPUTED": COMPUTED, "CONTACTS": CONTACT, "CONSTRAINT ROWS": ROW,
    "ISLANDS": ISLAND,
}  # fmt: skip

_KIND_OF = {kind.count: kind for kind in KINDS.values()}


@checked
def mj_printModel(m: Model, filename: str) -> None:
    """Write a model as text to a file: every field that holds something. Raises OSError."""
    mj_printFormattedModel(m, filename, _FORMAT)


@checked
def mj_printFormattedModel(m: Model, filename: str, float_format: str) -> None:
    """mj_printModel with a format of numbers as in "%.3g". Raises ModelError for one that does not format one number."""
    _write(filename, model_text(m, float_format))


@checked
def mj_printData(m: Model, d: Data, filename: str) -> None:
    """Write data as text to a file: every field that holds something. Raises OSError."""
    mj_printFormattedData(m, d, filename, _FORMAT)


@checked
def mj_printFormattedData(m: Model, d: Data, filename: str, float_format: str) -> None:
    """mj_printData with a format of numbers as in "%.3g". Raises ModelError for one that does not format one number."""
    _write(filename, _text(_lines(m, d, _DATA, float_format)))


def model_text(m: Model, float_format: str = _FORMAT) -> str:
    """Text of mj_printFormattedModel. Raises ModelError as it does."""
    return _text(_lines(m, m, _MODEL, float_format))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _write(filename: str, text: str) -> None:
    write_whole(filename, text.encode())


def _lines(m: Model, block: Block, sections: dict[str, tuple[Field, ...]], form: str) -> Iterator[str]:
    """All sections that hold something."""
    if not re.fullmatch(_VALID, form):
        raise ModelError(f"float_format={form!r} does not format one number: it should be like %.3g, with f, g, G, e or E")
    yield f"{m.names.partition(bytes(1))[0].decode(errors='replace')}: {m.nbody} bodies, {m.nv} dofs, {m.ngeom} geoms"
    for title, fields in sections.items():
        filled = [f for f in fields if np.size(getattr(block, f.name))]
        if filled:
            yield f"\n{title}"
            for f in filled:
                yield from _field(m, f, getattr(block, f.name), form)


def _field(m: Model, f: Field, value: Any, form: str) -> Iterator[str]:
    """The lines of one field: a number, a vector, or a line a row, with the name of the element that it belongs to."""
    about = f"{f.doc} [{f.unit}]"
    if f.shape == ():
        yield f"  {f.name:<{_WIDTH}}{_shown([value], form):<14}  {about}"
        return
    if f.dtype == "u1" and f.name in ("names", "paths"):
        yield f"  {f.name:<{_WIDTH}}{value.replace(bytes(1), b' ').decode(errors='replace')}"
        return
    yield f"  {f.name:<{_WIDTH}}{'x'.join(map(str, value.shape))}  {about}"
    kind = _KIND_OF.get(str(f.shape[0]))
    if value.ndim > 1 or kind is not None:
        names = names_of(m, kind) if kind is not None and kind.address in m._arrays else ()
        for i, row in enumerate(value.reshape(len(value), -1)):
            yield f"    {i} {names[i] if i < len(names) else '':<{_WIDTH - 4}}{_shown(row, form)}"
    else:
        for at in range(0, len(value), _A_LINE):
            yield f"    {_shown(value[at : at + _A_LINE], form)}"


def _shown(values: Any, form: str) -> str:
    return " ".join(form % v if isinstance(v, float) else str(v) for v in (np.asarray(values).tolist()))
