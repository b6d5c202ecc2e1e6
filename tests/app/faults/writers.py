"""All that the program writes for its user, each with more than a file system of 300 kB takes."""

from datetime import datetime
from functools import cache

import numpy as np
from msgspec.structs import replace

from tests.app.cli.test_render import SLIDE
from tests.app.film.filming import recorded
from tumble import physics
from tumble.app.base import files
from tumble.app.film.offline import save_png
from tumble.app.replay.replay_file import save
from tumble.app.rescue import report
from tumble.physics.state.export.printed import mj_printModel
from tumble.physics.state.export.saved import mj_saveModel

SIZE = 400_000  # bytes of each file, at least
_GEOMS = [f'<geom name="{"ball" * 20}{k}" size="1"/>' for k in range(3300)]


def noise(count):
    """Bytes that nothing packs smaller."""
    return np.random.default_rng(0).integers(0, 256, count, np.uint8)


@cache
def model():
    """One with a large texture."""
    return physics.MjModel.from_xml_string(
        '<mujoco><asset><texture name="t" type="2d" builtin="flat" width="512" height="512"/></asset></mujoco>'
    )


@cache
def replay_of(folder):
    path = folder / "slide.xml"
    path.write_text(SLIDE.format(timestep=0.004, integrator="Euler"))
    made = recorded(path, 2)
    return replace(made, bundle=replace(made.bundle, files={"noise.bin": noise(SIZE).tobytes()}))


def writers(source):
    """Functions that write to a path, by the suffix of its file; source: a folder for what they need."""
    rows = [["0.123456789"] * 8] * (SIZE // 80)
    spec = physics.MjSpec.from_string(f"<mujoco><worldbody>{''.join(_GEOMS)}</worldbody></mujoco>")
    some = f"<mujoco><worldbody>{''.join(_GEOMS[:400])}</worldbody></mujoco>"
    packed = physics.MjSpec.from_string('<mujoco><asset><texture name="t" type="2d" file="noise.png"/></asset></mujoco>')
    packed.assets = {"noise.png": noise(SIZE).tobytes()}
    part = report.ReportPart("noise.bin", "noise", noise(SIZE).tobytes())
    return {
        ".tumble-model": lambda path: mj_saveModel(model(), str(path)),
        ".txt": lambda path: mj_printModel(physics.MjModel.from_xml_string(some), str(path)),
        ".xml": lambda path: spec.to_file(path),
        ".mjz": lambda path: packed.to_zip(str(path)),
        ".tumble": lambda path: save(replay_of(source), path),
        ".csv": lambda path: files.write_rows(path, rows),
        ".png": lambda path: save_png(noise(2 * SIZE).reshape(-1, 400, 4), path),
        ".zip": lambda path: report.write(path, [part], datetime(2026, 1, 1)),
    }


NAMES = (".tumble-model", ".txt", ".xml", ".mjz", ".tumble", ".csv", ".png", ".zip")
