"""Contacts in the picture: discs coloured by stick, slip and separation, and arrows whose scale fits the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.dynamics.contact_mode import ContactMode, cone_share, contact_mode
from physics.state.enums import mjtCone
from render.camera import View
from render.constants import CONTACT
from render.drawlist import Decor
from render.frame import Frame
from render.options import RenderOptions

if TYPE_CHECKING:
    from physics import MjModel

Vec = NDArray[np.float64]

# Okabe and Ito's colours, which people with any kind of colour vision tell apart; also by brightness: slip, stick, open.
STICK, SLIP, OPEN, SMOOTH = (0.0, 0.62, 0.45, 1.0), (0.95, 0.60, 0.0, 1.0), (0.80, 0.83, 0.90, 1.0), (0.34, 0.71, 0.91, 1.0)
_OF_MODE = {ContactMode.STICK: STICK, ContactMode.SLIP: SLIP, ContactMode.OPEN: OPEN, ContactMode.SMOOTH: SMOOTH}
FRICTION = (0.80, 0.47, 0.65, 1.0)
FORCE = (0.93, 0.93, 0.75, 1.0)
# Of the picture's height: the longest arrow at size 1, a disc's radius at most and at least, and half an arrow's thickness.
LONGEST, _WIDEST, _LEAST, _THICK = 1.0 / 3.0, 0.014, 0.004, 0.004
_OF_BODY = 0.35  # a disc's radius in that of the smaller body, at most
_STEPS = (1.0, 2.0, 5.0, 10.0)


def nice(value: float) -> float:
    """The least of 1, 2, 5, 10, ... that is no less than a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in _STEPS if step * power >= value * (1.0 - 1e-9))


@dataclass(frozen=True)
class Scale:
    """newtons: the force of an arrow that is LONGEST of the picture high; length: of an arrow of one newton [m/N]."""

    newtons: float
    length: float


@dataclass(frozen=True)
class ContactLegend:
    """share: length of an arrow of so many newtons, in heights of the picture; both 0 where none is drawn; modes: that occur."""

    newtons: float
    share: float
    modes: tuple[tuple[ContactMode, tuple[float, float, float, float]], ...]


class SteadyScale:
    """What a third of the picture stands for, from picture to picture: in steps, up at once, and down after a while."""

    LOW, AFTER = 0.3, 1.5  # of the present number, and for so long [s]

    def __init__(self) -> None:
        self._newtons, self._low_since = 0.0, math.inf

    def follow(self, frame: Frame, view: View, options: RenderOptions, now: float) -> float:
        """The number for a picture [N]; now: wall time [s]."""
        found = force_scale(frame, view, replace(options, force_newtons=0.0))
        if found is None:
            return self._newtons
        wanted = nice(found.newtons)
        if wanted > self._newtons:
            self._newtons, self._low_since = wanted, math.inf
        elif wanted >= self.LOW * self._newtons:
            self._low_since = math.inf
        elif now - self._low_since > self.AFTER:
            self._newtons, self._low_since = wanted, math.inf
        else:
            self._low_since = min(self._low_since, now)
        return self._newtons


def legend(model: MjModel, frame: Frame, view: View, options: RenderOptions) -> ContactLegend | None:
    """What the discs and arrows of a picture mean; None where there are none, or the classic ones."""
    if options.classic or not len(frame.contact_pos) or not (options.contact_point or options.contact_force):
        return None
    found = sorted(set(map(int, modes(model, frame)))) if options.contact_point else []
    shown = tuple((ContactMode(mode), _OF_MODE[ContactMode(mode)]) for mode in found)
    scale = force_scale(frame, view, options) if options.contact_force else None
    if scale is None:
        return ContactLegend(0.0, 0.0, shown)
    newtons = nice(0.35 * scale.newtons / options.force_size)
    return ContactLegend(newtons, LONGEST * options.force_size * newtons / scale.newtons, shown)


def height_at(view: View, points: Vec) -> Vec:
    """(n,) the height of what a view shows at the depth of each point [m]."""
    height = np.full(len(points), view.top - view.bottom)
    if not view.orthographic:
        height *= np.maximum((points - view.eye) @ view.forward, view.near) / view.near
    return height


def force_scale(frame: Frame, view: View, options: RenderOptions) -> Scale | None:
    """The scale of the arrows of one picture; None without a force in view.

    The strongest contact in view decides, unless options.force_newtons says what a third of the picture stands for.
    """
    pos, force = frame.contact_pos, frame.contact_force
    count = min(len(pos), len(force))
    strength = np.linalg.norm(force[:count, :3], axis=1)
    seen = _in_view(view, pos[:count]) & (strength > 0) & np.isfinite(strength)
    if not seen.any():
        return None
    strongest = int(np.argmax(np.where(seen, strength, 0.0)))
    newtons = options.force_newtons or float(strength[strongest])
    height = float(height_at(view, pos[strongest : strongest + 1])[0])
    return Scale(newtons, options.force_size * LONGEST * height / newtons)


