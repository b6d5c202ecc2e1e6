"""What runs on every machine: the example models are compiled and stepped, a picture is drawn, all numbers are kept.

    python trial.py MODELS OUT [HERE]

HERE is the folder that this wrote on another machine: models and states to step from are then taken from there. A run of its own
differs between processors as soon as a contact is made a step earlier; one step from the same numbers must give the same.
It runs by path, on a machine that has the program but no tests.
"""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np

from tumble import physics
from tumble.physics.kernel import library
from tumble.physics.kernel.function import STAGES
from tumble.physics.state.layout import MODEL_LAYOUT

STEPS = 1000
EVERY = 100  # steps between two states
CTRL = 0.1
COMPARED = ("qpos", "qvel", "qacc", "sensordata", "qfrc_constraint", "qfrc_inverse")
COUNTED = ("ncon", "nefc", "nisland")
# What each state is stepped with too, one after the other: every integrator, solver and cone.
VARIANTS = [(i, s, c) for i in range(4) for s in range(3) for c in range(2)]
PICTURED = "contacts"
INTEGRATION = physics.mjtState.mjSTATE_INTEGRATION
NUMBERS = "numbers.npz"

Numbers = dict[str, np.ndarray]


def run_model(path: Path, out: Path, here: Path | None, states: Numbers, first_variant: int) -> Numbers:
    """Numbers of a model by MODEL/MOMENT/FIELD, and its states by MODEL/state K. states: those to begin from; else its own."""
    m, name = physics.MjModel.from_xml_path(str(path)), path.stem
    result = {f"{name}/compiled/{f.name}": np.array(getattr(m, f.name)) for f in MODEL_LAYOUT.fields.values() if f.dtype == "f8"}
    physics.mj_saveModel(m, str(out / f"{name}.mjb"))
    m = physics.MjModel.from_binary_path(str((here or out) / f"{name}.mjb"))
    d = physics.MjData(m)
    d.ctrl[:] = CTRL
    for k in range(STEPS // EVERY):
        result[f"{name}/state {k}"] = state = np.zeros(physics.mj_stateSize(m, INTEGRATION))
        physics.mj_getState(m, d, state, INTEGRATION)
        physics.mj_step(m, d)
        if k == 0:
            result |= read(d, f"{name}/after 1")
        physics.mj_step(m, d, EVERY - 1)
    result |= read(d, f"{name}/after {STEPS}")
    options = m.opt.integrator, m.opt.solver, m.opt.cone
    for k in range(STEPS // EVERY):
        key = f"{name}/state {k}"
        state = states.get(key, result[key])
        result |= step_once(m, options, state, f"{name}/from {k}")
        result |= step_once(m, VARIANTS[(first_variant + k) % len(VARIANTS)], state, f"{name}/variant from {k}")
    return result


def step_once(m: physics.MjModel, options: tuple[int, int, int], state: np.ndarray, key: str) -> Numbers:
    """Numbers of one step from a state; none if the model refuses these options."""
    m.opt.integrator, m.opt.solver, m.opt.cone = options
    d = physics.MjData(m)
    physics.mj_setState(m, d, state, INTEGRATION)
    try:
        physics.mj_step(m, d)
    except physics.ModelError:
        return {}
    if m.opt.integrator != physics.mjtIntegrator.mjINT_RK4:  # it has no inverse
        physics.mj_inverse(m, d)
    return read(d, key)


def read(d: physics.MjData, key: str) -> Numbers:
    """What is compared of one moment."""
    fields = {f"{key}/{name}": getattr(d, name).copy() for name in COMPARED}
    return fields | {f"{key}/{name}": np.array(getattr(d, name)) for name in COUNTED}


def draw(path: Path) -> np.ndarray:
    """The picture of a model after one step."""
    from tumble.render.frame import Frame
    from tumble.render.gpu.quality import QualityLevel
    from tumble.render.offscreen import OffscreenRenderer

    m = physics.MjModel.from_binary_path(str(path))
    d = physics.MjData(m)
    physics.mj_step(m, d)
    with OffscreenRenderer(m, 320, 240, samples=0, level=QualityLevel.PLAIN) as renderer:
        sys.stdout.write(f"drawn by {renderer.context.info['GL_RENDERER']}\n")
        return renderer.render(Frame.from_data(d))


def main() -> None:
    models, out = Path(sys.argv[1]), Path(sys.argv[2])
    here = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    states = dict(np.load(here / NUMBERS)) if here else {}
    result: Numbers = {}
    for number, path in enumerate(sorted(models.glob("*.xml"))):
        result |= run_model(path, out, here, states, 5 * number)
        sys.stdout.write(f"{path.stem} ")
        sys.stdout.flush()
    used = sum(part.ready for part in STAGES.values())
    bundled = library.contents().entries
    for key in bundled:
        import_module(key.partition(":")[0])
        STAGES[key].address  # noqa: B018  # loads
    compiler = sorted({"numba", "llvmlite"} & sys.modules.keys())
    sys.stdout.write(f"\n{used} kernels ran, all {len(bundled)} of the library loaded; compiler: {compiler}\n")
    result["picture"] = draw((here or out) / f"{PICTURED}.mjb")
    result["compiler"] = np.array(len(compiler))
    np.savez(out / NUMBERS, allow_pickle=False, **result)


main()
