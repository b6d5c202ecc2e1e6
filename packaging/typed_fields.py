"""`python packaging/typed_fields.py`: write physics/state/declared from the table; with --check, say whether it is up to date.

What it writes are declarations for mypy and for editors, never imported: the attributes of models and data with their types,
shapes, units and meaning. At run time the same attributes come from the same table (physics/state/block.py, named.py).
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tumble.physics.state import fields, named  # noqa: E402
from tumble.physics.state import named_element as element  # noqa: E402
from tumble.physics.state.fields import DATA, MODEL, Field  # noqa: E402

FOLDER = ROOT / "physics" / "state" / "declared"
BY_HAND = "attribute.pyi"
FAILED = 1
WIDTH = 130

_DTYPES = {"f8": "np.float64", "f4": "np.float32", "i4": "np.int32", "i8": "np.int64", "u1": "np.uint8"}
_PROPERTIES = {"names", "paths"}  # properties of physics/state/model.py, of another type than in the table

# Groups of fields under short names (physics/state/structs): the class of their declarations, the prefix that is left out, and
# where the group is found; of rows, also the class of one.
_GROUPS = {
    "Option": ("opt_", "m.opt"),
    "Statistic": ("stat_", "m.stat"),
    "VisualGlobal": ("vis_global_", "m.vis.global_"),
    "VisualQuality": ("vis_quality_", "m.vis.quality"),
    "VisualHeadlight": ("vis_headlight_", "m.vis.headlight"),
    "VisualMap": ("vis_map_", "m.vis.map"),
    "VisualScale": ("vis_scale_", "m.vis.scale"),
    "VisualRgba": ("vis_rgba_", "m.vis.rgba"),
    "TumbleOption": ("tumble_", "m.tumble"),
}
_ROWS = {
    "Contact": ("contact_", "d.contact", "MjContact"),
    "SolverIteration": ("solverstat_", "d.solver", "MjSolverStat"),
    "WarningCount": ("warning_", "d.warning", "MjWarningStat"),
    "Timer": ("timer_", "d.timer", "MjTimerStat"),
}
# Columns of an array that are attributes as well.
_COLUMNS = {"Contact": {"geom1": "geom", "geom2": "geom"}}

Declaration = tuple[str, str, str]  # name, type, doc


def modules() -> dict[str, str]:
    """The text of each file to be written, by its name."""
    seen: set[str] = set()
    parts = {name: list(_parts(name, seen)) for name in _table_modules()}
    texts = {f"fields/{name}.pyi": _table_module(name, classes) for name, classes in parts.items() if classes}
    texts["groups.pyi"] = _groups()
    texts["model_elements.pyi"] = _elements("Model", MODEL, named.ModelNames)
    texts["data_elements.pyi"] = _elements("Data", DATA, named.DataNames)
    texts["fields/__init__.pyi"] = _head("The fields by the modules of their table.").rstrip() + "\n"
    texts["__init__.pyi"] = _top(parts)
    return texts


def _table_modules() -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(fields.__path__) if info.name != "field")


def _parts(module: str, seen: set[str]) -> Iterator[tuple[str, list[Field]]]:
    """The tuples of a module of the table, each with the fields that are not in `seen`, to which they are added."""
    for name, value in vars(importlib.import_module(f"tumble.physics.state.fields.{module}")).items():
        own = [f for f in value if isinstance(f, Field) and f.name not in seen] if isinstance(value, tuple) else []
        if own:
            seen |= {f.name for f in own}
            yield name, own


def _part_class(name: str) -> str:
    return f"{name.title().replace('_', '')}Fields"


def _head(doc: str, *imports: str) -> str:
    return "\n".join([f'"""{doc} Written by packaging/typed_fields.py."""', "", *imports, "", ""])


def _imports(text: str) -> list[str]:
    kinds = [kind for kind in ("Array", "Integer", "Real") if f": {kind}" in text]
    numpy = ["import numpy as np", ""] if "np." in text else []
    return [*numpy, f"from tumble.physics.state.declared.attribute import {', '.join(kinds)}"]


def _type(f: Field, *, scalar: bool) -> str:
    if not scalar:
        return f"Array[{_DTYPES[f.dtype]}]"
    return "Real" if f.dtype in ("f8", "f4") else "Integer"


def _doc(f: Field, shape: Sequence[int | str]) -> str:
    extents = f", shape ({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})" if shape else ""
    used = f", {f.used} rows in use" if f.used and shape else ""
    return f"{f.doc} [{f.unit}]{extents}{used}"


def _class(name: str, doc: str, declared: Sequence[Declaration], extra: Sequence[str] = ()) -> str:
    lines = [f"class {name}:", f'    """{doc}"""', ""]
    for attribute, kind, about in declared:
        lines.append(f"    {attribute}: {kind}")
        if about:
            lines += textwrap.wrap(f'"""{about}"""', WIDTH - 4, initial_indent="    ", subsequent_indent="    ")
    return "\n".join([*lines, *extra]) + "\n"


def _declared(chosen: Sequence[Field], prefix: str = "", *, row: bool = False) -> list[Declaration]:
    """row: of one item; else of all."""
    return [
        (f.name.removeprefix(prefix), _type(f, scalar=len(f.shape) == int(row)), _doc(f, f.shape[int(row) :]))
        for f in chosen
        if f.name not in _PROPERTIES
    ]


def _table_module(name: str, classes: Sequence[tuple[str, list[Field]]]) -> str:
    body = "\n".join(_class(_part_class(title), f"`{title}` of the table.", _declared(own)) for title, own in classes)
    return _head(f"Declarations of physics/state/fields/{name}.py.", *_imports(body)) + body


def _groups() -> str:
    classes = []
    for title, (prefix, place) in _GROUPS.items():
        chosen = [f for f in MODEL if f.name.startswith(prefix)]
        classes.append(_class(f"{title}(Group)", f"`{place}`.", _declared(chosen, prefix)))
    for title, (prefix, place, of) in _ROWS.items():
        chosen = [f for f in DATA if f.name.startswith(prefix)]
        columns = _COLUMNS.get(title, {})
        every = [(name, "Array[np.int32]", f"column of {whole}") for name, whole in columns.items()]
        one = [(name, "Integer", f"number of {whole}") for name, whole in columns.items()]
        classes.append(_class(f"{title}Rows(Rows[{of}])", f"`{place}`.", _declared(chosen, prefix) + every))
        classes.append(_class(f"{title}Row(Row)", f"`{place}[i]`.", _declared(chosen, prefix, row=True) + one))
    body = "\n".join(classes)
    structs = [
        "from tumble.physics.state.structs.group import Group",
        f"from tumble.physics.state.structs.results import {', '.join(sorted(of for _, _, of in _ROWS.values()))}",
        "from tumble.physics.state.structs.rows import Row, Rows",
    ]
    return _head("Fields under short names.", *_imports(body), *structs) + body


def _elements(owner: str, table: Sequence[Field], names: type) -> str:
    """Declarations of what `m.body("torso")` returns: everything is an array, a number one of shape (1,)."""
    by_name = {f.name: f for f in (*table, *MODEL)}
    classes = []
    for title, columns in sorted(_kinds(names).items()):
        declared = [(short, f"Array[{_DTYPES[by_name[name].dtype]}]", "") for short, (name, _) in columns.items()]
        head = [("id", "int", ""), ("name", "str", "")]
        letter = owner[0].lower()
        classes.append(_class(f"{owner}{title}", f"`{letter}.{title.lower()}(...)`.", [*head, *declared]))
    body = "\n".join(classes)
    return _head(f"One element of a {owner}.", *_imports(body)) + body


def _kinds(names: type) -> dict[str, dict[str, tuple[str, element.ElementPart]]]:
    """What each kind of element has, by the kind's name; the longer one of two."""
    found = {name: member for name, member in vars(names).items() if isinstance(member, named.Named)}
    longest: dict[int, str] = {}
    for name, member in found.items():
        longest[id(member)] = max(longest.get(id(member), ""), name, key=len)
    return {name.capitalize(): found[name].columns for name in longest.values()}


