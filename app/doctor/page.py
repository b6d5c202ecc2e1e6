"""docs/doctor.md, written from the table of rules."""

from __future__ import annotations

from tumble.app.doctor.rule_table import RULES
from tumble.app.doctor.silence import SILENCE

_HEAD = f"""# The doctor: what is wrong with a model, and why

Written by `make docs` from the rules in `app/doctor/rules`. [`tumble check`](command-line.md#check) and *Tools, Doctor* examine a
model by all of them: its file, its initial state, its keyframes, and a run of a second from its initial state.
A finding has

- a severity: **error**, the run fails or its result is wrong; **warning**, the result is doubtful; **advice**, a better way
  is known;
- the cause with its numbers, and what it does to the result;
- its elements, and the line of the first in the file;
- where there is one, a change that removes it.

No fact is listed twice: a contact that rests too deep because its parts overlap is one finding. A file silences rules:

    <!-- doctor: silence sink no-range -->
    <custom><text name="{SILENCE}" data="sink no-range"/></custom>

Either line silences them for the model, the comment where it stands before the root element or directly in it. Elsewhere a
comment silences them for the element that it stands directly before, with all inside of that one, and for the element that it
stands in:

    <body name="plate">
      <!-- doctor: silence sink -->
      <geom name="foam" type="box" size=".2 .2 .01" solref=".1 1"/>
    </body>

A finding about several elements is silent where all of them are silenced, one about a contact where one side is.

## In the window

![A crate that sinks too deep: its cause, the change with its proof, and the fork with the change as a ghost](doctor.png)

The status bar counts errors and warnings; a click opens the **Doctor** panel. After a load, models of up to 300 dofs are
examined in the background without a run; with the panel open, all rules look at the model with its unsaved edits and a run of a
second, again after each edit. While time runs, the open panel also looks at the simulation: a contact that stays deep, a solver
at its limit, an actuator at its limit lead to an examination of the present state, at most once a second. Models of more than
100 dofs are run by the button *Examine* only: it takes seconds, in which pictures come late.

A click on a finding marks its contact or body in the view; *at 0.42 s* goes to its moment on the timeline.

- **Try it** runs a second without and with the change, from the state in which it was found, and says whether the prediction
  holds. A fork of the running simulation has the change too: a ghost in the view, and its plot in Forks.
- **Apply** changes the numbers of the running model, as one step of undo. The finding stays listed as *applied* until it is
  written.
- **Write to file…** shows the patch, with all other unsaved edits, and saves it.
- **Silence…** adds the rule to the text above, as a patch. A model without a file is silent until another one is opened.

The banner and the analysis of a blow-up lead here, and so does a contact that slips or is deep in the Contacts panel.

## Add a rule

A new rule is a module with an instance of `app/doctor/case.py:DoctorRule`, a line in `app/doctor/rule_table.py:RULES`, and in
`tests/app/doctor/test_rules.py:PLANTED` a model with its fault and the same model without. Faults of real robots stand in
`tests/benchmarks/planted_faults.py`: `python -m tests.benchmarks doctor` plants them into the robots of those published packages
that are installed, and prints which are found, and which files without them stay silent.
"""


def page() -> str:
    """Text of docs/doctor.md."""
    return "\n".join([_HEAD, *(f"## {rule.id}\n\n**{rule.title}.** {rule.about}\n" for rule in RULES)])
