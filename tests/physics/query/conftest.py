"""Random numbers of a test do not depend on which tests ran before it."""

from typing import Any

import pytest

_BEGINNINGS: dict[str, Any] = {}  # state of each module's generator before its first test


@pytest.fixture(autouse=True)
def _own_random_numbers(request: pytest.FixtureRequest) -> None:
    generator = getattr(request.module, "RANDOM", None)
    if generator is not None:
        bits = generator.bit_generator
        bits.state = _BEGINNINGS.setdefault(request.module.__name__, bits.state)