def _top(parts: dict[str, list[tuple[str, list[Field]]]]) -> str:
    of_model = {f.name for f in MODEL}
    classes: dict[bool, list[str]] = {True: [], False: []}
    for module, found in parts.items():
        for title, own in found:
            classes[own[0].name in of_model].append(f"{module}.{_part_class(title)}")
    listed = "".join(f"    {module},\n" for module, found in parts.items() if found)
    blocks = "\n".join(
        f"class {name}(\n" + "".join(f"    {title},\n" for title in (*classes[of], "Block")) + f'):\n    """{doc}"""\n'
        for name, of, doc in (
            ("ModelBlock", True, "All fields of a model."),
            ("DataBlock", False, "All fields of the data."),
        )
    )
    imports = ["from tumble.physics.state.block import Block", f"from tumble.physics.state.declared.fields import (\n{listed})"]
    return _head("All attributes of models and data.", *imports) + blocks


def _stale(texts: dict[str, str]) -> list[str]:
    """The files that are not what the table says, and those that it does not ask for."""
    return sorted([name for name, text in texts.items() if not _is(FOLDER / name, text)] + _unasked(texts))


def _unasked(texts: dict[str, str]) -> list[str]:
    written = [str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.pyi")]
    return [name for name in written if name not in {BY_HAND, *texts}]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def main() -> int:
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where a file is another")
    texts = modules()
    if parser.parse_args().check:
        if stale := _stale(texts):
            sys.stderr.write(f"{', '.join(stale)} in {FOLDER} is not what the table of fields says: run `make docs`\n")
        return FAILED if stale else 0
    for name in _unasked(texts):
        (FOLDER / name).unlink()
    for name, text in texts.items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
