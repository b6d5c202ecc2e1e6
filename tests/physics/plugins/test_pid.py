"""PID controllers, the plugin mujoco.pid."""

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import both, differences, refused
from tests.physics.plugins.runs import assert_alike, settings
from tumble import physics
from tumble.physics.query.actuator_chain import actuator_chain

FULL = settings(kp=5, ki=3, kd=2, slewmax=10, imax=0.4)


def scene(first: str = "", second: str = "", inside: str = FULL, option: str = "") -> str:
    """A slide and a hinge with a controller each, both of one instance; first, second: their attributes."""
    return f"""<mujoco><option {option}/><extension><plugin plugin="mujoco.pid"><instance name="a">{inside}</instance></plugin>
</extension><worldbody><body><joint name="j" type="slide" axis="0 0 1"/><geom size=".01" mass="1"/></body>
<body pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size=".01" pos=".1 0 0" mass="1"/></body></worldbody><actuator>
<motor joint="j"/><plugin name="p" joint="j" instance="a" ctrlrange="-1 1" gear="2" forcerange="-30 30" {first}/>
<plugin name="q" joint="k" plugin="mujoco.pid" instance="a" {second}/></actuator></mujoco>"""


DYNAMICS = {
    "control alone": 'actdim="2"',
    "integrator": 'actdim="3" dyntype="integrator"',
    "filter": 'actdim="3" dyntype="filter" dynprm=".3"',
    "exact filter": 'actdim="3" dyntype="filterexact" dynprm=".3"',
    "early": 'actdim="3" dyntype="filter" dynprm=".3" actearly="true"',
    "limited activations": 'actdim="3" dyntype="integrator" actlimited="true" actrange="-.5 .5"',
}


@pytest.mark.parametrize("second", DYNAMICS.values(), ids=DYNAMICS)
def test_states_and_forces_are_the_reference_s_over_a_hundred_steps(second: str) -> None:
    assert_alike(scene('actdim="2"', second))


@pytest.mark.parametrize("option", ['integrator="RK4"', 'integrator="implicit"', 'integrator="implicitfast"', 'timestep="0.01"'])
def test_integrators_and_time_steps_agree(option: str) -> None:
    assert_alike(scene('actdim="2"', DYNAMICS["integrator"], option=option))


GAINS = {
    settings(kp=5): 0, settings(kp=5, kd=2): 0, settings(kp=5, ki=3): 1,
    settings(kp=5, ki=3, imax=0): 1, settings(ki=2, imax=0.1): 1,
    settings(kp=5, slewmax=0): 1, settings(kp=5, ki=0, imax=1): 0, settings(kp=5, ki=3, slewmax=1): 2,
}  # fmt: skip


@pytest.mark.parametrize("inside", GAINS)
def test_each_set_of_gains_agrees(inside: str) -> None:
    number = GAINS[inside]
    assert_alike(scene(f'actdim="{number}"', f'actdim="{number + 1}" dyntype="integrator"', inside))


def test_models_are_the_reference_s() -> None:
    first = scene('actdim="2"', DYNAMICS["filter"])
    named, inside = '<plugin name="q" joint="k" plugin="mujoco.pid" instance="a" actdim="3"', '<plugin name="q" joint="k" '
    for xml in (first, first.replace(named, inside + 'plugin="mujoco.pid" actdim="1"')):
        found = differences(*both(xml))
        # the kinds of plugins are numbered by the order of libraries there, by names here
        assert [text for text in found if not text.startswith("plugin[")] == []


def test_integral_holds_a_weight_that_the_proportional_term_cannot() -> None:
    xml = """<mujoco><extension><plugin plugin="mujoco.pid"/></extension><worldbody><body>
<joint type="slide" axis="0 0 1" name="j"/><geom size=".1" mass="1"/></body></worldbody><actuator>
<plugin plugin="mujoco.pid" joint="j" {}>{}</plugin></actuator></mujoco>"""
    sag = []
    for given, inside in (("", settings(kp=100, kd=20)), ('actdim="1"', settings(kp=100, kd=20, ki=100))):
        m = physics.MjModel.from_xml_string(xml.format(given, inside))
        d = physics.MjData(m)
        physics.mj_step(m, d, 10_000)
        sag.append(d.qpos[0])
    assert sag[0] == pytest.approx(-9.81 / 100, rel=1e-4)
    assert abs(sag[1]) < 1e-6
    assert 100 * d.act[0] == pytest.approx(9.81, rel=1e-4)  # the integral of the error carries the weight


