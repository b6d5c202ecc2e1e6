"""A script's interface to the window with its simulation: the handle of a passive viewer, and `launch`."""

from __future__ import annotations

import atexit
import logging
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.state import Reader, State
from tumble.app.simulation.commands import Hold, SetModel
from tumble.app.simulation.perturbation import Grip, GripMode, rotated
from tumble.app.viewer.connection import Ask, DrawOver, Failed, Key, Reload, ShowModel, ViewChange, WindowProcess
from tumble.app.viewer.following import TakeModel
from tumble.app.viewer.moments import GEOM, MOST_GEOMS, MomentRing
from tumble.app.viewer.mujoco_forms import (
    ImageItem,
    TextItem,
    camera_of,
    figures_of,
    options_of,
    pictures_of,
    set_camera,
    set_options,
    texts_of,
)
from tumble.app.viewer.script_simulation import ModelWatch, ScriptSimulation
from tumble.physics import MjData, MjModel
from tumble.physics.state.enums import mjtPertBit
from tumble.physics.state.export.saved import packed
from tumble.render.camera import default_camera
from tumble.render.mjr.context import MjrRect
from tumble.render.mjv.mouse import mjv_applyPerturbForce, mjv_applyPerturbPose
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvCamera, MjvOption, MjvPerturb

log = logging.getLogger(__name__)

KeyCallback = Callable[[int], None]
ASSETS = {
    "hfield": ("hfield_data",),
    "mesh": ("mesh_vert", "mesh_normal", "mesh_texcoord"),
    "texture": ("tex_data",),
}


