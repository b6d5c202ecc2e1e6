"""Why a contact slips, in words: each cause is told from its numbers."""

import math
from dataclasses import replace

import pytest

from tumble.app.describe.slip import SlipCase, why_it_slips
from tumble.physics import ContactMode

SLIPPING = SlipCase(ContactMode.SLIP, 10.0, 3.0, (0.3, 0.3), "box", 1.0, 0.5, 0.0, 3, 1.0, False, 1e-4)
CREEPING = replace(SLIPPING, mode=ContactMode.STICK, tangential=2.0, used=2 / 3, creep=2e-4)


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (replace(SLIPPING, tilt=math.radians(30)), "box has 0.3. Raise the friction of box above 0.577"),
        (replace(SLIPPING, tilt=math.radians(10)), "would hold on this slope of 10.0°"),
        (SLIPPING, "The surface is level"),
        (replace(SLIPPING, dim=1), "condim is 1"),
        (replace(SLIPPING, mode=ContactMode.OPEN), "do not press on each other"),
        (replace(SLIPPING, mode=ContactMode.ASLEEP), "asleep"),
        (CREEPING, "force \N{MULTIPLICATION SIGN} R / B = 0.2 mm/s"),
        (CREEPING, "impratio 10 in place of 1 makes that ten times less; noslip_iterations"),
        (replace(CREEPING, noslip=True), "ten times less."),
        (replace(CREEPING, creep=0.1), "more than soft friction creeps"),
        (replace(CREEPING, creep=0.0), "It does not creep"),
        (replace(CREEPING, soft=math.nan), "not yet at rest"),
    ],
)
def test_the_cause_is_told_with_its_numbers(case, says):
    assert says in " ".join(why_it_slips(case))