def test_activations_are_part_of_the_state() -> None:
    m = physics.MjModel.from_xml_string(scene('actdim="2"', DYNAMICS["integrator"]))
    theirs = mujoco.MjModel.from_xml_string(scene('actdim="2"', DYNAMICS["integrator"]))
    for spec in (physics.mjtState.mjSTATE_FULLPHYSICS, physics.mjtState.mjSTATE_INTEGRATION, physics.mjtState.mjSTATE_PLUGIN):
        assert physics.mj_stateSize(m, spec) == mujoco.mj_stateSize(theirs, spec)
    d, again = physics.MjData(m), physics.MjData(m)
    d.ctrl[:] = 0.3
    physics.mj_step(m, d, 50)
    state = np.zeros(physics.mj_stateSize(m, physics.mjtState.mjSTATE_INTEGRATION))
    physics.mj_getState(m, d, state, physics.mjtState.mjSTATE_INTEGRATION)
    physics.mj_setState(m, again, state, physics.mjtState.mjSTATE_INTEGRATION)
    physics.mj_step(m, d, 50)
    physics.mj_step(m, again, 50)
    assert (d.act == again.act).all()
    assert (d.qpos == again.qpos).all()


def test_disabled_group_has_no_force_and_a_delay_is_kept() -> None:
    m = physics.MjModel.from_xml_string(scene('actdim="2" group="3"', DYNAMICS["integrator"]))
    m.opt.disableactuator = 1 << 3
    d = physics.MjData(m)
    d.ctrl[:] = 1
    physics.mj_step(m, d, 3)
    assert d.actuator_force[1] == 0
    assert (d.act[:2] == 0).all()
    late = physics.MjModel.from_xml_string(scene('nsample="4" delay=".006"', "", settings(kp=1)))
    d = physics.MjData(late)
    d.ctrl[1] = 1
    physics.mj_step(late, d, 2)
    assert abs(d.actuator_force[1]) < 0.01  # of the length alone
    physics.mj_step(late, d, 3)
    assert d.actuator_force[1] > 0.9


WRONG = {
    scene(): 'with ki and slewmax it has 2 activations: write actdim="2"',
    scene('actdim="2"', 'actdim="2" dyntype="filter"'): 'with ki and slewmax and dyntype it has 3 activations: write actdim="3"',
    scene('actdim="1"', "", settings(kp=1)): "with no ki, slewmax or dyntype it has 0 activations",
    scene('actdim="2"', 'dyntype="muscle"'): "dyntype of a PID controller must be one of none, integrator, filter, filterexact",
    scene('actdim="2"', 'actdim="2" actrange="-1 1"'): 'dyntype "none" has none',
    scene(inside=settings(kp="x")): 'kp="x" is not a number',
    scene(inside=settings(kp="1 2")): "kp must be 1 number, has 2",
    scene(inside=settings(kp="nan")): "kp must be finite",
    scene(inside=settings(imax=-1, ki=1)): "imax must not be negative, is -1",
    scene(inside=settings(slewmax=-1)): "slewmax must not be negative",
    scene(inside=settings(gain=1)): 'mujoco.pid has no attribute "gain"; it has: kp, ki, kd, imax, slewmax',
    scene(inside=settings(kp=1) * 2): 'key "kp" is given twice',
}


@pytest.mark.parametrize("xml", WRONG)
def test_mistakes_are_named_at_their_place(xml: str) -> None:
    refused(xml, WRONG[xml], place=r"model\.xml:\d+:\d+: <")


def test_unused_instance_is_no_error() -> None:
    xml = scene('actdim="2"', 'actdim="2"').replace('<instance name="a">', '<instance name="idle"/><instance name="a">')
    m = physics.MjModel.from_xml_string(xml)
    assert m.actuator_plugin.tolist() == [-1, 1, 1]
    physics.mj_step(m, physics.MjData(m))


def test_instances_are_numbered_as_in_the_reference() -> None:
    third = f'<plugin plugin="mujoco.pid" joint="j" actdim="1">{settings(ki=1)}</plugin>'
    xml = scene('actdim="2"', 'actdim="2"').replace("</actuator>", f"{third}</actuator>")
    ours, theirs = both(xml)
    for name in ("actuator_plugin", "plugin_attr", "plugin_attradr", "actuator_actadr", "actuator_actnum", "npluginstate"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name


@pytest.mark.parametrize("dynamics", ["control alone", "filter"])
def test_chain_explains_the_force(dynamics: str) -> None:
    m = physics.MjModel.from_xml_string(scene('actdim="2"', DYNAMICS[dynamics], settings(kp=5, ki=3, kd=2, slewmax=1000)))
    d = physics.MjData(m)
    d.ctrl[:] = 0.5
    physics.mj_step(m, d, 30)
    physics.mj_forward(m, d)
    for i in (1, 2):
        chain = actuator_chain(m, d, i)
        own = i == 2 and dynamics == "filter"
        assert np.isnan(chain.act) != own
        assert chain.drive == (d.act[-1] if own else 0.5)
        assert chain.gain == pytest.approx(5, abs=1e-12)
        rate = 2 * d.act_dot[-1] if own else 0.0  # of the set point, which the chain leaves out, as the step of the integral
        assert chain.wanted + rate == pytest.approx(d.actuator_force[i], abs=3 * 0.6 * m.opt.timestep)
