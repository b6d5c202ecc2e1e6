"""Pictures of a simulation at exact times, made as fast as the machine can, without a window.

Frame k shows the simulation at t0 + k speed / fps, for any time step: between two steps positions are interpolated
along the motion from one to the other, by which slow motion stays smooth, and poses, contacts and forces are computed for
them in their own data. So drawing does not touch the running simulation, and the same run gives the same pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from tumble import physics
from tumble.app.base import files
from tumble.app.describe.numbers import moment
from tumble.app.film.camera_path import Director
from tumble.app.film.caption import write_caption, write_labels
from tumble.app.film.onion import OnionSkins, SkinRecord
from tumble.physics.query.force import forces_of
from tumble.render.camera import view_of
from tumble.render.frame import Frame
from tumble.render.gpu.quality import QualityLevel
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import LabelMode, RenderOptions, Selection
from tumble.render.passes.plain import SeenObjects
from tumble.render.scene.contact_legend import SteadyScale
from tumble.render.scene.label_layout import LabelLayout
from tumble.render.scene.labels import labels

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Picture = NDArray[np.uint8]
PNG, NPY = ".png", ".npy"


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
