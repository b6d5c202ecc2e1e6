"""Which files there are, by their place in resources/models/assets."""

from __future__ import annotations

from resources.make_assets import metronome, pictures, rover, water
from resources.make_assets.arm import ARM
from resources.make_assets.files import msh, obj, png, stl


def files() -> dict[str, bytes]:
    """The content of every file."""
    made = {f"arm/{name}.msh": msh(make()) for name, make in ARM.items()}
    made |= {f"rover/{name}.stl": stl(make()) for name, make in rover.ROVER.items()}
    made |= {f"metronome/{make.__name__}.stl": stl(make()) for make in (metronome.case, metronome.weight, metronome.plinth)}
    made["water/eel.skn"] = water.eel()
    made["water/eel.png"] = png(water.back(), pictures.palette((24, 32, 40), (70, 92, 84), (176, 178, 130), (236, 226, 190)))
    made["water/rock.stl"] = stl(water.rock())
    made["../parts/kelp.xml"] = water.kelp().encode()
    made["rover/panel.obj"] = obj(*rover.panel())
    made["rover/terrain.png"] = png(rover.terrain())
    made["rover/sand.png"] = png(pictures.sand(), pictures.palette((120, 78, 52), (176, 116, 76), (206, 150, 104)))
    made["rover/cells.png"] = png(pictures.cells(), pictures.palette((170, 180, 190), (24, 38, 84), (30, 48, 100), (36, 56, 112), steps=4))
    return made
