"""A short soak: some actions on the real window, and a rest whose measure is complete."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from tests.soak import census, player
from tests.soak.journal import Action, Rest, Unclean, read
from tests.soak.moves import MOVES
from tests.soak.place import JOURNAL, MODELS, Place
from tests.soak.resources import RESOURCES
from tests.soak.shelf import Shelf

FEW = ("broken", "pause and step", "edit")


@pytest.mark.slow
def test_a_few_actions_are_played_and_measured(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(player, "TRIES", 1)
    monkeypatch.setattr(player, "BETWEEN", len(FEW))
    monkeypatch.setattr(player, "SETTLE", 0.0)
    place = Place(tmp_path / "soak").make()
    shelf = Shelf(place[MODELS], [], Random(1))
    played = player.Player(window, place, shelf, MOVES, player.Plan(3600.0, 3, FEW))
    with qtbot.waitSignal(played.ended):
        played.start()
        qtbot.waitUntil(lambda: sum(isinstance(e, Action) for e in read(place[JOURNAL])) >= len(FEW))
        played.stop()
    entries = list(read(place[JOURNAL]))
    assert [e for e in entries if isinstance(e, Unclean)] == []
    assert {e.name for e in entries if isinstance(e, Action)} == set(FEW)
    rests = [e for e in entries if isinstance(e, Rest)]
    assert rests[-1].amounts.keys() == {resource.name for resource in RESOURCES}
    assert rests[-1].amounts["textures"] > 0
    assert rests[-1].amounts["numpy"] > 0
    assert rests[-1].types["thread simulation"] == 1


def test_arrays_are_counted_through_their_views():
    before = census.objects()[1]
    holder = SimpleNamespace(view=np.zeros(2**20)[3:])
    assert census.objects()[1] - before == pytest.approx(8 * 2**20, rel=0.1)
    assert holder.view.size
