"""Faults planted into robots of published packages: which of them the doctor finds, and where it stays silent without them."""

import copy
import importlib.util
import logging
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as XML

from tests.benchmarks.file_edits import at_home_anywhere
from tests.benchmarks.markdown import grid, section
from tests.benchmarks.planted_faults import FAULTS, ROBOTS, Fault
from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.rule_table import RULES


def table(faults: Sequence[Fault] = FAULTS) -> str:
    """A row for each rule: its faults, those found with the right element, and sound files where it says nothing of it."""
    logging.disable(logging.WARNING)  # of states that diverge: they are faults
    rows, faulty = [], []
    for rule in RULES:
        planted = [fault for fault in faults if fault.rule == rule.id]
        results = [(fault, *_result(path, fault)) for fault in planted if (path := _file(fault.robot)) is not None]
        if not results:
            continue
        rows.append((rule.id, ", ".join(fault.robot for fault in planted), len(results), *(
            sum(result[k] for result in results) for k in (1, 2))))  # fmt: skip
        faulty += [f"{fault.rule} of {fault.robot}" for fault, found, silent in results if not (found and silent)]
    logging.disable(logging.NOTSET)
    totals = Counter[int]()
    for row in rows:
        totals.update(dict(enumerate(row[2:])))
    return section(
        "Faults planted into robots",
        "Found: by the right rule, which names the right element. Silent: no such finding of that element in the same file "
        "without the fault.",
        grid("rule | robots | planted | found | silent", rows),
        f"Of {totals[0]} faults {totals[1]} are found, and {totals[2]} sound files silent"
        f"{': not ' + ', '.join(faulty) if faulty else ''}.",
    )


def _file(robot: str) -> Path | None:
    """The file of a robot; None where its package is not installed."""
    package, _, rest = ROBOTS[robot].partition("/")
    spec = importlib.util.find_spec(package)
    path = None if spec is None or spec.origin is None else Path(spec.origin).parent / rest
    return path if path is not None and path.exists() else None


def _result(path: Path, fault: Fault) -> tuple[bool, bool]:
    """True if the rule finds a fault, and if it is silent without."""
    with tempfile.TemporaryDirectory() as folder:
        root = XML.parse(path).getroot()
        at_home_anywhere(root, path.parent)
        fault.scene(root)
        sound = copy.deepcopy(root)
        fault.fault(root)
        found, alarm = (_finds(one, fault, Path(folder, path.name)) for one in (root, sound))
    return found, not alarm


def _finds(root: XML.Element, fault: Fault, file: Path) -> bool:
    """True if the rule of a fault finds something of its element in a file."""
    XML.ElementTree(root).write(file)
    model = physics.MjModel.from_xml_path(str(file))
    findings = [one for one in examine(Examination(model, file), lambda done, steps: None) if one.rule == fault.rule]
    if not fault.element:
        return bool(findings)
    return fault.element in {name_of(model, *at) for finding in findings for at in finding.elements}