class ViewerHandle:
    """Handle of a window that shows a script's model and data.

    `sync` shows the present state and applies the user's actions in the window; cam, opt, perturb and user_scn go both ways with
    it. All methods may be called in any thread, and after the window is closed they do nothing.
    """

    def __init__(
        self,
        model: MjModel,
        data: MjData,
        key_callback: KeyCallback | None = None,
        *,
        show_left_ui: bool = True,
        show_right_ui: bool = True,
        follow: bool = True,
        driven: bool = False,
        reloads: bool = False,
    ) -> None:
        """follow: the window shows this data; else it takes the steps itself. driven: and controls when steps are taken here.

        reloads: the model can be loaded again.
        """
        self._model, self._data = model, data
        self._lock = threading.RLock()
        self._inbox: deque[Ask | ViewChange] = deque()
        self._keys = key_callback
        self.reload_wanted = False
        self.last_state: State | None = None  # of a window that takes the steps itself, once it is closed
        self.cam, self.opt, self.perturb = MjvCamera(), MjvOption(), MjvPerturb()
        self.user_scn = MjvScene(model, MOST_GEOMS)
        first = default_camera(model)
        self.cam.lookat[:] = first.lookat
        self.cam.distance, self.cam.azimuth, self.cam.elevation = first.distance, first.azimuth, first.elevation
        self.cam.orthographic = int(first.orthographic)
        self._camera = camera_of(self.cam)
        self._options = options_of(self.opt, self.user_scn.flags)
        self._looks = 0  # how often the script has changed them
        self._grip: Grip | None = None
        self._held = self.perturb.__copy__()
        self._pulled = 0  # the body that the script itself pulls
        self._obeyed = 0  # commands of the window
        self._viewport: MjrRect | None = None
        self._process = WindowProcess(self._receive)
        self._hidden = tuple(side for side, shown in (("left", show_left_ui), ("right", show_right_ui)) if not shown)
        self._follow, self._driven, self._reloads = follow, driven, reloads
        self.show(model, data)
        atexit.register(self.close)

    def show(self, model: MjModel, data: MjData) -> None:
        """Show another model and its data from now on."""
        with self._lock:
            self._model, self._data = model, data
            self._ring = MomentRing(model)
            self._reader, self._watch = Reader(model, data), ModelWatch(model)
            self.simulation = ScriptSimulation(model, data)
            self._write()
            name = model.names.split(b"\0", 1)[0].decode(errors="replace") or "model"
            script = Path(sys.argv[0]).name if sys.argv and sys.argv[0] not in ("", "-c", "-m") else "Python"
            self._process.send(
                ShowModel(
                    model=bytes(packed(model)),
                    ring=str(self._ring.path),
                    name="".join(c if c.isalnum() or c in " -_." else "_" for c in name),
                    title=f"{name} — {script}",
                    follows=self._follow,
                    driven=self._driven,
                    reloads=self._reloads,
                    keys=self._keys is not None,
                    hidden=self._hidden,
                )
            )
            self._hidden = ()

    # ---- public interface

    @property
    def m(self) -> MjModel | None:
        """The model, None once the window is closed."""
        return self._model if self.is_running() else None

    @property
    def d(self) -> MjData | None:
        """The data, None once the window is closed."""
        return self._data if self.is_running() else None

    @property
    def pert(self) -> MjvPerturb:
        """The hold on a body: `perturb`."""
        return self.perturb

    @property
    def viewport(self) -> MjrRect | None:
        """Rectangle in which the model is drawn; None while that is not known, and once the window is closed."""
        return self._viewport if self.is_running() else None

    def is_running(self) -> bool:
        """True if the window is open."""
        return self._process.is_open

    def wait(self, seconds: float) -> bool:
        """Wait until the window is closed, at most timeout [s]; returns True if it is."""
        return self._process.wait(seconds)

    def take_changes(self) -> None:
        """Apply the state of a window that runs the model itself."""
        with self._lock:
            self._obey_all()

    def lock(self) -> threading.RLock:
        """A lock that `sync` holds while it reads and writes model and data, for `with`."""
        return self._lock

    def close(self) -> None:
        """Close the window; again is harmless."""
        atexit.unregister(self.close)
        if self.is_running():
            self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def sync(self, state_only: bool = False) -> None:
        """Show the present state, and apply the user's actions in the window since the last call.

        A pull with the mouse is written to xfrc_applied, and inputs and parameters that were set in the window to data and model.
        The window computes poses, contacts and forces for the state itself. state_only: changes of the model are not looked for.
        """
        if not self.is_running():
            return
        with self._lock:
            self._obey_all()
            self._apply_pull()
            self._send_looks()
            if not state_only:
                self._send_model(self._watch.changed())
            self._write()

    def set_texts(self, texts: TextItem | Sequence[TextItem]) -> None:
        """Write over the view: (font of mjtFontScale, place of mjtGridPos, left column, right column), or several."""
        self._process.send(DrawOver(texts=texts_of(texts)))

    def clear_texts(self) -> None:
        """Clear the texts over the view."""
        self._process.send(DrawOver(texts=[]))

    def set_images(self, images: ImageItem | Sequence[ImageItem]) -> None:
        """Draw pictures over the view: (MjrRect, (height, width, 3) uint8), or several. Raises ValueError for another shape."""
        if self.is_running():
            self._process.send(DrawOver(pictures=pictures_of(images)))

    def clear_images(self) -> None:
        """Draw no pictures over the view."""
        self._process.send(DrawOver(pictures=[]))

    def set_figures(self, viewports_figures: Any) -> None:  # noqa: ANN401 - (MjrRect, MjvFigure), or several
        """Draw plots over the view: (MjrRect, MjvFigure), or several."""
        self._process.send(DrawOver(figures=figures_of(viewports_figures)))

    def clear_figures(self) -> None:
        """Draw no plots over the view."""
        self._process.send(DrawOver(figures=[]))

    def update_hfield(self, hfieldid: int) -> None:
        """Show the height field as it is in the model now. Raises IndexError."""
        self._send_asset("hfield", hfieldid, self._model.nhfield)

    def update_mesh(self, meshid: int) -> None:
        """Show the mesh as it is in the model now. Raises IndexError."""
        self._send_asset("mesh", meshid, self._model.nmesh)

    def update_texture(self, texid: int) -> None:
        """Show the texture as it is in the model now. Raises IndexError."""
        self._send_asset("texture", texid, self._model.ntex)

    # ---- to the window

    def _write(self) -> None:
        state = self._reader.read()
        warning = np.stack([self._data.warning_number, self._data.warning_lastinfo])
        count = min(max(int(self.user_scn.ngeom), 0), MOST_GEOMS)
        geoms = self.user_scn.geoms.rows[:count] if count else np.zeros(0, GEOM)
        self._ring.write(state, warning, self._obeyed, geoms)

    def _send_looks(self) -> None:
        """Send the script's changes of camera and drawing options to the window."""
        changed: dict[str, Any] = {}
        camera = camera_of(self.cam)
        if camera != self._camera:
            self._camera = changed["camera"] = camera
        options = options_of(self.opt, self.user_scn.flags)
        if options != self._options:
            changed["options"] = {name: value for name, value in options.items() if value != self._options[name]}
            self._options = options
        if changed:
            self._looks += 1
            self._process.send(ViewChange(self._looks, changed))

    def _send_model(self, changed: dict[str, NDArray[Any]]) -> None:
        if changed:
            self._process.send(TakeModel(changed))

    def _send_asset(self, kind: str, index: int, count: int) -> None:
        if not 0 <= index < count:
            raise IndexError(f"the model has no {kind} {index}: it has {count}")
        if self.is_running():
            with self._lock:
                self._send_model({name: getattr(self._model, name) for name in ASSETS[kind]})

    # ---- from the window

    def _receive(self, message: object) -> None:
        """Handle a message; called in the reader thread."""
        match message:
            case Key(number):
                self._call_keys(number)
            case Failed(why):
                log.error("the window cannot show the model: %s", why)
            case Reload():
                self.reload_wanted = True
            case State():
                self.last_state = message
            case Ask() | ViewChange():
                self._inbox.append(message)

    def _call_keys(self, key: int) -> None:
        if self._keys is None:
            return
        try:
            self._keys(key)
        except Exception:  # the script's own; its window lives on
            log.exception("key_callback failed for key %d", key)

    def _obey_all(self) -> None:
        while self._inbox:
            match self._inbox.popleft():
                case ViewChange(number, changed):
                    self._take_looks(number, changed)
                case Ask(number, Hold(grip)):
                    self._grip, self._obeyed = grip, number
                    self._show_grip()
                case Ask(number, command):
                    self.simulation.obey(command)
                    self._obeyed = number
                    if isinstance(command, SetModel):
                        self._watch.know()

    def _take_looks(self, number: int, changed: dict[str, Any]) -> None:
        """Apply changes made in the window, except those that the script has changed as well: these are under way."""
        known = number == self._looks  # else the window sends camera and options again, once it has those of the script
        if known and "camera" in changed and camera_of(self.cam) == self._camera:
            set_camera(self.cam, changed["camera"])
            self._camera = camera_of(self.cam)
        if known and "options" in changed:
            now = options_of(self.opt, self.user_scn.flags)
            own = {name for name, value in now.items() if value != self._options[name]}
            set_options(self.opt, self.user_scn.flags, {k: v for k, v in changed["options"].items() if k not in own})
            taken = options_of(self.opt, self.user_scn.flags)
            self._options = {name: self._options[name] if name in own else value for name, value in taken.items()}
        if "viewport" in changed:
            self._viewport = MjrRect(*changed["viewport"])
        if "select" in changed and self._grip is None:
            body, *local = changed["select"]
            self.perturb.select = body
            self.perturb.localpos[:] = local
            self._held = self.perturb.__copy__()

    def _show_grip(self) -> None:
        """Update `perturb` with the mouse's perturbation in the window."""
        grip, pert = self._grip, self.perturb
        pert.active = 0
        if grip is not None:
            turns = grip.mode is GripMode.ROTATE
            pert.select = grip.body
            pert.active = int(mjtPertBit.mjPERT_ROTATE if turns else mjtPertBit.mjPERT_TRANSLATE)
            pert.localpos[:], pert.refselpos[:], pert.refquat[:] = grip.local, grip.target, grip.quat
            pert.refpos[:] = grip.target - rotated(grip.quat, grip.local)
        self._held = pert.__copy__()

    def _apply_pull(self) -> None:
        """Apply the pull of the mouse, or that which the script itself has written to `perturb`."""
        own = self.perturb != self._held
        if self._pulled and not (own and self.perturb.active and self.perturb.select == self._pulled):
            self._data.xfrc_applied[self._pulled] = 0.0
            self._pulled = 0
        self.simulation.pull(None if own else self._grip)
        if not own or not (self.perturb.active and 0 < self.perturb.select < self._model.nbody):
            return
        self._pulled = int(self.perturb.select)
        mjv_applyPerturbPose(self._model, self._data, self.perturb, 0)
        mjv_applyPerturbForce(self._model, self._data, self.perturb)


