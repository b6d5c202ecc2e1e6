"""Pictures of a simulation at exact times, made as fast as the machine can, without a window.

Frame k shows the simulation at t0 + k speed / fps, for any time step: between two steps positions are interpolated
along the motion from one to the other, by which slow motion stays smooth, and poses, contacts and forces are computed for
them in their own data. So drawing does not touch the running simulation, and the same run gives the same pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tumble import physics
from tumble.app.base import files
from tumble.app.describe.numbers import moment
from tumble.app.film.camera_path import Director
from tumble.physics.query.force import forces_of
from tumble.render.camera import view_of
from tumble.render.frame import Frame, Trail
from tumble.render.gpu.quality import QualityLevel
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import LabelMode, RenderOptions, Selection
from tumble.render.passes.plain import SeenObjects
from tumble.render.scene.contact_legend import SteadyScale
from tumble.render.scene.label_layout import LabelLayout
from tumble.render.scene.labels import Label, labels
from tumble.render.scene.motion import PastPoses, moments_before
from tumble.render.scene.strokes import INKS

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
PNG, NPY = ".png", ".npy"
POINTS = 600  # of a trail, about
_INK, _BACK = (240, 243, 247), (20, 24, 30)  # of captions


class OnionSkins(Struct, frozen=True):
    """Ghosts and trails in each picture. ghosts: how many, interval: the time between two [s]; trails: points (3,) of bodies,
    in their frames [m], that leave trails of so many seconds."""

    ghosts: int = 0
    interval: float = 0.25
    trails: tuple[tuple[int, tuple[float, float, float]], ...] = ()
    seconds: float = 2.0

    @property
    def wanted(self) -> bool:
        """True if pictures show ghosts or trails."""
        return self.ghosts > 0 or bool(self.trails)


class SkinRecord:
    """Follows a simulation step by step, and adds its past poses to a frame."""

    def __init__(self, model: MjModel, skins: OnionSkins) -> None:
        self._model, self._skins = model, skins
        self._poses = PastPoses()
        self._times: list[float] = []
        self._points: list[Floats] = []  # (trails, 3)
        self._last = -np.inf

    def note(self, time: float, data: MjData) -> None:
        """Store poses at a time since the beginning [s]; a reset of the data discards earlier ones."""
        if float(data.time) < self._last:
            self._poses.clear()
            self._times, self._points = [], []
        self._last = float(data.time)
        if self._skins.ghosts:
            pos, mat, soft = (np.asarray(values) for values in (data.geom_xpos, data.geom_xmat, data.flexvert_xpos))
            self._poses.note(time, Frame(geom_xpos=pos, geom_xmat=mat, flexvert_xpos=soft))
        spacing = self._skins.seconds / POINTS
        if self._skins.trails and (not self._times or np.floor(time / spacing) > np.floor(self._times[-1] / spacing)):
            self._times.append(time)
            self._points.append(self._now(np.asarray(data.xpos), np.asarray(data.xmat)))
            if len(self._times) > 4 * POINTS:
                del self._times[: 2 * POINTS], self._points[: 2 * POINTS]

    def _now(self, xpos: Floats, xmat: Floats) -> Floats:
        return np.array([xpos[b] + xmat[b].reshape(3, 3) @ np.asarray(local) for b, local in self._skins.trails])

    def over(self, frame: Frame, time: float) -> Frame:
        """The frame of a time since the beginning [s] with ghosts and trails of before."""
        skins = self._skins
        ghosts = self._poses.ghosts(moments_before(time, skins.ghosts, skins.interval)) if skins.ghosts else ()
        trails: tuple[Trail, ...] = ()
        if skins.trails:
            times = np.array([*self._times, time])
            chosen = np.flatnonzero((times > time - skins.seconds) & (times <= time))
            points = np.array([*self._points, self._now(frame.xpos, frame.xmat)])[chosen]
            age = (time - times[chosen]) / skins.seconds
            trails = tuple(Trail(points[:, k], age, INKS[k % len(INKS)]) for k in range(len(skins.trails)))
        return replace(frame, ghosts=ghosts, trails=trails)


class FilmError(Exception):
    """Pictures that cannot be made; the message gives the reason."""


class FrameSource(Protocol):
    """A simulation, or a replay of one, that can be stepped."""

    model: MjModel
    data: MjData

    def ready(self) -> bool:
        """Apply the inputs of the next step; False at the end."""

    def step(self) -> None:
        """Take the step."""


class Free:
    """A simulation that continues from the state of its data."""

    def __init__(self, model: MjModel, data: MjData) -> None:
        self.model, self.data = model, data

    def ready(self) -> bool:
        """Always True: the simulation has no end."""
        return True

    def step(self) -> None:
        """Take a step."""
        physics.mj_step(self.model, self.data)


class Take(Struct, frozen=True):
    """The part to film. seconds, start: of the simulation, and before the first frame; speed: simulated seconds per second.

    samples: multisamples a pixel, None: those of the quality; caption: the time is written into the picture; skins: what of the
    past is in it.
    """

    width: int
    height: int
    fps: Fraction
    seconds: float
    speed: float = 1.0
    start: float = 0.0
    samples: int | None = None
    caption: bool = False
    options: RenderOptions = field(default_factory=RenderOptions)
    skins: OnionSkins = field(default_factory=OnionSkins)
    quality: QualityLevel = QualityLevel.BEST

    @property
    def count(self) -> int:
        """Number of frames: at least one."""
        return max(1, round(self.seconds / self.speed * float(self.fps)))

    def simulated(self, k: int) -> float:
        """Simulated time [s] of frame k after the beginning of the simulation."""
        return self.start + float(k * Fraction(self.speed) / self.fps)


class Moments:
    """The simulation at any times that do not go back. cancelled: called between steps, of which a frame can need many.

    record: called after every step, when data holds the poses of its beginning.
    """

    def __init__(
        self, source: FrameSource, cancelled: Callable[[], bool] = lambda: False, record: SkinRecord | None = None
    ) -> None:
        self._source, self._cancelled, self._record = source, cancelled, record
        self._shown = physics.MjData(source.model)
        self._now = 0.0  # simulated time since the beginning, which continues when a reset sets data.time back [s]
        self._before: tuple[float, float, NDArray[np.float64]] | None = None  # of the last step: now, data.time, qpos
        self._ready = source.ready()

    def at(self, time: float) -> MjData:
        """Data with the results for the moment so long after the beginning [s]; the last there is, where it ends before or is
        cancelled."""
        source, tiny = self._source, 1e-6 * float(self._source.model.opt.timestep)
        while self._now < time - tiny and self._ready and not self._cancelled():
            self._before = self._now, float(source.data.time), source.data.qpos.copy()
            source.step()
            if self._record is not None:
                self._record.note(self._now, source.data)
            self._now += float(source.model.opt.timestep)
            self._ready = source.ready()
        physics.mj_copyData(self._shown, source.model, source.data)
        if self._now > time + tiny:
            self._go_back(time)
        physics.mj_forward(source.model, self._shown)
        return self._shown

    def _go_back(self, time: float) -> None:
        """Move the displayed poses from the end of the last step to a time within it."""
        if self._before is None:
            return
        start, begin, qpos = self._before
        shown = self._shown
        if shown.time < begin:  # it was reset: nothing lies between
            return
        share = (time - start) / (self._now - start)
        way = np.zeros(shown.model.nv)
        physics.mj_differentiatePos(shown.model, way, 1.0, qpos, shown.qpos)
        between = qpos.copy()
        physics.mj_integratePos(shown.model, between, way, share)
        between[qpos == shown.qpos] = qpos[qpos == shown.qpos]  # resting or sleeping coordinates stay, to the last bit
        shown.qpos = between
        shown.time = begin + share * (shown.time - begin)


class Studio:
    """Draws pictures of a model; to be used and released in one thread."""

    def __init__(self, model: MjModel, take: Take) -> None:
        """Raises FilmError if the machine has no OpenGL 3.3 without a window, or the model cannot be drawn."""
        self._model, self._take, self._scale, self._layout = model, take, SteadyScale(), LabelLayout()
        self.record = SkinRecord(model, take.skins) if take.skins.wanted else None
        try:
            self._renderer = OffscreenRenderer(model, take.width, take.height, take.samples, level=take.quality)
        except Exception as error:  # moderngl raises all kinds, its plain Exception among them
            raise FilmError(f"no picture can be drawn without a window (OpenGL 3.3 by EGL): {error}") from error

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        self._renderer.release()

    def look(self, data: MjData, director: Director, shown: float, simulated: float) -> SeenObjects:
        """Object and distance for each pixel of such a picture."""
        return self._renderer.look(Frame.from_data(data, forces_of(data)), director.camera(shown, simulated), self._take.options)

    def picture(self, data: MjData, director: Director, shown: float, simulated: float) -> Picture:
        """(height, width, 4) pixels of the present results of the data, first row on top."""
        take = self._take
        frame = Frame.from_data(data, forces_of(data))
        if self.record is not None:
            frame = self.record.over(frame, simulated + take.start)
        camera, options = director.camera(shown, simulated), take.options
        if options.contact_force:  # one scale for all pictures, as in the window
            view = view_of(camera, self._model, frame, take.width / take.height)
            options = replace(options, force_newtons=self._scale.follow(frame, view, options, shown))
        if options.contact_patch:
            options = replace(options, patch_pressure=self._scale.follow_pressure(frame, shown))
        pixels = self._renderer.render_rgba(frame, camera, options)
        if take.options.label != LabelMode.NONE:
            view = view_of(camera, self._model, frame, take.width / take.height)
            texts = labels(self._model, frame, take.options, Selection(), view, take.width, take.height)
            write_labels(pixels, texts, self._layout, take.options.label)
        if take.caption:
            speed = "" if take.speed == 1 else f"   {take.speed:g}x"
            write_caption(pixels, f"t = {moment(frame.time)}{speed}")
        return pixels


def film(
    source: FrameSource,
    take: Take,
    director: Director,
    write: Callable[[Picture], None],
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Hand every frame of a take to `write`, in order; how many it were, fewer after a cancel.

    progress: called after each with (how many are done, how many there are). Raises FilmError, PhysicsError, and what
    write raises.
    """
    with Studio(source.model, take) as studio:
        moments = Moments(source, cancelled, studio.record)
        for k in range(take.count):
            simulated = take.simulated(k)
            shown = moments.at(simulated)
            if cancelled():
                return k
            write(studio.picture(shown, director, float(k / take.fps), simulated - take.start))
            progress(k + 1, take.count)
    return take.count


