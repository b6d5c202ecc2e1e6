"""Plugin instances and the meshes that are made of their signed distance functions."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.physics.compiler.parity import both, differences
from tumble import physics
from tumble.physics.collision.sdf import registry
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

TOUCHLESS = 'contype="0" conaffinity="0"'  # no hull: it is what takes most time


def config(**attributes: object) -> str:
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in attributes.items())


def scene(kind: str = "gear", inside: str = "", mesh: str = "", geom: str = "", user: str = '<plugin instance="i"/>') -> str:
    return f"""<mujoco><extension><plugin plugin="mujoco.sdf.{kind}"><instance name="i">{inside}</instance></plugin></extension>
<asset><mesh name="m" {mesh}><plugin instance="i"/></mesh></asset>
<worldbody><body name="b"><freejoint/><geom type="sdf" mesh="m" {TOUCHLESS} {geom}>{user}</geom></body></worldbody></mujoco>"""


# The frame of the inertia differs on purpose: see docs/decisions/differences.md. Triangles of a cube are in another order.
DIFFERENT = ("body_ipos", "body_iquat", "body_simple", "body_sameframe", "dof_", "nC", "M_", "mapM", "mapD", "stat_", "mesh_face",
             "mesh_poly", "nmeshpoly", "plugin[")  # fmt: skip


@pytest.mark.parametrize(("kind", "inside"), [("gear", config(teeth=11, thickness=1)), ("nut", ""), ("bolt", config(radius=0.2))])
def test_a_mesh_of_a_function_is_the_reference_s(kind: str, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_capacity", 0)  # made here, and not kept from before
    ours, theirs = both(scene(kind, inside))
    assert ours.nmeshvert > 10_000
    assert [text for text in differences(ours, theirs) if not text.startswith(DIFFERENT)] == []
    assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-12)
    assert_allclose(ours.body_inertia, theirs.body_inertia, rtol=1e-9)
    assert (np.sort(ours.mesh_face, axis=None) == np.sort(theirs.mesh_face, axis=None)).all()


def test_sdf_mesh_is_cached_by_its_attributes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "directory", lambda: tmp_path)
    model, other = (MjModel.from_xml_string(scene("torus", config(radius2=tube))) for tube in (0.15, 0.2))
    store.settle()
    files = sorted(tmp_path.iterdir())
    kept = MjModel.from_xml_string(scene("torus", config(radius2=0.15)))
    store.settle()
    assert len(files) == 2
    assert sorted(tmp_path.iterdir()) == files
    for name, array in model._arrays.items():
        assert np.array_equal(array, kept._arrays[name]), name
    assert other.body_mass[1] > 1.2 * model.body_mass[1]


def test_a_ring_turns_about_its_axis_as_the_formula_says():
    ring, tube = 0.35, 0.15
    m = MjModel.from_xml_string(scene("torus", config(radius1=ring, radius2=tube), mesh='inertia="exact"'))
    assert m.body_mass[1] == pytest.approx(1000 * 2 * math.pi**2 * ring * tube**2, rel=1e-3)  # the mesh is inscribed
    turn = np.zeros(9)
    physics.mju_quat2Mat(turn, m.body_iquat[1])
    tensor = turn.reshape(3, 3) @ np.diag(m.body_inertia[1]) @ turn.reshape(3, 3).T / m.body_mass[1]
    along, across = ring**2 + 0.75 * tube**2, ring**2 / 2 + 0.625 * tube**2
    assert_allclose(tensor, np.diag([across, across, along]), atol=2e-4)


def test_a_bolt_s_mass_is_where_the_bolt_is():
    m = MjModel.from_xml_string(scene("bolt", geom='pos="1 2 3" euler="90 0 0"', mesh='inertia="exact"'))
    assert_allclose(m.geom_pos[0], (1, 2, 3))
    assert_allclose(m.body_ipos[1] - (1, 2, 3), (0, 0.37, 0), atol=0.02)  # its head and its shaft: from z = -1 to 0


def test_settings_of_instances_are_stored_as_in_the_reference():
    xml = f"""<mujoco><extension><plugin plugin="mujoco.sdf.gear"><instance name="a"/>
<instance name="b">{config(teeth=30, alpha="0.1 ")}</instance></plugin><plugin plugin="mujoco.sdf.nut"/></extension>
<asset><mesh name="m"><plugin plugin="mujoco.sdf.nut">{config(radius=".2")}</plugin></mesh></asset>
<worldbody><geom type="sdf" mesh="m" {TOUCHLESS}><plugin plugin="mujoco.sdf.nut"/></geom>
<geom type="sdf" mesh="m" {TOUCHLESS}><plugin instance="b"/></geom></worldbody></mujoco>"""
    ours, theirs = both(xml)
    for name in ("nplugin", "npluginattr", "plugin_attr", "plugin_attradr", "plugin_stateadr", "plugin_statenum", "geom_plugin",
                 "body_plugin", "name_pluginadr", "names"):  # fmt: skip
        assert np.array_equal(np.asarray(getattr(ours, name)), np.asarray(getattr(theirs, name))), name
    meant = [registry.at(int(number)).name for number in ours.plugin]
    assert meant == [f"mujoco.sdf.{kind}" for kind in ("gear", "gear", "nut", "nut")]
    assert ours.plugin[0] == ours.plugin[1] != ours.plugin[2]


def test_a_geom_without_an_instance_has_that_of_its_mesh():
    assert MjModel.from_xml_string(scene(user="")).geom_plugin.tolist() == [0]


def test_attached_and_replicated_sdf_plugins_match_reference():
    child = scene(inside=config(teeth=12)).encode()
    xml = f"""<mujoco><extension><plugin plugin="mujoco.sdf.nut"><instance name="i"/></plugin></extension>
