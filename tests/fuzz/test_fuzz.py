"""No file makes the process crash, hang or eat the memory, or ends in an error that is not clear: a few mutants of every
kind, each in a child with limits, and all that once went wrong. `make fuzz` runs many. See docs/decisions/safety.md.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.campaign import CLEAN, Campaign
from tests.fuzz.exercise import says_where
from tests.fuzz.kinds import KINDS
from tests.fuzz.mutate_bytes import mutant_json
from tests.fuzz.reduce import Reducer, kept, read
from tests.fuzz.worker import Worker

OWN = [kind for kind in KINDS if kind != "published"]  # whose seeds every computer has


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker("ours") as made:
        yield made


@pytest.mark.parametrize("kind", OWN)
def test_what_mutants_are_made_from_is_opened(worker: Worker, kind: str) -> None:
    """Models as such, all of them; as specs, which have the same seeds, every third: `make long` has the others."""
    _all_open(worker, kind, list(KINDS[kind].seeds())[:: 3 if kind == "spec" else 1])


@pytest.mark.fuzz
def test_every_seed_opens_as_a_spec_too(worker: Worker) -> None:
    _all_open(worker, "spec", list(KINDS["spec"].seeds()))


def _all_open(worker: Worker, kind: str, names: list[str]) -> None:
    seeds = KINDS[kind].seeds()
    results = {name: worker.run(kind, seeds[name], 1) for name in names}
    assert results
    wrong = {name: result for name, result in results.items() if result["outcome"] not in CLEAN[: 1 + (name == "flexes")]}
    assert not wrong


@pytest.mark.parametrize(("kind", "case"), list(kept()), ids=[f"{kind}: {path.name}" for kind, path in kept()])
def test_what_once_went_wrong(worker: Worker, kind: str, case: Path) -> None:
    made = KINDS[kind]
    files, seed = read(case, next(iter(next(iter(made.seeds().values())))) if kind != "published" else "model.xml")
    result = worker.run(kind, files, seed)
    assert result["outcome"] in CLEAN, result
    assert result.get("memory", 0) < 600


def test_a_few_mutants_of_every_kind(worker: Worker) -> None:
    wrong = []
    for kind in OWN:
        campaign = Campaign(1, 1.0, kinds=(kind,))
        for number in range(max(2, KINDS[kind].share)):
            made, files = campaign.drawn(number)
            result = worker.run(made.name, files, number)
            if result["outcome"] not in CLEAN:
                wrong.append(f"{kind} {number}: {result}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("import os; os.kill(os.getpid(), 11)", "crashed"),
        ("import time; time.sleep(60)", "timeout"),
        ("while True: pass", "timeout"),
        ("x = bytearray(2**33)", "failed"),
    ],
)
def test_the_harness_catches(program: str, outcome: str) -> None:
    with Worker("python") as made:
        result = made.run("", {"program": program.encode()}, seconds=0.5 if outcome == "timeout" else 10.0)
        assert result["outcome"] == outcome
        assert made.run("", {"program": b"pass"}, seconds=10.0)["outcome"] == "accepted"  # and goes on


def test_a_mutant_is_made_as_small_as_it_can_be() -> None:
    geoms = b'<geom name="x" size="1"/><body><geom size="bad" rgba="1"/></body>'
    text = b'<mujoco><option a="1"/><worldbody>' + geoms + b"</worldbody></mujoco>"
    small = Reducer(lambda files: b'size="bad"' in files["model.xml"]).reduced({"model.xml": text, "a.png": b"x", "b.png": b"y"})
    assert small == {"model.xml": b'<mujoco><worldbody><body><geom size="bad" /></body></worldbody></mujoco>'}
    assert Reducer(lambda files: b"\x07" in files["f"]).reduced({"f": bytes(range(200))}) == {"f": b"\x07"}


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("model.xml:3:5: <geom> size needs 3 numbers", True),
        ("Error: <geom> size must be positive in geom", True),
        ("Error: size must be positive in geom\nElement name 'a', id 0, run/arm.xml:3:5", True),
        ("Error: something is wrong", False),
        ("size must be positive in <geom>", False),
    ],
)
def test_a_clear_message_says_where(message: str, says: bool) -> None:
    assert says_where(message, "model.xml") is says


def test_mutants_are_the_same_by_their_numbers() -> None:
    one, other = (Campaign(5, 1.0, kinds=("replay", "model", "calls")) for _ in range(2))
    assert all(one.drawn(k)[1] == other.drawn(k)[1] for k in range(12))


def test_a_mutant_nested_too_deep_is_mutated_again() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert mutant_json(random.Random(1), deep) != deep
