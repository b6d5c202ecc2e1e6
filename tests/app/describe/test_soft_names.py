"""Soft bodies in words: constraints on them, what is selected, and what of them touches."""

import numpy as np

from tumble import physics
from tumble.app.describe.contacts import Names
from tumble.app.describe.equalities import equality_name, held_bodies
from tumble.app.describe.names import selected_words
from tumble.app.panels.contact_events.lanes import Lanes
from tumble.app.session.contact_choice import ContactChoice, places
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics.observe.touch import ContactTap

MODEL = physics.MjModel.from_xml_string("""<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 .02" radius=".03" mass="1"/>
  <flexcomp name="rope" type="grid" dim="1" count="3 1 1" spacing=".1 .1 .1" pos="1 0 .02" radius=".03" mass="1"><pin id="0"/>
  </flexcomp></worldbody><equality><flexvert flex="sheet"/><flex flex="rope"/></equality></mujoco>""")


def test_a_constraint_on_a_flex_has_its_name_and_holds_its_bodies():
    assert [equality_name(MODEL, k) for k in range(2)] == ["flexvert: sheet", "flex: rope"]
    assert held_bodies(MODEL, 0) == [MODEL.body(f"sheet_{k}").id for k in range(9)]
    assert held_bodies(MODEL, 1) == [MODEL.body(f"rope_{k}").id for k in (1, 2)]  # not the world, which it is pinned to


def test_a_vertex_that_is_selected_is_said_to_be_of_its_flex():
    assert selected_words(MODEL, MODEL.body("sheet_4").id) == "sheet_4 of the soft body sheet: Ctrl+drag pulls it"
    assert selected_words(MODEL, MODEL.body("ball").id) == "ball: Ctrl+drag turns it, Ctrl+right drag pulls it"


def test_each_flex_has_its_own_lane_of_contacts_and_a_contact_of_it_can_be_chosen(qapp):
    data, lanes, choice = physics.MjData(MODEL), Lanes(), ContactChoice()
    tap = ContactTap(data)
    tap.attach()
    physics.mj_step(MODEL, data, 3)
    lanes.take(tap.since(0))
    tap.detach()
    assert sorted(lanes.pairs) == [(0, -2), (0, -1)]
    snapshot = Snapshot(data)
    snapshot.fill(data)
    choice.choose_pair((0, -2), MODEL, snapshot)
    assert snapshot.contact("flex")[choice.index].tolist() == [-1, 1]
    assert choice.carrier == -1  # the panel of parameters is of geoms, and the floor is the larger one
    assert [place.pair for place in places(MODEL, snapshot)] == [tuple(pair) for pair in snapshot.contact_sides().tolist()]


def test_contacts_name_the_flex_and_what_of_it_touches_and_are_found_by_it():
    data = physics.MjData(MODEL)
    physics.mj_forward(MODEL, data)
    names, geom = Names(MODEL), np.array(data.contact.geom)
    soft = np.stack([data.contact.flex, data.contact.elem, data.contact.vert], axis=2)
    texts = [names.contact(g, s) for g, s in zip(geom, soft, strict=True)]
    assert {"floor \N{EN DASH} sheet vertex 4", "floor \N{EN DASH} rope vertex 2"} <= set(texts)
    sides = np.where(geom >= 0, geom, -1 - soft[:, :, 0])
    assert {names.pair(pair) for pair in sides} == {"floor \N{EN DASH} sheet", "floor \N{EN DASH} rope"}
    found = names.with_word("rope", sides)
    assert [("rope" in text) for text in texts] == found.tolist()
    assert 0 < found.sum() < len(found)
    assert names.contact(np.array([0, 1]), np.full((2, 3), -1)) == "floor \N{EN DASH} ball"
    assert names.contact(np.array([1, -1]), np.array([[-1, -1, -1], [0, 7, -1]])) == "ball \N{EN DASH} sheet element 7"
