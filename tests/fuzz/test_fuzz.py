"""Nothing in any file makes the process crash, hang or eat the memory: mutants of models, each run in a child with limits.

A mutant that does is kept in tests/fuzz/cases and from then on runs with every test: a text as it is, a text with files as
an archive.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.asset_seeds import Files, asset_seeds
from tests.fuzz.mutate import mutant
from tests.fuzz.mutate_bytes import mutant_file
from tests.fuzz.seeds import seeds
from tests.fuzz.worker import Worker

CASES = Path(__file__).parent / "cases"
FIRST, NUMBER = int(os.environ.get("FUZZ_SEED", "0")), int(os.environ.get("FUZZ_NUMBER", "20000"))
FILES = int(os.environ.get("FUZZ_FILES", "2000"))
ONE_ERROR = re.compile(r"[^:\n]+:\d+:\d+: <[^\n>]*> [^\n]+")


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


def trial_of_files(worker: Worker, xml: str, files: Files, seed: int) -> str | None:
    """What went wrong with a model and its files, None if they are read, or refused in clear lines."""
    result: dict[str, Any] = worker.run(xml, seed, files=files)
    if result["outcome"] == "accepted":
        return None
    if result["outcome"] == "rejected" and all(map(ONE_ERROR.fullmatch, result["message"].split("\n"))):
        return None  # a line for each part that is not supported, else one
    digest = hashlib.sha256(repr((xml, sorted(files.items()))).encode()).hexdigest()[:10]
    kept = CASES / f"{digest}-{seed}.zip"
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"model.xml": xml.encode(), **files}.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return f"{kept.name}: {result['outcome']} {result.get('stage', '')} {result.get('message')}\n{result.get('trace', '')}"


def drawn_files(first: int, number: int) -> Iterator[tuple[int, str, Files]]:
    """Models of which one file is changed, now and then the text as well; and the seeds they are drawn from."""
    held = sorted(asset_seeds().items())
    others = [data for _, (_, files) in held for data in files.values()]
    for seed in range(first, first + number):
        rng = random.Random(seed)
        _, (xml, files) = held[seed % len(held)]
        name = rng.choice(sorted(files))
        changed = files | {name: mutant_file(rng, name, files[name], others)}
        yield seed, mutant(rng, xml) if rng.random() < 0.1 else xml, changed


@pytest.mark.parametrize("name", sorted(asset_seeds()))
def test_the_files_that_mutants_are_made_from_are_read(worker: Worker, name: str) -> None:
    xml, files = asset_seeds()[name]
    result = worker.run(xml, 1, files=files)
    assert result["outcome"] == "accepted", result


@pytest.mark.parametrize("name", sorted(seeds()))
def test_the_models_that_mutants_are_made_from_run(worker: Worker, name: str) -> None:
    result = worker.run(seeds()[name], 1)
    assert result["outcome"] == "accepted", result


@pytest.mark.parametrize("case", sorted(CASES.glob("*.xml")), ids=lambda path: path.stem)
def test_what_once_went_wrong(worker: Worker, case: Path) -> None:
    wrong = trial(worker, case.read_text(), int(case.stem.rpartition("-")[2]))
    assert wrong is None, wrong


@pytest.mark.parametrize("case", sorted(CASES.glob("*.zip")), ids=lambda path: path.stem)
def test_files_that_once_went_wrong(worker: Worker, case: Path) -> None:
    with zipfile.ZipFile(case) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    wrong = trial_of_files(worker, files.pop("model.xml").decode(), files, int(case.stem.rpartition("-")[2]))
    assert wrong is None, wrong


def test_a_few_mutated_files(worker: Worker) -> None:
    wrong = [told for seed, xml, files in drawn_files(0, 60) if (told := trial_of_files(worker, xml, files, seed))]
    assert not wrong, "\n\n".join(wrong)


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


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("checked", [False, True], ids=["as they are", "with kernels that check every index"])
def test_many_mutated_files(checked: bool) -> None:
    with Worker("ours", checked) as worker:
        wrong = [told for seed, xml, files in drawn_files(FIRST, FILES) if (told := trial_of_files(worker, xml, files, seed))]
    assert not wrong, f"{len(wrong)} of {FILES}:\n\n" + "\n\n".join(wrong[:20])


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
