"""`tumble render`: a video or a picture of a simulation, or of a replay, without a window."""

from __future__ import annotations

import argparse
import math
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tumble import physics
from tumble.app.cli.common import (
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    InputError,
    add_model,
    add_start,
    begin,
    compile_progress,
    index_of,
    load,
    parser_for,
    positive,
    progress_of,
    seconds,
    size,
    stop_with_input,
    stoppable,
    warnings_of,
)
from tumble.app.cli.output import say, tell, warn
from tumble.app.describe.names import name_of
from tumble.app.film.camera_path import Director, Still, read_path
from tumble.app.film.offline import (
    NPY,
    FrameSource,
    Free,
    Moments,
    OnionSkins,
    Studio,
    Take,
    film,
    save_depth,
    save_objects,
    save_png,
)
from tumble.app.film.video import GIF, MP4, Encoder, check_format
from tumble.app.replay.replay_file import SUFFIX, Player, stray_text
from tumble.app.replay.replay_file import load as read_replay
from tumble.app.replay.replay_view import SWITCHES, camera_from, fits, options_from
from tumble.render.camera import Camera, CameraKind, default_camera, fix, initial_camera, track
from tumble.render.gpu.quality import QualityLevel
from tumble.render.options import FrameMode, LabelMode, PictureMode, RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel

PNG = ".png"
_FPS = {MP4: Fraction(60), GIF: Fraction(25), PNG: Fraction(60)}


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "render",
        "Render a simulation to a video (.mp4, .gif) or its first moment to a picture (.png), at exact frame times.",
        "render model.xml -o out.mp4 --seconds 10 --camera side --size 1280x720",
    )
    add_model(grammar, ", or replay (*.tumble)")
    what = "*.mp4 (H.264), *.gif, *.png, or *.npy (depth or segmentation as numbers)"
    grammar.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=what)
    grammar.add_argument("--seconds", type=seconds, metavar="S", help="simulated time (default 10, or all of a replay)")
    grammar.add_argument("--start", type=seconds, default=0.0, metavar="S", help="simulated time skipped first (default 0)")
    grammar.add_argument("--size", type=size, default=(1280, 720), metavar="WxH", help="pixels (default 1280x720)")
    grammar.add_argument("--fps", type=_fps, metavar="N", help="frames per second, also as 30000/1001 (default 60, GIF 25)")
    grammar.add_argument("--stop-with-input", action="store_true", help=argparse.SUPPRESS)  # for exports of the window
    grammar.add_argument("--speed", type=positive, default=1.0, metavar="X", help="simulated seconds per second (default 1)")
    add_start(grammar)
    camera = grammar.add_argument_group("camera")
    camera.add_argument("--camera", metavar="NAME", help="the model's camera by name or number, or free (default: the model's)")
    camera.add_argument("--track", metavar="BODY", help="follow a body")
    camera.add_argument("--lookat", type=_point, metavar="X,Y,Z", help="target point of a free camera [m]")
    camera.add_argument("--distance", type=positive, metavar="M", help="distance of a free camera from its target [m]")
    camera.add_argument("--azimuth", type=float, metavar="DEG", help="of a free camera; 90 looks along +y")
    camera.add_argument("--elevation", type=float, metavar="DEG", help="of a free camera; -90 looks down")
    camera.add_argument("--orbit", type=float, default=0.0, metavar="DEG", help="orbit, in degrees per second of the video")
    camera.add_argument("--path", type=Path, metavar="FILE", help="camera path: JSON with keys (docs/command-line.md)")
    view = grammar.add_argument_group("picture")
    view.add_argument("--overlay", action="store_true", help="show the time in the picture")
    view.add_argument("--transparent", action="store_true", help="no background (*.png): neither sky nor colour")
    view.add_argument("--show", type=_switches, default=[], metavar="A,B", help=f"draw also: {', '.join(SWITCHES)}")
    view.add_argument("--hide", type=_switches, default=[], metavar="A,B", help="do not draw, of the same")
    for name, kinds, what in (("label", LabelMode, "label the objects"), ("frame", FrameMode, "draw the frames")):
        about = f"{what} of a kind: {', '.join(kind.lower() for kind in _names(kinds)[1:])}"
        view.add_argument(f"--{name}", type=str.upper, choices=_names(kinds), metavar="KIND", help=about)
    view.add_argument("--ghosts", type=_count, default=0, metavar="N", help="draw N ghosts: earlier poses, transparent")
    view.add_argument("--ghost-interval", type=positive, default=0.25, metavar="S", help="time between two (default 0.25)")
    view.add_argument("--trail", action="append", default=[], metavar="BODY[:X,Y,Z]",
                      help="draw the trail of a body, or of a point on it; repeatable")
    view.add_argument("--trail-seconds", type=positive, default=2.0, metavar="S", help="duration of trails (default 2)")
    view.add_argument("--depth-range", type=_range, metavar="NEAR,FAR", help="depths drawn white and black [m] (else: as seen)")
    view.add_argument("--millimetres", action="store_true", help="depth as a picture of 16 bits in millimetres (*.png)")
    view.add_argument("--samples", type=int, choices=(0, 2, 4, 8), help="samples per pixel (default: 4, of quality plain 0)")
    names = [level.name.lower() for level in QualityLevel]
    view.add_argument("--quality", choices=names, default=names[-1], help="of pictures (default: %(default)s)")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Render; the exit code."""
    if options.stop_with_input:
        stop_with_input()
    suffix = options.output.suffix.lower()
    width, height = options.size
    fps = options.fps or _FPS.get(suffix, Fraction(60))
    if options.millimetres and suffix != PNG:
        raise InputError(f"--millimetres is for pictures (*.png), not {options.output}")
    if suffix not in (PNG, NPY):
        if suffix not in _FPS:
            raise InputError(f"{options.output}: the output ends in .mp4, .gif, .png or .npy")
        check_format(options.output, width, height, fps)
        if options.transparent:
            raise InputError(f"--transparent is for pictures (*.png); {options.output} has no alpha")
    source, view, length = _source(options)
    drawn, quality = _drawn(options, options_from(view.get("options"))), QualityLevel[options.quality.upper()]
    skins = OnionSkins(options.ghosts, options.ghost_interval, _trails(source.model, options.trail), options.trail_seconds)
    take = Take(width, height, fps, length, options.speed, options.start, options.samples, options.overlay, drawn, skins, quality)
    director = direct(source.model, options, camera_from(view.get("camera")))
    if suffix == NPY and drawn.mode not in (PictureMode.DEPTH, PictureMode.SEGMENTATION):
        raise InputError(f"{options.output}: what is in it? --show depth, or --show segmentation")
    if suffix in (PNG, NPY):
        return _picture(source, take, director, options)
    return _video(source, take, director, options)


def _source(options: argparse.Namespace) -> tuple[FrameSource, dict[str, Any], float]:
    """The simulation, its view settings, and how long it is filmed [s]: all of a replay, ten seconds of a model."""
    if options.model.suffix.lower() != SUFFIX:
        model = load(options.model, options)
        return Free(model, begin(model, options)), {}, 10.0 if options.seconds is None else options.seconds
    if options.key is not None or options.ctrl:
        raise InputError("--key and --ctrl are for models; a replay begins and is controlled as it was recorded")
    replay = read_replay(options.model)
    with progress_of("Compiling kernels", options) as progress:
        player = Player(replay, compile_progress(progress))
    length = max(0.0, replay.timeline.steps * float(player.model.opt.timestep) - options.start)
    view = dict(replay.view)
    camera = camera_from(view.get("camera"))
    if camera is not None and not fits(camera, player.model):
        del view["camera"]
    return player, view, length if options.seconds is None else min(options.seconds, length)


def _video(source: FrameSource, take: Take, director: Director, options: argparse.Namespace) -> int:
    with stoppable() as stop:  # before there is anything that would be left lying about
        encoder = Encoder(options.output, take.width, take.height, take.fps, channels=4, stopping=stop)
        try:
            with progress_of("Rendering", options) as progress:
                done = film(source, take, director, encoder.write, progress.update, stop)
            path = encoder.finish()
        except BaseException:
            encoder.abandon()
            raise
    length, rate = float(done / take.fps), float(take.fps)
    say(f"{path}: {done} frames, {length:.6g} s, {take.width}x{take.height} at {rate:g} frames per second", options)
    lines = warnings_of(source.model, source.data, float(source.data.time))
    if isinstance(source, Player) and source.strayed:
        lines.append(f"the replay {stray_text(source)}")
    warn(lines, options)
    tell(options, output=path, frames=done, seconds=length, width=take.width, height=take.height, frames_per_second=rate)
    return STOPPED if done < take.count else PROBLEMS if lines else FINE


def _picture(source: FrameSource, take: Take, director: Director, options: argparse.Namespace) -> int:
    with Studio(source.model, take) as studio:
        data = Moments(source, record=studio.record).at(take.simulated(0))
        if options.millimetres or options.output.suffix.lower() == NPY:
            of_objects = take.options.mode is PictureMode.SEGMENTATION and not options.millimetres
            (save_objects if of_objects else save_depth)(studio.look(data, director, 0.0, 0.0), options.output)
        else:
            save_png(studio.picture(data, director, 0.0, 0.0), options.output, transparent=options.transparent)
    say(f"{options.output}: {take.width}x{take.height}", options)
    tell(options, output=options.output, width=take.width, height=take.height)
    return FINE


def direct(model: MjModel, options: argparse.Namespace, own: Camera | None = None) -> Director:
    """The camera's motion; own: that of a replay, used unless another is given. Raises InputError, PathError."""
    placed = [name for name in ("lookat", "distance", "azimuth", "elevation") if getattr(options, name) is not None]
    camera = own if own is not None else initial_camera(model)
    if options.camera is not None and options.camera != "free":
        names = [physics.mj_id2name(model, physics.mjtObj.mjOBJ_CAMERA, i) or "" for i in range(model.ncam)]
        camera = fix(camera, index_of(options.camera, names, "camera"))
        moving = [*placed, *(name for name in ("track", "orbit", "path") if getattr(options, name))]
        if moving:
            raise InputError(f"--{moving[0]} moves a free camera; --camera {options.camera} is bound to the model")
    elif options.camera or ((placed or options.orbit or options.path) and camera.kind == CameraKind.FIXED):
        camera = default_camera(model)
    if options.track is not None:
        names = [name_of(model, physics.mjtObj.mjOBJ_BODY, i) for i in range(model.nbody)]
        camera = track(default_camera(model), index_of(options.track, names, "body"))
    camera = replace(camera, **{name: getattr(options, name) for name in placed})
    if options.path is not None:
        return read_path(options.path, camera)
    return Still(camera, options.orbit)


