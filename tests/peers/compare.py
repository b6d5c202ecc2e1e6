"""What two engines did with the same tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.peers.record import FAILED, PASSED

CLOSE = 1e-6  # of a coordinate, or of 1 if it is less
ALIKE = 8.0  # mean difference of a picture's blocks, levels of 255: another renderer, the same things in the same places
Outcomes = dict[str, tuple[str, str]]  # by test: outcome and text


def outcomes(reference: list[dict[str, Any]], here: list[dict[str, Any]]) -> tuple[Outcomes, Outcomes]:
    """The outcomes of two records. An environment counts twice: its states, and its picture.

    They pass with the reference where it repeats itself after a nudge, and here where they are the reference's.
    """
    theirs, ours = ({line["test"]: line for line in record if "outcome" in line} for record in (reference, here))
    return _outcomes(theirs, theirs), _outcomes(ours, theirs)


def _outcomes(lines: dict[str, dict[str, Any]], reference: dict[str, dict[str, Any]]) -> Outcomes:
    found: Outcomes = {}
    for test, line in lines.items():
        trace, other = line.get("trace"), reference.get(test, {}).get("trace")
        if not trace or not other:
            found[test] = line["outcome"], line["text"]
            continue
        states = far(trace.get("nudged", trace["states"]), other["states"])
        pictures = apart(trace.get("picture again", trace["picture"]), other["picture"])
        found[f"{test}: states"] = (PASSED, "") if states <= CLOSE else (FAILED, f"states differ by {states:.1e}")
        found[f"{test}: picture"] = (PASSED, "") if pictures <= ALIKE else (FAILED, f"blocks differ by {pictures:.1f} levels")
    return found


def far(states: list[list[float]], others: list[list[float]]) -> float:
    """The largest difference of states, relative to a coordinate or to 1, whichever is more."""
    a, b = np.array(states), np.array(others)
    return float(np.max(np.abs(a - b) / np.maximum(1.0, np.abs(b))))


def apart(picture: list[float], other: list[float]) -> float:
    """The mean difference of blocks of pictures, in levels of 255."""
    return float(np.mean(np.abs(np.subtract(picture, other))))


def differences(reference: Outcomes, here: Outcomes) -> dict[str, str]:
    """Tests that pass with the reference and fail here, or that the other engine alone has: what they say."""
    worse = {test: text for test, (outcome, text) in here.items() if outcome == FAILED and passed(reference, test)}
    return worse | {test: "not run here" for test, (outcome, _) in reference.items() if outcome == PASSED and test not in here}


def passed(found: Outcomes, test: str) -> bool:
    """Whether a test does not fail with an engine; one that is not in its record does not."""
    return found.get(test, (PASSED, ""))[0] != FAILED
