"""What anybody may have written as JSON: one kind of error."""

import pytest

from tumble.app.base import plain_json

WRONG = {"open": "[1,", "deep": "[" * 100_000 + "]" * 100_000, "huge": f'{{"a": [1, {"9" * 400}]}}', "larger": str(2**63),
         "bytes": b"\xff"}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_json_or_too_much_is_a_value_error(what):
    with pytest.raises(ValueError, match=r"\w"):
        plain_json.read(WRONG[what])


def test_what_is_json_is_read():
    assert plain_json.read(f'{{"a": [{2**63 - 1}, -1.5, null, NaN]}}')["a"][:3] == [2**63 - 1, -1.5, None]