FRAME = 1 / 125  # time between two looks of the window [s]
REST = 0.002  # [s]


Loader = Callable[[], tuple[MjModel, MjData]]


def run_there(model: MjModel, data: MjData, loader: Loader | None, **shown: Any) -> None:  # noqa: ANN401 - which sides are shown
    """Let the window take the steps, as in its own window, until it is closed; then copy its final state.

    loader: called for another model and its data when the window requests it.
    """
    handle = ViewerHandle(model, data, follow=False, reloads=loader is not None, **shown)
    try:
        while not handle.wait(0.2):
            handle.take_changes()
            model, data = _reloaded(handle, loader) or (model, data)
    finally:
        handle.close()
    handle.take_changes()
    if handle.last_state is not None:
        try:
            handle.last_state.place(model, data)
        except (physics.PhysicsError, ValueError, TypeError) as error:  # another model was opened in the window
            log.warning("the window's state is not of this model: %s", error)
            return
        physics.mj_forward(model, data)


def run_here(model: MjModel, data: MjData, loader: Loader | None, **shown: Any) -> None:  # noqa: ANN401
    """Take the steps in this process, for the sake of its callbacks, in real time as the window commands, until it is closed."""
    handle = ViewerHandle(model, data, driven=True, reloads=loader is not None, **shown)
    looked = 0.0
    try:
        while handle.is_running():
            handle.take_changes()
            _reloaded(handle, loader)
            handle.simulation.advance()
            if perf_counter() - looked >= FRAME:
                handle.sync()
                looked = perf_counter()
            sleep(REST)
    finally:
        handle.close()


def _reloaded(handle: ViewerHandle, loader: Loader | None) -> tuple[MjModel, MjData] | None:
    """Another model and its data, when the window requests them; it is shown."""
    if loader is None or not handle.reload_wanted:
        return None
    handle.reload_wanted = False
    model, data = loader()
    handle.show(model, data)
    return model, data
