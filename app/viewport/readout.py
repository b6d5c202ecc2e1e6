"""The numbers written over the view."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import moderngl

from tumble.app.base import settings
from tumble.app.base.keys_in_text import with_keys
from tumble.app.base.settings import Settings
from tumble.app.describe.names import bodies, body_name
from tumble.app.describe.numbers import TIMES, duration, moment, rate_text
from tumble.app.describe.picture_quality import MeasuredQuality, level_of
from tumble.app.session.session import Session
from tumble.render.camera import CameraKind
from tumble.render.gpu.context import fact
from tumble.render.gpu.quality import Pace, Quality

if TYPE_CHECKING:
    from tumble.app.viewport.tiles.tiles import Tiles
    from tumble.render.renderer import Renderer

LEFT_VIEW = with_keys("No moving body is in view: Backspace resets, Ctrl+A looks at the initial state")


def time_lines(session: Session, fps: float) -> list[tuple[str, str]]:
    """Time, rate (reached, and wanted if it differs), pictures a second, contacts."""
    snapshot = session.snapshot
    assert snapshot is not None
    if session.paused:
        rate = "paused"
    else:
        rate = f"{snapshot.measured:.2f}{TIMES}"
        if session.rate != 1.0 or snapshot.measured < 0.95 * session.rate:
            rate += f" of {rate_text(session.rate)}"
    lines = [("time", moment(snapshot.time, 2)), ("rate", rate)]
    if not session.paused:
        lines.append(("fps", f"{fps:.0f}"))
    return [*lines, ("contacts", str(snapshot.ncon))]


def hint(session: Session, tiles: Tiles, renderer: Renderer | None) -> str:
    """Advice for an empty view: no model is open, or everything that moves has left the only view; "" otherwise."""
    if session.snapshot is None:
        return "" if session.loads.busy else with_keys("Drop a model file (*.xml) here, or open one with Ctrl+O")
    gone = renderer is not None and not renderer.shows_motion and not tiles.several
    return LEFT_VIEW if gone and tiles.current.camera.kind is CameraKind.FREE else ""


def info_lines(session: Session) -> list[tuple[str, str]]:
    """Sizes of the model and of the last step's problem."""
    snapshot, model = session.snapshot, session.loaded_model
    assert snapshot is not None
    lines = [
        ("timestep", duration(float(model.opt.timestep))),
        ("bodies", str(bodies(model))),
        ("dofs", str(model.nv)),
        ("actuators", str(model.nu)),
        ("contacts", str(snapshot.ncon)),
        ("constraint rows", str(snapshot.nefc)),
        ("solver iterations", str(snapshot.iterations)),
    ]
    if snapshot.energy.any():
        lines.append(("energy", f"{snapshot.energy.sum():.4g} J"))
    if session.selection > 0:
        lines.append(("selected", body_name(model, session.selection)))
    return lines


class ViewQuality:
    """samples: a pixel, other than the level's; None for those."""

    def __init__(self, store: Settings, samples: int | None) -> None:
        self._store, self._samples = store, samples
        self._pace: Pace | None = None

    def _of(self, ctx: moderngl.Context) -> Pace:
        if self._pace is None:
            before = MeasuredQuality.read(self._store.get(settings.MEASURED_QUALITY))
            known = before.level if before is not None and before.renderer == fact(ctx, "GL_RENDERER") else None
            self._pace = Pace(level_of(self._store.get(settings.QUALITY)), known)
        return self._pace

    def now(self, ctx: moderngl.Context) -> Quality:
        """Quality of the next picture."""
        return Quality.of(ctx, self._samples, self._of(ctx).level(ctx))

    def follow(self) -> None:
        """Another quality level is set, or the measured one."""
        self._pace = None

    def begin(self) -> None:
        """Another model is shown, whose pictures may take longer or shorter."""
        if self._pace is not None:
            self._pace.begin()

    @contextmanager
    def timing(self, ctx: moderngl.Context, *, steady: bool) -> Iterator[None]:
        """Time the drawing in this block, if that is still to be measured. steady: change nothing."""
        pace = self._of(ctx)
        settled = pace.took
        if steady:
            yield
            return
        with pace.timing(ctx):
            yield
        if pace.took is not None and pace.took != settled:
            measured = MeasuredQuality(str(fact(ctx, "GL_RENDERER")), pace.level(ctx), pace.took)
            self._store.put(settings.MEASURED_QUALITY, measured.to_entry())


WINDOW = 1.0  # over which they are counted [s]


class PictureRate:
    """Counts pictures."""

    def __init__(self) -> None:
        self._painted: deque[float] = deque()

    def count(self) -> None:
        """A picture was drawn now."""
        now = perf_counter()
        self._painted.append(now)
        while now - self._painted[0] > WINDOW:
            self._painted.popleft()

    @property
    def fps(self) -> float:
        """Pictures drawn in the last second."""
        if len(self._painted) < 2:
            return 0.0
        return (len(self._painted) - 1) / max(self._painted[-1] - self._painted[0], 1e-6)
