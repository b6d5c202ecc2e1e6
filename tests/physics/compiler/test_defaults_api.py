"""What scripts ask the compiler for: defaults, length ranges, files of a model, the cache of assets, the schema as text."""

import math

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.compiler.relations import lengthrange
from tumble.physics.errors import ModelError
from tumble.physics.mjcf.reference import places
from tumble.physics.state.structs.struct import names

MUSCLES = """
<mujoco>
  <worldbody>
    <body><joint name="free"/><geom size="0.1" pos="0.2 0 0"/></body>
    <body pos="1 0 0"><joint name="held" type="slide" limited="true" range="-0.3 0.4"/><geom size="0.1"/></body>
    <body pos="2 0 0"><joint name="arm" axis="0 1 0" limited="true" range="-1 1"/><geom size="0.1" pos="0.2 0 0"/>
      <site name="hand" pos="0.2 0 0"/></body>
    <site name="shoulder" pos="2 0 0.3"/>
  </worldbody>
  <tendon><spatial name="cord"><site site="shoulder"/><site site="hand"/></spatial></tendon>
  <actuator>
    <muscle joint="free" lengthrange="0.1 0.9"/>
    <motor joint="held" gear="-2"/>
    <motor tendon="cord"/>
    <motor joint="free"/>
  </actuator>
</mujoco>
"""


def test_default_options_are_the_references():
    text = '<mujoco><option timestep="1" cone="elliptic"><flag contact="disable"/></option></mujoco>'
    theirs, m = mujoco.MjOption(), physics.MjModel.from_xml_string(text)
    mujoco.mj_defaultOption(theirs)
    physics.mj_defaultOption(m.opt)
    for name in names(m.opt):
        np.testing.assert_array_equal(getattr(m.opt, name), getattr(theirs, name), err_msg=name)


def test_default_visual_settings_are_the_references():
    text = '<mujoco><visual><global fovy="10"/><map znear="0.5"/><rgba fog="1 0 0 1"/></visual></mujoco>'
    ours, theirs = physics.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    physics.mj_defaultVisual(ours.vis)
    mujoco.mj_defaultVisual(theirs.vis)
    for section in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        for name in names(getattr(ours.vis, section)):
            expected = getattr(getattr(theirs.vis, section), name)
            if np.size(expected):  # the reference's binding shows a few colours as empty arrays
                value = getattr(getattr(ours.vis, section), name)
                np.testing.assert_allclose(value, expected, rtol=1e-7, err_msg=name)  # there with 32 bits


def test_default_solref_and_solimp_match_reference():
    solref, solimp = np.empty(2), np.empty(5)
    physics.mj_defaultSolRefImp(solref, solimp)
    m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    np.testing.assert_array_equal(solref, m.geom_solref[0])
    np.testing.assert_array_equal(solimp, m.geom_solimp[0])


def options(module, **changes):
    opt = module.MjLROpt()
    module.mj_defaultLROpt(opt)
    for name, value in changes.items():
        setattr(opt, name, value)
    return opt


def test_default_length_range_options_are_the_references():
    ours, theirs = options(physics), options(mujoco)
    for name in [name for name in dir(theirs) if name[0] != "_"]:
        assert getattr(ours, name) == getattr(theirs, name), name


@pytest.mark.parametrize("changes", [{"mode": 1}, {"mode": 3}, {"mode": 3, "inttotal": 3, "interval": 1}], ids=str)
def test_length_ranges_are_the_references(changes):
    models = [module.MjModel.from_xml_string(MUSCLES) for module in (physics, mujoco)]
    for module, m in zip((physics, mujoco), models, strict=True):
        d = module.MjData(m)
        for actuator in range(3):
            module.mj_setLengthRange(m, d, actuator, options(module, **changes))
    np.testing.assert_allclose(models[0].actuator_lengthrange, models[1].actuator_lengthrange, rtol=1e-6, atol=1e-9)


def test_a_length_range_is_taken_from_limits_through_the_gear():
    m = physics.MjModel.from_xml_string(MUSCLES)
    physics.mj_setLengthRange(m, physics.MjData(m), 1, options(physics, mode=3, uselimit=1))
    np.testing.assert_allclose(m.actuator_lengthrange[1], (-0.8, 0.6))  # gear -2, range -0.3 0.4: length is gear times position


def test_a_length_range_that_has_no_ends_is_refused():
    m, d = load(MUSCLES)
    with pytest.raises(ModelError, match=r"actuator 3 (comes to no rest|reaches no range)"):
        physics.mj_setLengthRange(m, d, 3, options(physics, mode=3, inttotal=3))
    with pytest.raises(ModelError, match="timestep must be positive"):
        physics.mj_setLengthRange(m, d, 3, options(physics, mode=3, timestep=0))
    with pytest.raises(IndexError, match="actuator 9"):
        physics.mj_setLengthRange(m, d, 9, options(physics))
    assert m.actuator_lengthrange[3].tolist() == [0.0, 0.0]


