"""Pictures of what findings are about: the model with their geoms coloured, also where others hide them."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from tumble import physics
from tumble.app.describe.subject import element_subject
from tumble.app.doctor.case import OBJ, Examination
from tumble.app.doctor.finding import Finding
from tumble.render.camera import Camera, default_camera
from tumble.render.frame import Frame
from tumble.render.gpu.quality import QualityLevel
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import RenderOptions

WIDTH, HEIGHT = 480, 320  # pixels
MOST = 24  # pictures of a model, of its first findings
SUBJECTS = 12  # elements of a finding that are coloured
COLOURS = 96  # of a picture: a third of the bytes
MARK = (255, 92, 0)  # colour of what a finding is about
TINT = 0.55  # share of that colour on its geoms
FADED = 0.35  # share of white on everything else
NEAR = 3.2  # distance of the camera in radii of the coloured geoms
CONTEXT = 0.12  # least radius that is looked at, in extents of the model
HIGHLIGHTED, OTHERS = 0, 1  # groups of geoms while only some are drawn


class NoPicturesError(Exception):
    """Why no picture can be drawn, in words for the user."""


def pictures(case: Examination, findings: Sequence[Finding]) -> list[bytes | None]:
    """PNG files of findings; None of those about the whole model, and from the MOST-th on.

    The positions are those of the finding: at the start, at the end of the run, or of a keyframe. Raises NoPicturesError where
    the machine has no OpenGL 3.3 without a window.
    """
    wanted = [finding for finding in findings if finding.elements][:MOST]
    if not wanted:
        return [None for _ in findings]
    try:
        renderer = OffscreenRenderer(case.model, WIDTH, HEIGHT, level=QualityLevel.PLAIN)
    except Exception as error:  # moderngl raises all kinds, its plain Exception among them
        raise NoPicturesError(f"no picture can be drawn without a window (OpenGL 3.3 by EGL): {error}") from error
    drawn = {id(finding) for finding in wanted}
    with renderer:
        return [_picture(renderer, case, finding) if id(finding) in drawn else None for finding in findings]


def _picture(renderer: OffscreenRenderer, case: Examination, finding: Finding) -> bytes:
    frame = Frame.from_data(_moment(case, finding))
    geoms = _geoms(case, finding)
    camera = _camera(case, frame, geoms)
    pixels = renderer.render(frame, camera, RenderOptions(fog=False, haze=False))
    if len(geoms):
        pixels = _marked(pixels, _silhouette(renderer, case, frame, camera, geoms))
    file = io.BytesIO()
    Image.fromarray(pixels).quantize(COLOURS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _moment(case: Examination, finding: Finding) -> physics.MjData:
    """Data in which the finding can be seen; the start where the end of the run is not finite."""
    keys = [index for kind, index in finding.elements if kind == OBJ.mjOBJ_KEY]
    if keys:
        data = physics.MjData(case.model)
        physics.mj_resetDataKeyframe(case.model, data, keys[0])
        physics.mj_forward(case.model, data)
        return data
    ends = finding.time is not None and bool(np.isfinite(case.data.geom_xpos).all())
    return case.data if ends else case.start


def _geoms(case: Examination, finding: Finding) -> NDArray[np.int64]:
    """Geoms of a finding's elements; bodies without geoms stand for what hangs on them."""
    model, found = case.model, set[int]()
    owners = np.asarray(model.geom_bodyid)
    for kind, index in finding.elements[:SUBJECTS]:
        if kind == OBJ.mjOBJ_GEOM:
            found.add(index)
            continue
        subject = element_subject(model, kind, index)
        found |= {geom for geom in subject.pair or () if geom >= 0}
        if subject.body > 0:
            own = np.flatnonzero(owners == subject.body)
            found |= {int(geom) for geom in (own if len(own) else np.flatnonzero(np.isin(owners, _subtree(model, subject.body))))}
    bounded = sorted(geom for geom in found if model.geom_rbound[geom] > 0)  # of a floor the rest of the picture would be made
    return np.array(bounded or sorted(found), np.int64)


def _subtree(model: physics.MjModel, body: int) -> list[int]:
    below = {body}
    for other in range(body + 1, model.nbody):
        if int(model.body_parentid[other]) in below:
            below.add(other)
    return list(below)


def _camera(case: Examination, frame: Frame, geoms: NDArray[np.int64]) -> Camera:
    """The model's camera, aimed at the geoms and near enough to see them."""
    camera = default_camera(case.model)
    radii = np.asarray(case.model.geom_rbound)[geoms, None]
    if not len(geoms) or not (radii > 0).all():
        return camera
    low, high = (frame.geom_xpos[geoms] - radii).min(axis=0), (frame.geom_xpos[geoms] + radii).max(axis=0)
    radius = max(float(np.linalg.norm(high - low)) / 2, CONTEXT * float(case.model.stat.extent))
    if not math.isfinite(radius):
        return camera
    x, y, z = ((low + high) / 2).tolist()
    return replace(camera, lookat=(x, y, z), distance=NEAR * radius, elevation=max(camera.elevation, -30.0))


def _silhouette(
    renderer: OffscreenRenderer, case: Examination, frame: Frame, camera: Camera, geoms: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(height, width) pixels of these geoms alone."""
    model = case.model
    groups = np.array(model.geom_group)
    try:
        model.geom_group[:] = OTHERS
        model.geom_group[geoms] = HIGHLIGHTED
        options = RenderOptions(background=False, skybox=False, shadow=False, reflection=False, fog=False, haze=False,
                                rangefinder=False, skin=False, tendon=False, flex_edge=False, flex_skin=False)  # fmt: skip
        for name in ("geom_group", "site_group", "joint_group", "tendon_group", "actuator_group", "skin_group", "flex_group"):
            setattr(options, name, [name == "geom_group" and k == HIGHLIGHTED for k in range(len(options.geom_group))])
        return np.asarray(renderer.render_rgba(frame, camera, options)[:, :, 3] > 0)
    finally:
        model.geom_group[:] = groups


def _marked(pixels: NDArray[np.uint8], inside: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The picture with everything outside faded, the inside tinted, and a line around it."""
    shown = pixels.astype(np.float64)
    shown[~inside] += FADED * (255.0 - shown[~inside])
    shown[inside] += TINT * (np.array(MARK, float) - shown[inside])
    wide = np.asarray(Image.fromarray(inside.astype(np.uint8) * 255).filter(ImageFilter.MaxFilter(5))) > 0
    shown[wide & ~inside] = MARK
    return np.asarray(shown.round(), np.uint8)
