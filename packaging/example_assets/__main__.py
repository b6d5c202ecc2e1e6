"""Makes the files that the bundled scenes are built from: `python packaging/example_assets [FOLDER]`.

Without a folder it writes resources/models/assets. Shapes, terrain, pictures and skins come from formulas, so that nothing in
there is of unknown origin and every part can be changed at its source. Made again, each file has the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import machine
import numpy as np
import pictures
import rover
import water
from arm import ARM
from files import msh, obj, png, stl

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "models" / "assets"


def files() -> dict[str, bytes]:
    """The content of every file, by its place in resources/models/assets."""
    made = {f"arm/{name}.msh": msh(make()) for name, make in ARM.items()}
    made |= {f"rover/{name}.stl": stl(make()) for name, make in rover.ROVER.items()}
    made |= {f"metronome/{make.__name__}.stl": stl(make()) for make in machine.METRONOME}
    made |= {f"machine/{make.__name__}.msh": msh(make()) for make in machine.MACHINE}
    made["water/eel.skn"] = water.eel()
    made["water/eel.png"] = png(water.back(), pictures.palette((24, 32, 40), (70, 92, 84), (176, 178, 130), (236, 226, 190)))
    made["water/rock.stl"] = stl(water.rock())
    made["../parts/kelp.xml"] = water.kelp().encode()
    made["cloth/gingham.png"] = png(pictures.gingham(), pictures.palette((240, 238, 230), (36, 92, 150), steps=3))
    made["cloth/stripes.png"] = png(pictures.stripes(), np.array([(214, 72, 52), (246, 236, 214), (40, 96, 120), (235, 170, 60)]))
    made |= _gallery()
    made["rover/panel.obj"] = obj(*rover.panel())
    made["rover/terrain.png"] = png(rover.terrain())
    made["rover/sand.png"] = png(pictures.sand(), pictures.palette((120, 78, 52), (176, 116, 76), (206, 150, 104)))
    blue = pictures.palette((170, 180, 190), (24, 38, 84), (30, 48, 100), (36, 56, 112), steps=4)
    made["rover/cells.png"] = png(pictures.cells(), blue)
    return made


def _gallery() -> dict[str, bytes]:
    ivory = pictures.palette((236, 228, 208), (44, 46, 54), steps=2)
    brick, normal = pictures.bricks()
    wood = pictures.palette((70, 46, 28), (132, 92, 56), (186, 142, 92))
    sea = pictures.palette((16, 44, 96), (32, 84, 140), (72, 132, 160), (112, 142, 76), (156, 140, 92), (240, 244, 248))
    return {f"gallery/die_{side}.png": png(face, ivory) for side, face in pictures.dice().items()} | {
        "gallery/brick.png": png(brick, pictures.palette((128, 120, 110), (150, 84, 62), (180, 108, 80))),
        "gallery/brick_normal.png": png(normal),
        "gallery/crate.png": png(pictures.crate(), wood),
        "gallery/globe.png": png(pictures.globe(), sea),
    }


folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
for name, content in files().items():
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
