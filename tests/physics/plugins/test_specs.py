"""Plugins in MjSpec, and the libraries that programs load for them."""

from pathlib import Path

import mujoco
import pytest

from tests.physics.compiler.parity import differences
from tests.physics.plugins import test_cable, test_pid, test_touch_grid
from tests.physics.plugins.runs import settings
from tumble import mujoco as namespace
from tumble import physics
from tumble.physics.errors import ModelError

OWN = f"""<mujoco><extension><plugin plugin="mujoco.pid"/></extension><worldbody><body><joint name="j"/><geom size=".1"/></body>
</worldbody><actuator><plugin plugin="mujoco.pid" joint="j" actdim="2" dyntype="filter" ctrlrange="-1 1">{settings(kp=3, ki=3)}
</plugin></actuator></mujoco>"""
MODELS = {
    "controllers of an instance": test_pid.scene('actdim="2"', test_pid.DYNAMICS["filter"]), "controller of its own": OWN,
    "touch grid": test_touch_grid.scene(), "composite": test_cable.composite(), "chain": test_cable.chain(test_cable.MIXED),
}  # fmt: skip


@pytest.mark.parametrize("xml", MODELS.values(), ids=MODELS)
def test_spec_and_what_it_writes_are_the_model(xml: str) -> None:
    spec = physics.MjSpec.from_string(xml)
    model, text = spec.compile(), spec.to_xml()
    theirs = mujoco.MjModel.from_xml_string(xml)
    for ours in (model, spec.copy().compile(), physics.MjModel.from_xml_string(text)):
        assert [line for line in differences(ours, theirs) if not line.startswith("plugin[")] == []
    assert differences(physics.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)) != []  # the kinds' numbers


def test_program_builds_a_controller() -> None:
    spec = physics.MjSpec()
    spec.activate_plugin("mujoco.pid")
    body = spec.worldbody.add_body()
    body.add_geom(size=[0.1, 0, 0])
    body.add_joint(name="j")
    actuator = spec.add_actuator(name="p", target="j", trntype=physics.mjtTrn.mjTRN_JOINT)
    actuator.plugin.plugin_name, actuator.plugin.active, actuator.plugin.config = "mujoco.pid", True, {"kp": "2"}
    m = spec.compile()
    d = physics.MjData(m)
    d.ctrl[0] = 1
    physics.mj_forward(m, d)
    assert m.actuator_plugin.tolist() == [0]
    assert d.actuator_force[0] == 2


def test_libraries_of_built_in_plugins_count_as_loaded(tmp_path: Path) -> None:
    for name in ("libactuator.so", "elasticity.dll", "libsdf_plugin.dylib", "libsensor.so"):
        namespace.mj_loadPluginLibrary(f"/some/where/{name}")
    with pytest.raises(ModelError, match=r"libown\.so: libraries of plugins cannot be loaded; built in are those of actuator, "):
        namespace.mj_loadPluginLibrary("libown.so")
    namespace.mj_loadAllPluginLibraries(str(tmp_path))
    (tmp_path / "libown.so").touch()
    with pytest.raises(ModelError, match="libown"):
        namespace.mj_loadAllPluginLibraries(str(tmp_path))