def millimetres(seen: SeenObjects) -> NDArray[np.uint16]:
    """(height, width) depths along the view [mm], rounded: 0 for the background, 65535 for all farther ones."""
    return np.asarray(np.clip(np.rint(1000.0 * seen.depth.astype(np.float64)), 0, 65535), np.uint16)


def objects(seen: SeenObjects) -> NDArray[np.int32]:
    """(height, width, 2) id and mjtObj per pixel, as of the package's Renderer; -1 for the background."""
    return np.stack([seen.objid, seen.objtype], axis=2).astype(np.int32)


def save_depth(seen: SeenObjects, path: Path) -> None:
    """Write depths along the view: *.png has 16 bits and millimetres, *.npy float32 and metres, 0 where nothing is seen.

    Raises FileError.
    """
    if path.suffix.lower() == NPY:
        _save_array(path, seen.depth)
        return
    with files.replacing(path) as target:
        Image.fromarray(millimetres(seen)).save(target, "PNG")


def save_objects(seen: SeenObjects, path: Path) -> None:
    """Write the content of each pixel as an array (*.npy). Raises FileError."""
    _save_array(path, objects(seen))


def _save_array(path: Path, array: NDArray[np.generic]) -> None:
    with files.replacing(path) as target, target.open("wb") as file:
        np.save(file, array)