<asset><model name="c" file="c.xml"/><mesh name="n"><plugin instance="i"/></mesh></asset><worldbody>
<geom type="sdf" mesh="n" {TOUCHLESS}><plugin instance="i"/></geom><attach model="c" body="b" prefix="a_"/></worldbody>
</mujoco>"""
    ours, theirs = both(xml, {"c.xml": child})
    assert ours.geom_plugin.tolist() == theirs.geom_plugin.tolist() == [0, 1]
    assert ours.plugin_attr.tolist() == theirs.plugin_attr.tolist()
    assert ours.names == theirs.names
    copied = scene().replace("<worldbody>", '<worldbody><replicate count="3" offset="3 0 0">').replace("<freejoint/>", "")
    copied = copied.replace("</worldbody>", "</replicate></worldbody>")  # the reference ends the process for it
    assert MjModel.from_xml_string(copied).geom_plugin.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("kind", "inside"), [("torus", config(radius1=0)), ("nut", config(radius=0)), ("bowl", "")])
def test_what_the_reference_takes_for_an_attribute_is_taken(kind: str, inside: str) -> None:
    ours, theirs = both(scene(kind, inside))
    assert ours.nmeshvert == theirs.nmeshvert
    assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-9)


WRONG = {
    scene(inside=config(tooth=1)): 'has no attribute "tooth"',
    scene(inside=config(teeth="x")): 'teeth="x" is not a number',
    scene(inside=config(teeth=1) * 2): 'key "teeth" is given twice',
    scene(mesh='scale="2 2 2"'): "scale",
    scene("geer"): r'plugin "mujoco.sdf.geer" is unknown, .*there are: mujoco\.sdf\.gear, .*set_sdf$',
    scene(user='<plugin instance="j"/>'): '<plugin> instance "j" is not a plugin',
    scene(user='<plugin plugin="mujoco.pid"/>'): '<plugin> plugin "mujoco.pid" acts on actuators, not on a geom',
    scene().replace("<freejoint/>", '<freejoint/><plugin instance="i"/>'): "acts on meshes and geoms, not on a body",
    scene("torus", config(radius2="-1")): "radius2|positive",
}


@pytest.mark.parametrize(("xml", "says"), WRONG.items(), ids=list(WRONG.values()))
def test_invalid_sdf_plugin_error_names_its_place(xml: str, says: str) -> None:
    with pytest.raises(MjcfError, match=says) as caught:
        MjModel.from_xml_string(xml)
    assert str(caught.value).startswith("model.xml:")
    with pytest.raises(ValueError, match=r"\S"):
        mujoco.MjModel.from_xml_string(xml)


def test_sdf_without_surface_in_bounds_is_refused():
    physics.set_sdf("tests.nothing", lambda p, a: 1.0 + a[0], {"more": 0.0}, bounds=(1.0, 0.01, 0.01))
    try:
        xml = scene().replace("mujoco.sdf.gear", "tests.nothing")
        with pytest.raises(MjcfError, match="has no surface within its bounds"):
            MjModel.from_xml_string(xml)
    finally:
        physics.set_sdf("tests.nothing", None)


def test_a_saved_model_has_its_functions_and_their_attributes(tmp_path):
    m = MjModel.from_xml_string(scene(inside=config(teeth=12)))
    physics.mj_saveModel(m, str(tmp_path / "gear.tumble-model"))
    again = MjModel.from_binary_path(tmp_path / "gear.tumble-model")
    point, d, e = np.array([1.4, 0.1, 0.0]), physics.MjData(m), physics.MjData(again)
    for model, data in ((m, d), (again, e)):
        physics.mj_forward(model, data)
    assert (again.plugin_prm == m.plugin_prm).all()
    assert registry.at(int(again.plugin[0])).sample(point[None], again.plugin_prm[0]) < 0.2
    assert again.plugin_prm[0, 2] == 12


@pytest.mark.parametrize("error", [ZeroDivisionError("no idea"), SystemExit("no idea")], ids=["an error", "an end"])
def test_exception_in_user_sdf_is_reported_at_its_mesh(error: BaseException) -> None:
    def distance(point: object, attributes: object) -> float:
        raise error

    physics.set_sdf("tests.raises", distance)
    try:
        with pytest.raises(MjcfError, match=rf"model.xml:\d+:\d+: <mesh> .*tests.raises.*raised {type(error).__name__}: no idea"):
            MjModel.from_xml_string(scene().replace("mujoco.sdf.gear", "tests.raises"))
    finally:
        physics.set_sdf("tests.raises", None)
