"""The balance of energy over a run: nothing is gained where nothing gives, and the work of drives is not counted as a gain."""

import pytest

from tumble import physics
from tumble.physics.observe.energy_balance import EnergyBalance

PENDULUM = """<mujoco><option timestep="{step}" integrator="{integrator}"/><worldbody>
  <body><joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body>
</worldbody><actuator><motor joint="j"/></actuator></mujoco>"""


def run(step: float = 1e-3, integrator: str = "RK4", control: float = 0.0, skip: int = 0) -> EnergyBalance:
    m = physics.MjModel.from_xml_string(PENDULUM.format(step=step, integrator=integrator))
    d = physics.MjData(m)
    d.ctrl[:] = control
    physics.mj_forward(m, d)
    physics.mj_step(m, d, skip)
    balance = EnergyBalance(m, d)
    for _ in range(round(1 / step)):
        physics.mj_step(m, d)
        balance.look(m, d)
    return balance


def test_pendulum_without_damping_gains_nothing() -> None:
    balance = run()
    assert balance.known
    assert balance.work == 0
    assert abs(balance.gained) < 1e-5 * balance.scale  # the last stage of RK4 is off by the third power of the step


def test_work_of_a_motor_is_no_gain() -> None:
    balance = run(control=0.5)
    assert balance.work > 0.1 * balance.scale
    assert abs(balance.gained) < 1e-3 * balance.scale  # work is that of the mean velocity of a step: second order


def test_balance_may_begin_in_the_middle_of_a_run() -> None:
    balance = run(skip=300)
    assert abs(balance.gained) < 1e-5 * balance.scale


def test_error_of_euler_shrinks_with_its_step() -> None:
    coarse, fine = (abs(run(step, "Euler").gained) for step in (0.02, 0.002))
    assert coarse > 5 * fine  # of the first order


def test_wind_gives_energy_that_is_not_known() -> None:
    m = physics.MjModel.from_xml_string('<mujoco><option wind="1 0 0" density="1"/></mujoco>')
    assert not EnergyBalance(m, physics.MjData(m)).known


@pytest.mark.parametrize("integrator", ["implicitfast", "implicit"])
def test_stiff_damping_of_a_servo_that_is_taken_implicitly_is_no_gain(integrator: str) -> None:
    """h kv / m is 8: the force at the beginning of the step would brake eight times the momentum there is."""
    m = physics.MjModel.from_xml_string(f"""<mujoco>
      <option gravity="0 0 -1" integrator="{integrator}"/><worldbody><body>
      <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
    </worldbody><actuator><velocity joint="x" kv="4000"/><position joint="z" kp="100" kv="4000"/></actuator></mujoco>""")
    d = physics.MjData(m)
    d.qvel = 1.0
    physics.mj_forward(m, d)
    balance = EnergyBalance(m, d)
    for _ in range(200):
        physics.mj_step(m, d)
        balance.look(m, d)
    assert balance.work < 0
    assert abs(balance.gained) < 2e-3 * balance.scale  # the step's own error: h g v of 0.001 J
