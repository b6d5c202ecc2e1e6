"""Nothing in any file makes the process crash, hang or eat the memory: mutants of models, each run in a child with limits.

A mutant that does is kept in tests/fuzz/cases and from then on runs with every test.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.mutate import mutant
from tests.fuzz.seeds import seeds
from tests.fuzz.worker import Worker

CASES = Path(__file__).parent / "cases"
FIRST, NUMBER = int(os.environ.get("FUZZ_SEED", "0")), int(os.environ.get("FUZZ_NUMBER", "20000"))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker("ours") as made:
        yield made


def trial(worker: Worker, xml: str, seed: int) -> str | None:
    """What went wrong with a model, None if nothing did; what did is kept as a file."""
    result: dict[str, Any] = worker.run(xml, seed)
    if result["outcome"] in ("accepted", "rejected"):
        return None
    kept = CASES / f"{hashlib.sha256(xml.encode()).hexdigest()[:10]}-{seed}.xml"
    kept.write_text(xml)
    return f"{kept.name}: {result['outcome']} {result.get('stage', '')} {result.get('message')}\n{result.get('trace', '')}"


def drawn(first: int, number: int) -> Iterator[tuple[int, str]]:
    """Mutants and the seeds they are drawn from; every third of the model that has everything."""
    texts = seeds()
    names = sorted(texts)
    for seed in range(first, first + number):
        name = "everything" if seed % 3 == 0 else names[seed % len(names)]
        yield seed, mutant(random.Random(seed), texts[name])


@pytest.mark.parametrize("name", sorted(seeds()))
def test_the_models_that_mutants_are_made_from_run(worker: Worker, name: str) -> None:
    result = worker.run(seeds()[name], 1)
    assert result["outcome"] == "accepted", result


@pytest.mark.parametrize("case", sorted(CASES.glob("*.xml")), ids=lambda path: path.stem)
def test_what_once_went_wrong(worker: Worker, case: Path) -> None:
    wrong = trial(worker, case.read_text(), int(case.stem.rpartition("-")[2]))
    assert wrong is None, wrong


def test_a_few_mutants(worker: Worker) -> None:
    wrong = [told for seed, xml in drawn(0, 150) if (told := trial(worker, xml, seed))]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("checked", [False, True], ids=["as they are", "with kernels that check every index"])
def test_many_mutants(checked: bool) -> None:
    with Worker("ours", checked) as worker:
        wrong = [told for seed, xml in drawn(FIRST, NUMBER) if (told := trial(worker, xml, seed))]
    assert not wrong, f"{len(wrong)} of {NUMBER}:\n\n" + "\n\n".join(wrong[:20])


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("import os; os.kill(os.getpid(), 11)", "crashed"),
        ("import time; time.sleep(60)", "timeout"),
        ("x = bytearray(2**33)", "failed"),
    ],
)
def test_the_harness_catches(program: str, outcome: str) -> None:
    with Worker("python") as made:
        result = made.run(program, seconds=2.0)
        assert result["outcome"] == outcome
        assert made.run("pass", seconds=10.0)["outcome"] == "accepted"  # and goes on
