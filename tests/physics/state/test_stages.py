"""The stage table is one enumeration: entries by phase, in the order in which a step runs them."""

import re
from itertools import groupby
from pathlib import Path

from tumble import physics
from tumble.physics.state.fields import MODEL
from tumble.physics.state.model import Model
from tumble.physics.state.stages import Entry, Phase, span

ROOT = Path(physics.__file__).parent


def test_entries_are_numbered_from_zero_without_gaps():
    assert [int(entry) for entry in Entry] == list(range(len(Entry)))


def test_entries_of_a_phase_stand_together_and_phases_are_in_their_order():
    runs = [phase for phase, _ in groupby(Entry, lambda entry: entry.phase)]
    assert runs == list(Phase)


def test_the_span_of_a_phase_holds_its_entries_and_no_other():
    for phase in Phase:
        first, last = span(phase)
        assert {Entry(k).phase for k in range(first, last + 1)} == {phase}
    assert sum(span(phase)[1] - span(phase)[0] + 1 for phase in Phase) == len(Entry)


def test_the_size_of_the_table_follows_from_the_enumeration():
    m = Model({})
    assert m.nstage == len(m.stage) == len(Entry)
    assert any(f.name == "stage" and f.shape == ("nstage",) for f in MODEL)


def test_no_source_names_an_entry_by_its_number():
    found = [f"{path.name}: {hit}" for path in ROOT.rglob("*.py") for hit in re.findall(r"\.stage\[\s*\d+", path.read_text())]
    assert not found
    assert sum(".stage[" in path.read_text() for path in ROOT.rglob("*.py")) > 5  # the search finds what there is
