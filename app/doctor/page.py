"""docs/doctor.md, written from the table of rules."""

from __future__ import annotations

from tumble.app.doctor.examine import SILENCE
from tumble.app.doctor.rule_table import RULES

_HEAD = f"""# The doctor: what is wrong with a model, and why

Written by `make docs` from the rules in `app/doctor/rules`. [`tumble check`](command-line.md#check) and *Tools, Check model*
examine a model by all of them: its file, its initial state, its keyframes, and a run of a second from its initial state.
A finding has

- a severity: **error**, the run fails or its result is wrong; **warning**, the result is doubtful; **advice**, a better way
  is known;
- the cause with its numbers, and what it does to the result;
- its elements, and the line of the first in the file;
- where there is one, a change that removes it.

No fact is listed twice: a contact that rests too deep because its parts overlap is one finding. A file silences rules:

    <custom><text name="{SILENCE}" data="sink no-range"/></custom>

A new rule is a module with an instance of `app/doctor/case.py:DoctorRule`, a line in `app/doctor/rule_table.py:RULES`, and in
`tests/app/doctor/test_rules.py:PLANTED` a model with its fault and the same model without.
"""


def page() -> str:
    """Text of docs/doctor.md."""
    return "\n".join([_HEAD, *(f"## {rule.id}\n\n**{rule.title}.** {rule.about}\n" for rule in RULES)])
