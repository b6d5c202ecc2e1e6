"""The report judges by the limits, counts only what follows the warm-up, and a process that died is unclean; growth is seen
through noise, and told apart from it, and who has caused it is found."""

import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.soak import census, report
from tests.soak.census import RESOURCES
from tests.soak.growth import LEAST, growth, shares, slope
from tests.soak.journal import Action, Journal, Rest, Unclean
from tests.soak.place import JOURNAL, STACKS, Place


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


RNG_SEED = 5


def test_a_line_has_its_slope():
    assert slope([0, 1, 2, 5], [3, 5, 7, 13]) == pytest.approx(2.0)


def test_a_third_of_wild_samples_changes_nothing_much():
    rng = np.random.default_rng(RNG_SEED)
    t = np.linspace(0, 2, 100)
    v = 4 * t + rng.normal(0, 0.1, 100)
    v[rng.choice(100, 25, replace=False)] += 50  # a large model was still being released
    found = growth(t.tolist(), v.tolist())
    assert found is not None
    assert found.rate == pytest.approx(4, abs=0.5)
    assert found.total == pytest.approx(8, abs=1)


def test_noise_does_not_grow():
    rng = np.random.default_rng(RNG_SEED)
    found = growth(np.linspace(0, 2, 200).tolist(), rng.normal(300, 3, 200).tolist())
    assert found is not None
    assert abs(found.total) < 2


def test_few_samples_say_nothing():
    assert growth([0.0] * (LEAST - 1), [1.0] * (LEAST - 1)) is None


def test_samples_at_one_time_have_no_slope():
    assert slope([1, 1, 1], [1, 2, 3]) == 0.0


def test_the_action_that_adds_is_found_among_others():
    rng = np.random.default_rng(RNG_SEED)
    names = [f"action {k}" for k in range(8)]
    counts = [Counter(rng.choice(names, 10).tolist()) for _ in range(120)]
    values = np.cumsum([0.3 * count["action 3"] for count in counts]) + rng.normal(0, 0.2, 120)
    values[40] += 30
    first, second, *_ = shares(counts, values.tolist())
    assert first.action == "action 3"
    assert first.each == pytest.approx(0.3, abs=0.05)
    assert first.certain > 5
    assert abs(second.each) < 0.1


def test_fewer_samples_than_four_an_action_accuse_no_one():
    counts = [Counter({"a": k % 3, "b": 1 + k % 2}) for k in range(2 * LEAST)]
    assert shares(counts, list(range(2 * LEAST))) == []


def test_counting_objects_does_not_disturb_threads_that_build_tuples() -> None:
    failed, ended = list[SystemError](), threading.Event()

    def build() -> None:
        while not ended.is_set():
            try:
                tuple(number + 0 for number in range(3000))
            except SystemError as error:
                failed.append(error)

    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        census.objects()
    ended.set()
    for thread in threads:
        thread.join()
    assert not failed