@pytest.fixture
def model_files(tmp_path):
    files = {
        "main.xml": '<mujoco><compiler meshdir="meshes" texturedir="tex"/><include file="sub/part.xml"/><asset>'
                    '<mesh file="a.obj"/><texture name="t" type="2d" file="t.png"/><model file="child.xml"/></asset></mujoco>',
        "sub/part.xml": '<mujoco><asset><mesh file="b.obj"/></asset></mujoco>',
        "child.xml": '<mujoco><asset><mesh file="c.obj"/></asset><worldbody><body name="k"/></worldbody></mujoco>',
        "meshes/a.obj": "", "meshes/b.obj": "", "tex/t.png": "", "c.obj": "",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path, files


def test_a_model_depends_on_every_file_it_names(model_files):
    folder, files = model_files
    dependencies = physics.mju_getXMLDependencies(str(folder / "main.xml"))
    assert dependencies[0] == str(folder / "main.xml")
    assert sorted(dependencies) == sorted(str(folder / name) for name in files)
    theirs = mujoco.mju_getXMLDependencies(str(folder / "main.xml"))
    # Of what an included file names the reference tells another place than the one where it reads it.
    assert set(dependencies) ^ set(theirs) == {str(folder / "meshes/b.obj"), str(folder / "sub/b.obj")}


def test_the_cache_of_assets_is_emptied_and_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "directory", lambda: tmp_path)
    monkeypatch.setattr(store, "_capacity", store.MOST_BYTES)
    cache = physics.mj_getCache()
    assert physics.mj_getCacheSize(cache) == 0
    for name in "abc":
        (tmp_path / f"{name}{store.SUFFIX}").write_bytes(bytes(100))
    assert (physics.mj_getCacheSize(cache), physics.mj_getCacheCapacity(cache)) == (300, store.MOST_BYTES)
    assert physics.mj_setCacheCapacity(cache, 250) == physics.mj_getCacheCapacity(cache) == 250
    assert physics.mj_getCacheSize(cache) == 200
    physics.mj_clearCache(cache)
    assert physics.mj_getCacheSize(cache) == 0
    physics.mj_setCacheCapacity(cache, 0)
    assert store.key(bytes(10**6), "stl", store.Recipe(), "") == ""


def test_the_schema_is_printed_with_every_element():
    text, table = physics.mj_printSchema(False, False), physics.mj_printSchema(True, True)
    tags = {path.rpartition("/")[2] for path, _ in places()}
    assert tags <= {line.split()[0] for line in text.splitlines()}
    assert all(f">{tag}</td>" in table for tag in tags)
    assert table.count("<tr>") == table.count("</tr>") > len(tags)
    assert "&nbsp;" in physics.mj_printSchema(True, False)
    assert "&nbsp;" not in table


def arms(number: int, links: int, cords: int, more: str = "", option: str = "") -> str:
    """Arms of so many links, with so many tendons each from the ground to the links, a muscle on every one."""
    bodies, tendons, muscles = "", "", ""
    for a in range(number):
        bodies += f'<site name="low{a}" pos="{a} .1 -.3"/><site name="high{a}" pos="{a} 0 .3"/>'
        for k in range(links):
            axis = ("0 1 0", "0 .6 .8")[k % 2]
            bodies += f"""<body pos="{a if k == 0 else 0.2} 0 0"><joint name="j{a}.{k}" axis="{axis}" range="-60 60"/>
              <geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/><site name="s{a}.{k}" pos=".1 0 .05"/>"""
        bodies += "</body>" * links
        for c in range(cords):
            tendons += f"""<spatial name="t{a}.{c}"><site site="{("low", "high")[c // links % 2]}{a}"/>
              <site site="s{a}.{c % links}"/></spatial>"""
            muscles += f'<muscle tendon="t{a}.{c}"/>'
    rule = '<compiler><lengthrange inttotal="1" interval=".2" tolrange=".5" timeconst=".1"/></compiler>'
    return f"""<mujoco>{rule}{option}<worldbody>{bodies}</worldbody><tendon>{tendons}</tendon><actuator>{muscles}</actuator>
      {more}</mujoco>"""


LIMITED = arms(1, 3, 6).replace('<spatial name="t0.4"', '<spatial name="t0.4" range="0 .25" limited="true"')


@pytest.mark.parametrize("xml", [
    arms(2, 3, 6),
    LIMITED,
    arms(1, 3, 6, '<equality><tendon tendon1="t0.0" tendon2="t0.4"/></equality>'),
    arms(1, 3, 6).replace('<spatial name="t0.3"', '<spatial armature="5" name="t0.3"'),
    arms(1, 3, 6).replace('<spatial name="t0.3"', '<spatial stiffness="1000" damping="20" frictionloss="9" name="t0.3"'),
    arms(1, 3, 6, option='<option integrator="RK4"/>'),
    arms(1, 3, 6, option='<option integrator="implicitfast" solver="PGS"/>'),
], ids=["free", "limited", "coupled", "armature", "springs", "rk4", "implicit"])  # fmt: skip
def test_ranges_are_the_references_whatever_ties_the_joints(xml: str) -> None:
    ours, theirs = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_allclose(ours.actuator_lengthrange, theirs.actuator_lengthrange, rtol=1e-5)
    for name in ("tendon_num", "tendon_length0"):  # what was put aside meanwhile is back
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, err_msg=name)
    assert ours.opt.integrator == theirs.opt.integrator
    assert ours.opt.disableflags == theirs.opt.disableflags


def test_lengthrange_computes_only_relevant_tendons_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, loading 490 muscles took longer than in the reference: four times as long with ten joints as now."""
    drawn: list[np.ndarray] = []
    done = lengthrange.pull.on

    def watched(m: physics.MjModel, *rest: float) -> None:
        drawn.append(np.flatnonzero(m.tendon_num))
        done(m, *rest)

    monkeypatch.setattr(lengthrange.pull, "on", watched)
    physics.MjModel.from_xml_string(LIMITED)
    assert {tuple(seen) for seen in drawn} == {tuple(sorted({t, 4})) for t in range(6)}
    assert len(drawn) == 6 * 2 * math.ceil(1 / 0.01 / lengthrange._AT_ONCE)
