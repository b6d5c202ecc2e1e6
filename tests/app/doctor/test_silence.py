"""Comments in a file that silence rules of the doctor, for the model or for one element."""

from __future__ import annotations

from pathlib import Path

import pytest

from tumble import physics
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine

HEAD, WORLD, FIRST, SECOND, DRIVES = "<!-- head -->", "<!-- world -->", "<!-- first -->", "<!-- second -->", "<!-- drives -->"
SERVO = '<position name="p" joint="j" kp="9"/>'
HEAVY = '<inertial pos="0 0 0" mass="1" diaginertia=".5 .5 .5"/>'
LINKS = f"""{HEAD}<mujoco><worldbody>{WORLD}
  <body name="one">
    {FIRST}
    <joint name="j" type="slide"/><geom size=".1"/>{HEAVY}
  </body>
  {SECOND} <!-- another -->
  <body name="two" pos="1 0 0"><joint type="slide"/><geom size=".1"/>{HEAVY}</body>
</worldbody><actuator>{DRIVES}{SERVO}</actuator></mujoco>"""
WORDS = "<!-- doctor: silence inertia-impossible, no-range -->"


def rules(text: str, tmp_path: Path, seconds: float = 0.01) -> set[str]:
    path = tmp_path / "model.xml"
    path.write_text(text)
    model = physics.MjModel.from_xml_path(str(path))
    return {one.rule for one in examine(Examination(model, path, seconds=seconds), lambda done, steps: None)}


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ((), {"inertia-impossible", "no-range"}),
        ((HEAD,), set()),  # before the root: for the model
        ((FIRST,), {"inertia-impossible", "no-range"}),  # one of the two links that one finding is about
        ((FIRST, SECOND), {"no-range"}),  # in one, directly before the other
        ((WORLD,), {"inertia-impossible", "no-range"}),
        ((WORLD, SECOND), {"no-range"}),
        ((DRIVES,), {"inertia-impossible"}),
    ],
)
def test_comment_silences_its_model_or_element(places: tuple[str, ...], left: set[str], tmp_path: Path) -> None:
    text = LINKS
    for place in places:
        text = text.replace(place, WORDS)
    assert rules(text, tmp_path) == left


def test_comment_directly_in_the_root_is_for_the_model(tmp_path: Path) -> None:
    assert rules(LINKS.replace("<mujoco>", f"<mujoco>{WORDS}"), tmp_path) == set()
    assert rules(LINKS.replace("</mujoco>", f"{WORDS}</mujoco>"), tmp_path) == set()


def test_comment_after_the_last_child_is_for_the_element_it_stands_in(tmp_path: Path) -> None:
    text = LINKS.replace(".5 .5 .5", ".001 .001 .001", 1)
    assert rules(text, tmp_path) == {"inertia-impossible", "no-range"}
    assert rules(text.replace("</body>\n</world", f"{WORDS}</body>\n</world"), tmp_path) == {"no-range"}
    assert rules(text.replace("</worldbody>", f"{WORDS}</worldbody>"), tmp_path) == {"inertia-impossible", "no-range"}


def test_comment_in_an_included_file_silences_its_element(tmp_path: Path) -> None:
    drives = tmp_path / "drives.xml"
    text = LINKS.replace(f"<actuator>{DRIVES}{SERVO}</actuator>", '<include file="drives.xml"/>')
    servos = f'<mujoco><actuator><position joint="j" kp="9"/>{WORDS}<position joint="j" kp="8"/></actuator></mujoco>'
    drives.write_text(servos)
    assert rules(text, tmp_path) == {"inertia-impossible", "no-range"}
    drives.write_text(servos.replace("<position", f"{WORDS}<position", 1))
    assert rules(text, tmp_path) == {"inertia-impossible"}


def test_contact_is_silent_where_one_side_is(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body pos="0 0 .05"><freejoint/>
      <geom name="crate" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    assert "overlap-start" in rules(text, tmp_path, 0.3)
    quiet = text.replace('<geom name="crate"', '<!--doctor: silence overlap-start--><geom name="crate"')
    assert "overlap-start" not in rules(quiet, tmp_path, 0.3)
