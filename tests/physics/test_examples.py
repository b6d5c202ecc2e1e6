"""The bundled scenes: what they use of MJCF, and that they do what their first lines say."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from tests.physics.reference import load_sdf_plugins
from tumble import physics
from tumble.app.describe.names import joints
from tumble.app.library.examples import EXAMPLES
from tumble.physics.mjcf.schema import MUJOCO, ElementRule
from tumble.physics.query.force import forces_of

PATHS = [example.path for example in EXAMPLES]
FOLDER = PATHS[0].parent
# The skin of a cable looks like its boxes. A user sensor reads 0 without a callback, which no file can bring.
NOTHING_TO_SHOW = {"mujoco/worldbody/composite/skin", "mujoco/sensor/user"}


def elements(path: Path) -> Iterator[etree._Element]:
    """The root of a file and of the files that it includes or attaches."""
    root = etree.parse(str(path)).getroot()
    yield root
    for other in root.iter("include", "model"):
        yield from elements(FOLDER / other.get("file"))


def used_rules() -> dict[int, ElementRule]:
    """The rules by which the elements of the scenes are read, by identity."""
    used: dict[int, ElementRule] = {}

    def visit(element: etree._Element, rule: ElementRule) -> None:
        used[id(rule)] = rule
        for child in element.iterchildren(tag=etree.Element):
            if child.tag != "include":
                visit(child, rule.children[child.tag])

    for path in PATHS:
        for root in elements(path):
            visit(root, MUJOCO)
    return used


def supported_rules(
    rule: ElementRule = MUJOCO, place: str = "mujoco", seen: set[int] | None = None
) -> Iterator[tuple[str, ElementRule]]:
    """Every rule of the schema with its first place, but for those that are not fully supported, and what is in them."""
    seen = set() if seen is None else seen
    if id(rule) in seen or rule.status.level != "supported":
        return
    seen.add(id(rule))
    yield place, rule
    for tag, child in rule.children.items():
        yield from supported_rules(child, f"{place}/{tag}", seen)


def test_every_element_that_is_supported_occurs_in_a_scene() -> None:
    used = used_rules()
    missing = {place for place, rule in supported_rules() if id(rule) not in used} - NOTHING_TO_SHOW
    assert not missing


def test_scenes_include_and_attach_other_files() -> None:
    tags = {element.tag for path in PATHS for root in elements(path) for element in root.iter(tag=etree.Element)}
    assert {"include", "attach", "replicate", "composite", "frame"} <= tags


def test_every_texture_light_camera_and_shape_there_is_occurs() -> None:
    roots = [root for path in PATHS for root in elements(path)]

    def values(tag: str, attribute: str) -> set[str]:
        return {e.get(attribute) for root in roots for e in root.iter(tag)} - {None}

    asset = MUJOCO.children["asset"].children
    assert values("texture", "type") == set(asset["texture"].attributes["type"].words)
    assert values("texture", "builtin") >= {"gradient", "checker", "flat"}
    assert values("texture", "mark") >= {"edge", "cross", "random"}
    assert values("mesh", "builtin") == set(asset["mesh"].attributes["builtin"].words) - {"none"}
    assert values("mesh", "inertia") == set(asset["mesh"].attributes["inertia"].words)
    assert values("light", "type") >= {"spot", "directional", "point"}
    assert values("camera", "mode") >= {"track", "trackcom", "targetbody", "targetbodycom"}
    assert values("geom", "type") >= {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"}
    assert {Path(name).suffix for name in values("mesh", "file")} == {".stl", ".obj", ".msh"}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_reference_loads_and_runs_every_scene(path: Path) -> None:
    load_sdf_plugins()
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    start = data.qpos.copy()
    mujoco.mj_step(model, data, round(1.0 / model.opt.timestep))
    assert np.isfinite(data.qpos).all()
    assert not any(warning.number for warning in data.warning)
    assert np.abs(data.qpos - start).max() > 1e-4
    # Everything has a name by which a person can speak of it, where it can be moved or measured.
    assert all(model.actuator(i).name for i in range(model.nu))


Act = Callable[[physics.MjData], None]


def run(
    name: str, seconds: float, key: str = "", phases: tuple[tuple[float, Act], ...] = (), **ctrl: float
) -> tuple[physics.MjModel, physics.MjData]:
    """A scene as it is after some time, from a keyframe if one is named, with these controls.

    phases: before that, until each time [s], a function that is called before every step.
    """
    model = physics.MjModel.from_xml_path(str(FOLDER / f"{name}.xml"))
    data = physics.MjData(model)
    if key:
        physics.mj_resetDataKeyframe(model, data, model.key(key).id)
    for actuator, value in ctrl.items():
        data.ctrl[model.actuator(actuator).id] = value
    for end, act in phases:
        while data.time < end:
            act(data)
            physics.mj_step(model, data)
    physics.mj_step(model, data, round(seconds / model.opt.timestep))
    assert np.isfinite(data.qpos).all()
    assert not data.warning.number.any()
    return model, data


# What holds in a scene after some seconds, from a keyframe or with controls.
OUTCOMES = {
    # N: half the weight, over a friction of 1.2, with some to spare
    "the arm carries what it has gripped": (
        ("arm", 0.6), {"key": "lifted"}, lambda d: d.body("lid").xpos[2] > 0.3 and d.sensor("grip_force").data[0] > 1),
    # of 1.2 m that its wheels turn, less slip and the way up
    "the rover drives on its wheels": (
        ("rover", 6), {}, lambda d: np.linalg.norm(d.body("chassis").xpos[:2] - (-0.2, -1.7)) > 0.8
        and d.sensor("up").data[2] > 0.8),
    "the eel swims forwards": (  # rad round the ring
        ("eel", 6), {}, lambda d: d.joint("swim").qpos[0] > 0.1 and np.abs(d.qvel).max() < 20),
    "the drone goes where it is told": (
        ("drone", 4), {"x": 0.5, "y": -0.3, "z": 0.2},
        lambda d: d.sensor("place").data == pytest.approx([0.5, -0.3, 0.2], abs=0.05)),
    "the stage turns at its speed": (  # marbles roll on it
        ("gallery", 5), {}, lambda d: d.sensor("turning").data[0] == pytest.approx(0.3, abs=0.04)),
    "the pinwheel spins and the vane turns its blade downwind": (  # rad/s
        ("cards", 8), {}, lambda d: abs(d.sensor("pinwheel").data[0]) > 2
        and d.sensor("vane").data[0] == pytest.approx(np.pi / 2, abs=0.5)),
}  # fmt: skip


@pytest.mark.parametrize("what", OUTCOMES)
def test_a_scene_does_what_its_first_lines_say(what: str) -> None:
    scene, settings, holds = OUTCOMES[what]
    assert holds(run(*scene, **settings)[1])


PITCH = 1 / 12  # of the thread of the nut [m]


@pytest.mark.slow
def test_nut_descends_one_pitch_per_turn_on_the_bolt_axis() -> None:
    model, data = run("nut", 0.4)
    z, turned = data.qpos[2], 0.0
    for _ in range(800):
        physics.mj_step(model, data)
        turned += data.qvel[5] * model.opt.timestep / (2 * np.pi)
    assert turned > 0.1
    assert z - data.qpos[2] == pytest.approx(PITCH * turned, rel=0.02)  # the play of the thread is 0.005 m
    assert np.hypot(*data.qpos[:2]) < 0.005
    assert -data.body("nut").xmat[8] > np.cos(np.radians(0.5))


def test_ten_contacts_stick_slip_and_stay_open() -> None:
    """Each by its closed form: what slips has friction mu N, what sticks has its push, what hangs is listed without a force."""
    model, data = run("contacts", 1.0)
    pushes = {"stick1": 3.0, "stick2": 4.0, "stick3": 2.0, "stick4": 3.5}
    for _ in range(50):
        physics.mj_step(model, data, 10)
        physics.mj_forward(model, data)
        force, seen = forces_of(data), []
        assert data.ncon == 10
        for c, (normal, *tangents) in enumerate(force[:, :3]):
            drum, stamp = (model.geom(int(geom)).name for geom in data.contact.geom[c])
            seen.append(stamp)
            assert drum == f"drum_{stamp}"
            friction, limit = np.hypot(*tangents), data.contact.friction[c, 0] * normal
            if stamp.startswith("open"):
                assert normal == 0
                assert 0 < data.contact.dist[c] < 0.012
                continue
            assert normal == pytest.approx(9.81 * model.body(stamp).mass[0], rel=0.03)  # the top of a drum is round
            if stamp.startswith("slip"):
                assert friction == pytest.approx(limit, rel=1e-6)
            else:
                assert friction == pytest.approx(pushes[stamp], rel=0.03)
                assert friction < 0.8 * limit
        assert len(set(seen)) == 10


def test_dominoes_wake_one_another_and_sleep_where_they_lie() -> None:
    model, data = run("dominoes", 0.3)
    assert data.ntree_awake < 5
    physics.mj_step(model, data, round(5.2 / model.opt.timestep))
    heights = [data.body(i).xpos[2] for i in range(model.nbody) if model.body(i).name.startswith("domino")]
    assert len(heights) == 30
    assert max(heights) < 0.09  # they stand 0.11 high
    assert data.ntree_awake < 30


def test_columns_stand_and_the_drum_rolls_straight() -> None:
    model, data = run("columns", 1)
    start = data.xpos.copy()
    data.joint("drum").qvel[1], data.joint("drum").qvel[3] = 0.5, -0.5 / 0.12
    physics.mj_step(model, data, round(2 / model.opt.timestep))
    drum = model.body("drum").id
    assert np.abs(data.xpos - start)[1:drum].max() < 1e-4
    assert data.xpos[drum] == pytest.approx(start[drum] + [0, 1, 0], abs=0.02)  # m: it slips a little at first
    assert data.ncon >= 3 * 9 * 4


@pytest.mark.parametrize(("key", "phases"), [("apart", [0, 1 / 3, 2 / 3]), ("", [0, 0, 0])])
def test_metronomes_agree_in_one_of_two_ways(key: str, phases: list[float]) -> None:
    model, data = run("metronomes", 15, key=key)
    beats: list[list[float]] = [[], [], []]
    rods = [data.joint(f"{side}_rod") for side in ("left", "middle", "right")]
    before = [rod.qpos[0] for rod in rods]
    while min(map(len, beats)) < 3:
        physics.mj_step(model, data)
        for beat, rod, last in zip(beats, rods, before, strict=True):
            if last < 0 <= rod.qpos[0]:
                beat.append(data.time)
        before = [rod.qpos[0] for rod in rods]
    period = beats[0][2] - beats[0][1]
    phase = sorted(((beat[1] - beats[0][1]) / period + 0.1) % 1 - 0.1 for beat in beats)
    assert phase == pytest.approx(phases, abs=0.06)


def test_the_magnet_lifts_the_cube() -> None:
    model, data = run("crane", 3.0, hoist=-0.2, magnet=1)
    low = data.body("cube").xpos[2]
    data.ctrl[model.actuator("hoist").id] = 0.2
    physics.mj_step(model, data, round(2 / model.opt.timestep))
    assert data.body("cube").xpos[2] > low + 0.15
    assert data.body("magnet").xpos[2] > data.body("cube").xpos[2]


def test_the_biceps_bends_the_elbow_and_the_cord_bears_the_load() -> None:
    _model, still = run("tendons", 1.5)
    _model, pulled = run("tendons", 1.5, biceps=0.4)
    assert pulled.joint("elbow").qpos[0] < still.joint("elbow").qpos[0] - 0.3
    assert still.sensor("rope_pull").data[0] > 15  # N: the counterweight weighs 22 N


def test_joints_that_are_geared_turn_in_their_ratios() -> None:
    _model, data = run("mechanism", 3)
    turned = [data.joint(name).qpos[0] for name in ("crank", "large", "small")]
    assert turned[0] > 3
    assert turned == pytest.approx([turned[0], -2 / 3 * turned[0], 2 * turned[0]], rel=0.02)
    assert np.linalg.norm(data.site("pin").xpos - data.site("eye").xpos) < 0.003  # m: constraints are soft


def test_cards_scatter_with_lift_and_fall_together_without() -> None:
    _model, data = run("cards", 2)
    spread = {}
    for colour in ("red", "blue"):
        places = np.array([data.body(f"{colour}{i}").xpos for i in range(8)])
        assert places[:, 2].max() < 0.06  # they lie on the table
        spread[colour] = places[:, :2].std(0).max()
    assert spread["blue"] < 0.12
    assert spread["red"] > 3 * spread["blue"]


def test_the_motor_turns_the_falling_rod_backwards() -> None:
    _model, fallen = run("motor", 0, phases=((1, lambda data: None),))
    assert fallen.sensor("angle").data[0] > np.pi / 2
    assert fallen.sensor("speed").data[0] > 0
    model, driven = run("motor", 0, phases=((1, lambda data: None), (3, lambda data: data.ctrl.fill(-100))))
    assert driven.sensor("torque").data[0] == -100
    assert driven.sensor("angle").data[0] < -4 * np.pi
    # what it gains in speed is the work of the motor, less that of lifting
    turned = driven.sensor("angle").data[0] - fallen.sensor("angle").data[0]
    risen = driven.body("rod").xipos[2] - fallen.body("rod").xipos[2]
    work = -100 * turned - model.body("rod").mass[0] * 9.81 * risen
    squares = driven.sensor("speed").data[0] ** 2 - fallen.sensor("speed").data[0] ** 2
    assert 0.5 * model.dof_M0[0] * squares == pytest.approx(work, rel=0.01)  # Euler's steps err by a percent


@pytest.mark.parametrize(("control", "place"), [(0.05, 0.05), (-0.05, -0.05), (-0.8, -0.1)])
def test_slider_crank_settles_at_its_control_within_range(control: float, place: float) -> None:
    _model, data = run("slider_crank", 0, phases=((8, lambda data: data.ctrl.fill(control)),))
    assert data.sensor("slider").data[0] == pytest.approx(place, abs=1e-5)
    slider = data.site("slider").xpos + np.array([0, data.actuator_length[0], 0])
    assert np.linalg.norm(data.site("pin").xpos - slider) == pytest.approx(0.11, abs=1e-6)  # the rod's length


@pytest.mark.parametrize(("pull", "lifted"), [(100, True), (20, False)])
def test_a_pad_that_sticks_enough_takes_its_cube_along(pull: float, lifted: bool) -> None:
    def stick(data: physics.MjData) -> None:
        data.ctrl[:] = 0, 0, pull

    def lift(data: physics.MjData) -> None:
        data.ctrl[:] = 50, 50, pull

    _model, data = run("adhesion", 0, phases=((0.2, stick), (1, lift)))
    assert data.sensor("left_cube").data[2] == pytest.approx(0.2, abs=1e-3)
    assert bool(data.sensor("right_cube").data[2] > 0.8) is lifted
    assert data.joint("right").qpos[0] > 0.5


def test_thrust_at_a_site_acts_along_its_gear_alone() -> None:
    def thrust(data: physics.MjData) -> None:
        data.ctrl[:] = 50, 50, 5, 1, 1

    t, mass, g = 0.4, 8.0, 9.81
    model, data = run("thrust", 0, phases=((t, thrust),))
    falling = -g * data.time
    drag = 10 * 3**2  # kv gear^2
    keep = (1 + model.opt.timestep * drag / mass) ** -1 if model.opt.integrator else 1 - model.opt.timestep * drag / mass
    steps = round(data.time / model.opt.timestep)
    braked = -g * model.opt.timestep * sum(keep**k for k in range(steps))
    expected = {
        "free": (0, 0, falling), "pushed": (0, 50 / mass * data.time, falling), "lifted": (0, 0, falling + 50 / mass * data.time),
        "turned": (0, 0, falling), "braked": (0, 0, braked), "braked_across": (0, 0, falling),
    }  # fmt: skip
    for name, velocity in expected.items():
        assert data.joint(name).qvel[:3] == pytest.approx(velocity, abs=1e-9)
    inertia = mass * 0.2**2 / 6
    assert data.joint("turned").qvel[3:] == pytest.approx((0, 5 / inertia * data.time, 0), rel=1e-9)
    assert braked == pytest.approx(-mass * g / drag, rel=0.03)  # the speed at which the damper bears the weight


def test_example_assets_are_reproduced_by_script_and_small(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "packaging" / "example_assets"
    subprocess.run([sys.executable, str(script), str(tmp_path / "assets")], check=True)
    generated = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    there = {p.relative_to(FOLDER) for p in (FOLDER / "assets").rglob("*") if p.is_file()}
    assert there == {path for path in generated if path.parts[0] == "assets"}
    assert [path for path, content in generated.items() if (FOLDER / path).read_bytes() != content] == []
    assert sum(map(len, generated.values())) < 1_500_000


def test_balls_stay_in_the_hammock() -> None:
    model, data = run("hammock", 20)
    balls = np.array([data.body(name).xpos for name in ("red", "gold", "teal", "violet")])
    assert (np.abs(balls[:, :2]) < (0.9, 0.35)).all()
    assert (balls[:, 2] > 0.55).all()
    assert joints(model) == []  # vertices have slides, hundreds of them, which no panel is to list
