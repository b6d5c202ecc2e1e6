"""Filling a scene from a model and its data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tumble.physics.state.enums import mjtLightType
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.mesh.skin import Bones, deformed, vertex_normals
from tumble.render.mjv.cameras import mjv_averageCamera, mjv_updateCamera
from tumble.render.mjv.decoration import add_decoration
from tumble.render.mjv.lister import Lister, flex_parts
from tumble.render.mjv.model_elements import add_elements
from tumble.render.mjv.scene import MAXLIGHT, MjvScene
from tumble.render.mjv.structs import MjvCamera, MjvLight, MjvOption, MjvPerturb

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

_DIRECTIONAL = int(mjtLightType.mjLIGHT_DIRECTIONAL)
_COLOURS = ("ambient", "diffuse", "specular")


def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: int, scn: MjvScene) -> None:
    """Add geoms of the requested categories (mjtCatBit) behind those that the scene has.

    Reads the poses of the last forward pass. Where there is no room, the rest is omitted, scn.status is 1, and
    d.warning[mjWARN_VGEOMFULL] counts it.
    """
    out = Lister(m, d, opt, pert, catmask, scn)
    add_elements(out)
    add_decoration(out)


def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """List the lights: the headlight where the scene's camera is, then those of the model that are on."""
    scn.nlight = 0
    look = m.vis.headlight
    if look.active:
        camera = mjv_averageCamera(scn.camera[0], scn.camera[1])
        colours = {name: getattr(look, name) for name in _COLOURS}
        fields = {"id": -1, "type": _DIRECTIONAL, "headlight": 1, "texid": -1, "bulbradius": 0.02, "range": 10.0}
        scn.lights[0].fill(pos=camera.pos, dir=camera.forward, **fields, **colours)
        scn.nlight = 1
    for i in range(m.nlight):
        if m.light_active[i] and scn.nlight < MAXLIGHT:
            _fill_light(m, d, i, scn.lights[scn.nlight])
            scn.nlight += 1


def _fill_light(m: MjModel, d: MjData, i: int, light: MjvLight) -> None:
    names = ["type", "texid", "castshadow", "bulbradius", "intensity", "range", *_COLOURS]
    if int(m.light_type[i]) != _DIRECTIONAL:
        names += ["attenuation", "cutoff", "exponent"]
    light.fill(id=i, pos=d.light_xpos[i], dir=d.light_xdir[i], **{name: getattr(m, f"light_{name}")[i] for name in names})


def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Update the scene's skins from their bones: vertices [m] and normals."""
    scn.skin_poses = []
    if not m.nskin:
        return
    frame = Frame(xpos=np.asarray(d.xpos), xmat=np.asarray(d.xmat))
    for i in range(m.nskin):
        poses = Bones(m, i).poses(frame)
        scn.skin_poses.append(poses)
        points, faces = deformed(m, i, poses)
        part = slice(3 * int(m.skin_vertadr[i]), 3 * (int(m.skin_vertadr[i]) + len(points)))
        scn.skinvert[part], scn.skinnormal[part] = points.ravel(), vertex_normals(points, faces).ravel()


def _update_flexes(m: MjModel, d: MjData, opt: MjvOption, scn: MjvScene) -> None:
    """Update the scene's flexes from their vertices, as the options show them."""
    vert, edge, face, skin = flex_parts(opt)
    if not m.nflex or not (vert or edge or face or skin):
        return
    scn.flexvertopt, scn.flexedgeopt, scn.flexfaceopt, scn.flexskinopt = vert, edge, face, skin
    scn.flex_layer = int(opt.flex_layer)
    style = MeshId.FLEX_SKIN if skin else MeshId.FLEX_FACES if face else None
    scn.flexes.follow(np.asarray(d.flexvert_xpos), style, scn.flex_layer)


def mjv_updateScene(
    m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: int, scn: MjvScene
) -> None:
    """Fill a scene again: cameras, geoms of the requested categories (mjtCatBit), lights, flexes, skins.

    Reads the poses of the last forward pass. Raises ModelError for a camera that the model lacks, and for data of another model.
    """
    d.require(m)
    scn.ngeom, scn.status = 0, 0
    mjv_updateCamera(m, d, cam, scn)
    mjv_addGeoms(m, d, opt, pert, catmask, scn)
    mjv_makeLights(m, d, scn)
    _update_flexes(m, d, opt, scn)
    mjv_updateSkin(m, d, scn)


def mj_printScene(s: MjvScene, filename: str) -> None:
    """Write a scene to a text file: its cameras, lights and geoms, field by field. Raises OSError where it cannot be written."""
    parts = [f"ngeom {s.ngeom} of {s.maxgeom}, nlight {s.nlight}, nskin {s.nskin}, status {s.status}\nflags {s.flags}\n"]
    parts += [f"\nCAMERA {i}\n{camera}\n" for i, camera in enumerate(s.camera)]
    parts += [f"\nLIGHT {i}\n{light}\n" for i, light in enumerate(s.lights[: s.nlight])]
    parts += [f"\nGEOM {i}\n{geom}\n" for i, geom in enumerate(s.geoms[: s.ngeom])]
    Path(filename).write_text("".join(parts), encoding="utf-8")