def straight(pixels: Picture) -> Picture:
    """Colours as files hold them, from those multiplied by their alpha (height, width, 4) that a renderer leaves."""
    alpha = pixels[:, :, 3:].astype(np.float32) / 255
    colours = np.minimum(pixels[:, :, :3] / np.maximum(alpha, 1 / 255), 255).round().astype(np.uint8)
    return np.concatenate([colours, pixels[:, :, 3:]], axis=2)


def save_png(pixels: Picture, path: Path, *, transparent: bool = False) -> None:
    """Write a picture (height, width, 4), first row on top, whole or not at all. Raises FileError.

    transparent: it was drawn without a background; else alpha is omitted.
    """
    with files.replacing(path) as temporary:
        Image.fromarray(straight(pixels) if transparent else np.ascontiguousarray(pixels[:, :, :3])).save(temporary, "PNG")


# ---- text in pictures that no window shows


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def write_caption(pixels: Picture, text: str) -> None:
    """Write a line into the upper left corner of a picture (height, width, 4), on a dark ground."""
    size = max(10, len(pixels) // 36)
    _write(pixels, text, size // 2, size // 2, size)


def write_labels(pixels: Picture, found: Sequence[Label], layout: LabelLayout, about: object) -> None:
    """Write each label where the layout has room for it, nearest first, with a line to its point where it is away from it."""
    height, width = pixels.shape[:2]
    points = max(9, height // 50)

    def measure(text: str, size: float) -> tuple[float, float]:
        left, top, right, bottom = _font(round(points * size)).getbbox(text)
        margin = 2 * _margin(round(points * size))
        return right - left + margin + 1.0, bottom - top + margin + 1.0

    placed = layout.place(found, measure, width, height, scale=points / 12.0, about=about)
    for label in placed:
        if label.away:
            _draw_line(pixels, (label.x, label.y), label.end)
    for label in placed:
        _write(pixels, label.text, round(label.left), round(label.top), round(points * label.size))


def _margin(size: int) -> int:
    return max(2, size // 4)


def _draw_line(pixels: Picture, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A thin line between two pixels."""
    steps = round(max(abs(end[0] - start[0]), abs(end[1] - start[1]))) + 1
    x = np.clip(np.linspace(start[0], end[0], steps).round().astype(int), 0, pixels.shape[1] - 1)
    y = np.clip(np.linspace(start[1], end[1], steps).round().astype(int), 0, pixels.shape[0] - 1)
    pixels[y, x, :3], pixels[y, x, 3] = _INK, 255


def _write(pixels: Picture, text: str, x: int, y: int, size: int) -> None:
    """Write a line with its upper left corner at a pixel; clipped to the picture."""
    font, margin = _font(size), _margin(size)
    left, top, right, bottom = font.getbbox(text)
    width, height = round(right - left) + 2 * margin, round(bottom - top) + 2 * margin
    x, y = max(x, 0), max(y, 0)
    pixels[y : y + height, x : x + width, 3] = 255  # also if there is no background
    part = pixels[y : y + height, x : x + width, :3]
    if part.size == 0:
        return
    image = Image.fromarray(np.ascontiguousarray(part // 3 + np.array(_BACK, np.uint8) * 2 // 3))
    ImageDraw.Draw(image).text((margin - left, margin - top), text, fill=_INK, font=font)
    part[:] = np.asarray(image)