def _trails(model: MjModel, given: list[str]) -> tuple[tuple[int, tuple[float, float, float]], ...]:
    """Bodies that leave trails, and which points of them."""
    names = [name_of(model, physics.mjtObj.mjOBJ_BODY, i) for i in range(model.nbody)]
    trails = []
    for text in given:
        body, _, point = text.rpartition(":") if text.count(",") == 2 else (text, "", "0,0,0")
        try:
            trails.append((index_of(body, names, "body"), _point(point)))
        except argparse.ArgumentTypeError as error:
            raise InputError(f"--trail {text}: {error}") from None
    return tuple(trails)


def _drawn(options: argparse.Namespace, view: RenderOptions) -> RenderOptions:
    """Options for drawing: those of the replay's view, overridden by the command line."""
    view.background, view.depth_range = not options.transparent, options.depth_range
    view.label = view.label if options.label is None else LabelMode[options.label]
    view.frame = view.frame if options.frame is None else FrameMode[options.frame]
    for names, on in ((options.show, True), (options.hide, False)):
        for name in names:
            view.switch(name, on)
    return view


def _names(kinds: type[IntEnum]) -> list[str]:
    """Members that need no mouse, NONE first."""
    return [kind.name for kind in kinds if not kind.name.startswith("SELECTION")]


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > 100:
        raise argparse.ArgumentTypeError(f"{text} is not a number of ghosts from 0 to 100")
    return int(text)


def _fps(text: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value <= 1000:
        raise argparse.ArgumentTypeError(f"{text} is not a number of frames per second between 0 and 1000")
    return value


def _range(text: str) -> tuple[float, float]:
    try:
        near, far = (float(part) for part in text.split(","))
    except ValueError:
        near, far = 0.0, 0.0
    if not 0 <= near < far < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a range; write it as 0.5,3")
    return near, far


def _point(text: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a point; write it as 0,0,1.5") from None
    return x, y, z


def _switches(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    if unknown := [name for name in names if name not in SWITCHES]:
        raise argparse.ArgumentTypeError(f"there is no {unknown[0]!r}; there are: {', '.join(SWITCHES)}")
    return names
