"""The report judges by the limits, counts only what follows the warm-up, and a process that died is unclean."""

from pathlib import Path

from tests.soak import report
from tests.soak.journal import Action, Journal, Rest, Unclean
from tests.soak.place import JOURNAL, STACKS, Place
from tests.soak.resources import RESOURCES


def _place(folder: Path, grows: float, *, warm: int = 3, rests: int = 20) -> Place:
    """A journal in which memory grows by so much [MB] from rest to rest."""
    place = Place(folder).make()
    journal = Journal(place[JOURNAL])
    for k in range(rests):
        for j in range(10):
            journal.write(Action(10 * k + j + 1, "open" if j % 2 else "docks", 100.0 * k + j, 1.0))
        amounts = {resource.name: 5.0 for resource in RESOURCES}
        amounts["malloc"] = 200 + 30 * (k < warm) + grows * k
        journal.write(Rest(10 * k, 100.0 * k + 50, k >= warm, amounts, {"tumble.app.Thing": 100 + 20 * k}))
    journal.close()
    return place


def _grown(found: report.Report, name: str) -> report.Grown:
    return next(grown for grown in found.grown() if grown.resource.name == name)


def test_what_stays_below_its_limit_is_clean(tmp_path: Path) -> None:
    found = report.of(_place(tmp_path, 0.1))
    assert found.is_well
    assert "clean: 200 actions" in found.text()


def test_what_grows_beyond_it_is_not_and_is_named(tmp_path: Path) -> None:
    found = report.of(_place(tmp_path, 1.0))
    assert not found.is_well
    assert not _grown(found, "malloc").is_well
    assert _grown(found, "resident").is_well
    assert "GREW" in found.text()
    assert "tumble.app.Thing" in found.text()


def test_the_warm_up_does_not_count(tmp_path: Path) -> None:
    grown = _grown(report.of(_place(tmp_path, 0.0)), "malloc").growth
    assert grown is not None
    assert grown.total == 0.0


def test_too_short_a_run_is_not_called_clean(tmp_path: Path) -> None:
    found = report.of(_place(tmp_path, 0.0, warm=19))
    assert not found.judged
    assert not found.is_well
    assert "too short" in found.text()


def test_anything_unclean_is_told_with_what_was_done(tmp_path: Path) -> None:
    place = _place(tmp_path, 0.0)
    journal = Journal(place[JOURNAL])
    journal.write(Unclean(1.0, "7 docks: float log", "error logged", "it broke\nin two lines"))
    journal.close()
    found = report.of(place)
    assert not found.is_well
    assert "error logged, in action 7 docks: float log" in found.text()


def test_a_process_that_hung_is_unclean_with_its_stacks(tmp_path: Path) -> None:
    place = _place(tmp_path, 0.0)
    place[STACKS].write_text("Timeout (0:00:30)!\nThread 1: in a loop\n")
    found = report.of(place, "the window did not answer")
    assert not found.is_well
    assert "in a loop" in found.text()


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    place = _place(tmp_path, 0.0)
    with place[JOURNAL].open("a") as file:
        file.write('{"kind": "Rest", "at": 1')
    assert report.of(place).is_well