def _in_view(view: View, points: Vec) -> NDArray[np.bool_]:
    clip = np.c_[points, np.ones(len(points))] @ (view.projection_matrix() @ view.view_matrix()).T
    return np.asarray(np.all(np.abs(clip[:, :2]) <= clip[:, 3:], axis=1) & (clip[:, 3] > 0))


def modes(model: MjModel, frame: Frame) -> NDArray[np.int64]:
    """(ncon,) ContactMode of each contact; OPEN where it is not known."""
    count = len(frame.contact_pos)
    if not len(frame.contact_force) == len(frame.contact_friction) == len(frame.contact_dim) == count:
        return np.zeros(count, np.int64)
    force = frame.contact_force.T
    share = cone_share(force, frame.contact_friction.T, int(model.opt.cone) == mjtCone.mjCONE_ELLIPTIC)
    return np.asarray(contact_mode(force[0], share, frame.contact_dim), np.int64)


def draw_contacts(decor: Decor, model: MjModel, frame: Frame, view: View, options: RenderOptions) -> None:
    """Discs at contact points and arrows along contact forces, which show through what covers them."""
    if options.classic:
        _classic(decor, model, frame, options)
        return
    pos = frame.contact_pos
    if not len(pos):
        return
    height = height_at(view, pos)
    if options.contact_point:
        radius = np.clip(0.5 * _body_size(model, frame), _LEAST * height, _WIDEST * height)
        for c, mode in enumerate(modes(model, frame)):
            axes = frame.contact_frame[c].reshape(3, 3)
            turn = np.stack([axes[1], axes[2], axes[0]], axis=1)
            decor.cylinder(pos[c], turn, radius[c], 0.25 * radius[c], _OF_MODE[ContactMode(mode)], CONTACT, c, through=True)
    scale = force_scale(frame, view, options) if options.contact_force else None
    if scale is None:
        return
    for c in range(min(len(pos), len(frame.contact_force))):
        axes, force = frame.contact_frame[c].reshape(3, 3), scale.length * frame.contact_force[c, :3]
        thick = _THICK * height[c]
        if options.contact_split:
            decor.arrow(pos[c], force[0] * axes[0], thick, FORCE, CONTACT, c, through=True)
            decor.arrow(pos[c], force[1] * axes[1] + force[2] * axes[2], thick, FRICTION, CONTACT, c, through=True)
        else:
            decor.arrow(pos[c], force @ axes, thick, FORCE, CONTACT, c, through=True)


def _body_size(model: MjModel, frame: Frame) -> Vec:
    """(ncon,) the radius of the smaller geom of each contact [m]; infinite where neither is a geom with an end."""
    bound = np.append(np.where(np.asarray(model.geom_rbound) > 0, np.asarray(model.geom_rbound), np.inf), np.inf)
    if len(frame.contact_geom) != len(frame.contact_pos):
        return np.full(len(frame.contact_pos), np.inf)
    geoms = np.asarray(frame.contact_geom, np.int64)
    return np.asarray(2.0 * _OF_BODY * bound[np.where(geoms < 0, model.ngeom, geoms)].min(axis=1))


def _classic(decor: Decor, model: MjModel, frame: Frame, options: RenderOptions) -> None:
    """As the reference draws them: sizes and scale are the model's."""
    scale, colours, size = model.vis.scale, model.vis.rgba, float(model.stat.meansize)
    length = float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-9)
    width = float(scale.forcewidth) * size
    for c, pos in enumerate(frame.contact_pos):
        axes = frame.contact_frame[c].reshape(3, 3)
        if options.contact_point:
            pressed = c < len(frame.contact_dist) and frame.contact_dist[c] <= 0
            rgba = colours.contactpoint if pressed else colours.contactgap
            radius, half = float(scale.contactwidth) * size, float(scale.contactheight) * size
            decor.cylinder(pos, np.stack([axes[1], axes[2], axes[0]], axis=1), radius, half, rgba, CONTACT, c)
        if options.contact_force and c < len(frame.contact_force):
            force = length * frame.contact_force[c, :3]
            if options.contact_split:
                decor.arrow(pos, force[0] * axes[0], width, colours.contactforce, CONTACT, c)
                decor.arrow(pos, force[1] * axes[1] + force[2] * axes[2], width, colours.contactfriction, CONTACT, c)
            else:
                decor.arrow(pos, force @ axes, width, colours.contactforce, CONTACT, c)
