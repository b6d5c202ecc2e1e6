"""`python -m tests.gallery FOLDER [MODEL.xml...]`: a row of pictures for each model, and all rows in sheet.png.

Each row: the window's look, the classic one, the reference's picture of the same state, and where the last two differ, as grey
that is lighter or darker. Prints the mean difference of those in percent.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PyQt6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter

from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.physics.state.enums import mjtState
from tumble.render.camera import default_camera
from tumble.render.frame import Frame
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import RenderOptions

SIZE = 480, 360
SECONDS = 0.6  # that each scene has moved
SCENES = 24
CAPTION = 22  # pixels


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", type=Path, default=[example.path for example in EXAMPLES[:SCENES]])
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    paths = [str(path.resolve()) for path in wanted.models]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    screen = QGuiApplication(sys.argv[:1])  # for fonts
    states, ours = {}, {}
    for path in paths:
        states[path], ours[path] = _pictures(path)
    theirs = _reference(states, paths)
    rows, text = [], []
    for path in paths:
        apart = ours[path][1].astype(int) - theirs[path]
        share = float(abs(apart).mean() / 2.55)
        grey = np.clip(128 + apart, 0, 255).astype(np.uint8)
        rows.append(_row(f"{Path(path).stem}: {share:.2f} %", [*ours[path], theirs[path], grey]))
        rows[-1].save(str(wanted.folder / f"{Path(path).stem}.png"))
        text.append(f"{share:6.2f} %  {Path(path).stem}")
    _under_each_other(rows).save(str(wanted.folder / "sheet.png"))
    print("\n".join(text))  # noqa: T201
    screen.quit()
    return 0


def _pictures(path: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """The state after a while, and pictures of it in both looks."""
    model = physics.MjModel.from_xml_path(path)
    data = physics.MjData(model)
    physics.mj_step(model, data, int(SECONDS / model.opt.timestep))
    state = np.zeros(physics.mj_stateSize(model, mjtState.mjSTATE_INTEGRATION))
    physics.mj_getState(model, data, state, mjtState.mjSTATE_INTEGRATION)
    physics.mj_forward(model, data)
    frame = Frame.from_data(data)
    with OffscreenRenderer(model, *SIZE) as renderer:
        looks = [RenderOptions(), RenderOptions(classic=True)]
        return state, [renderer.render(frame, default_camera(model), options) for options in looks]


def _reference(states: dict[str, np.ndarray], paths: list[str]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "states.npz", Path(folder) / "pictures.npz"
        np.savez(given, **states)
        command = [sys.executable, "-m", "tests.gallery.reference", str(given), str(found), *map(str, SIZE), *paths]
        subprocess.run(command, check=True, env=os.environ | {"MUJOCO_GL": "egl"})
        return dict(np.load(found))


def _row(title: str, pictures: list[np.ndarray]) -> QImage:
    width, height = SIZE
    row = QImage(width * len(pictures), height + CAPTION, QImage.Format.Format_RGB888)
    row.fill(QColor(24, 26, 30))
    painter = QPainter(row)
    painter.setFont(QFont("sans", 10))
    painter.setPen(QColor(230, 230, 230))
    for place, (name, picture) in enumerate(zip(("", "classic", "reference", "difference"), pictures, strict=True)):
        painter.drawText(8 + place * width, CAPTION - 6, name or title)
        image = QImage(picture.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
        painter.drawImage(place * width, CAPTION, image)
    painter.end()
    return row


def _under_each_other(rows: list[QImage]) -> QImage:
    sheet = QImage(rows[0].width(), sum(row.height() for row in rows), QImage.Format.Format_RGB888)
    painter = QPainter(sheet)
    top = 0
    for row in rows:
        painter.drawImage(0, top, row)
        top += row.height()
    painter.end()
    return sheet


if __name__ == "__main__":
    sys.exit(main())
