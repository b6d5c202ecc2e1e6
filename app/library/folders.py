"""The models in a folder, and by which short names they are found.

A file is called by its name without suffix. In a folder as MuJoCo Menagerie has them, `unitree_go1/{go1.xml,scene.xml}`, the
scene puts the robot on a floor under a light, and is the better choice: `go1` and `unitree_go1` mean the scene, and
`unitree_go1/go1` the bare robot. The robot of a scene follows from its includes.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from tumble.app.library import archive as archives
from tumble.app.library import text
from tumble.app.library.examples import EXAMPLES
from tumble.app.replay.bundle import LoadError
from tumble.physics.mjcf.suggest import listing

log = logging.getLogger(__name__)

DEPTH = 6  # folders below the one that is searched
MOST_FILES = 5000  # models that are searched in one place: more is probably a whole disk
SCENE = "scene"
# Generic names: the folder's name is better.
_PLAIN = {SCENE, "robot", "model", "main", "world"}
_PLAIN_FOLDERS = {"xml", "xmls", "mjcf", "models", "assets"}
_PASSED_OVER = {"node_modules", "meshes", "textures", "mesh", "texture"}
_DIGEST = re.compile(r"-[0-9a-f]{16,}$")  # which caches put after a name


class KnownModel(Struct, frozen=True):
    """A model that can be opened by name.

    title: its short name for reading; path: what is opened; names: the short ones that mean it; exact: its path from the
    source's name on, without suffix, and other such paths that mean it; part: another model includes it.
    """

    title: str
    path: Path
    names: tuple[str, ...]
    exact: tuple[str, ...]
    part: bool = False


class _File(Struct):
    """place: its path in the folder, without suffix, in parts; scene: the best one with it; shows: the robot of a scene."""

    path: Path
    place: tuple[str, ...]
    includes: list[Path] = field(default_factory=list)
    included: bool = False
    scene: _File | None = None
    shows: _File | None = None

    @property
    def stem(self) -> str:
        return self.place[-1]


def normal(name: str) -> str:
    """A name normalized for comparison: capitals, hyphens and blanks make no difference."""
    return re.sub(r"[-\s]", "_", name.casefold())


def models_in(folder: Path, key: str) -> list[KnownModel]:
    """The models in a folder, sorted by place; key: the name of the source that the folder is of, or its own."""
    files = _with_includes(_read(folder))
    _find_scenes(folder, files)
    groups = defaultdict(list)
    for file in files.values():
        groups[file.place[:-1]].append(file)
    chosen = {place: _main(_label(folder, place), group) for place, group in groups.items()}
    return [_named(file, key, _label(folder, file.place[:-1]), chosen[file.place[:-1]] is file) for file in files.values()]


def all_models(folder: Path) -> list[Path]:
    """The models below a folder that no other model of it includes, scenes first. Raises LoadError where there is none."""
    files = _with_includes(_read(folder, (*archives.XML, archives.URDF)))
    models = sorted((file for file in files.values() if not file.included), key=_scenes_first)
    if not models:
        raise LoadError(_without_model(folder))
    return [file.path for file in models]


def only_model(folder: Path) -> Path:
    """The only model below a folder. Raises LoadError, with the choices, scenes first, where there are several or none."""
    files = sorted(_read(folder, (*archives.XML, *archives.SUFFIXES, archives.URDF)), key=_scenes_first)
    choices = {file.path.relative_to(folder).as_posix(): file.path for file in files}
    if not choices:
        raise LoadError(_without_model(folder))
    if len(choices) > 1:
        text = f"{folder}: this folder holds {len(choices)} models: {listing(choices)}; open one of them"
        raise LoadError(text, choices=choices)
    return files[0].path


def _scenes_first(file: _File) -> tuple[object, ...]:
    return not file.stem.lower().startswith(SCENE), len(file.place), file.place


def _without_model(folder: Path) -> str:
    return f"{folder}: this folder holds no model (*.xml with the root <mujoco>, *.urdf with <robot>)"


def _with_includes(found: Iterable[_File]) -> dict[Path, _File]:
    """Files by path; those that another one includes are marked."""
    files = {file.path: file for file in found}
    for file in files.values():
        for path in file.includes:
            if path in files and path != file.path:
                files[path].included = True
    return files


def _read(folder: Path, suffixes: tuple[str, ...] = (*archives.XML, *archives.SUFFIXES)) -> Iterator[_File]:
    """The model files, sorted, with their includes."""
    count = 0
    for path in _walk(folder, suffixes):
        place = path.relative_to(folder).with_suffix("").parts
        if path.suffix.lower() in archives.SUFFIXES:
            yield _File(path, place)
            count += 1
            continue
        try:
            with path.open("rb") as file:
                head = file.read(text.GLANCE)
        except OSError as error:
            log.debug("%s is skipped: %s", path, error)
            continue
        if text.root_of(head) == (text.URDF if path.suffix.lower() == archives.URDF else text.MJCF):
            names = [Path(os.path.normpath(path.parent / name)) for name in text.includes(head)]
            yield _File(path, place, names)
            count += 1
        if count >= MOST_FILES:
            log.warning("%s holds very many models; only the first %d are listed", folder, MOST_FILES)
            return


def _walk(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    for base, folders, names in os.walk(folder):
        deeper = len(Path(base).relative_to(folder).parts) < DEPTH
        folders[:] = sorted(n for n in folders if deeper and not n.startswith((".", "__")) and n.lower() not in _PASSED_OVER)
        for name in sorted(names):
            if name.lower().endswith(suffixes) and not name.startswith("."):
                yield Path(base, name)


def _find_scenes(folder: Path, files: dict[Path, _File]) -> None:
    """Choose for each robot the best scene in its folder: scene.xml, else the shortest name.

    A scene shows one: the file that the folder is named after, else one that is named like it, else the first it includes.
    """
    for scene in sorted(files.values(), key=lambda file: (file.stem.lower() != SCENE, len(file.stem), file.stem)):
        if not scene.stem.lower().startswith(SCENE) or scene.included:
            continue
        place = scene.place[:-1]
        near = [file for path in scene.includes if (file := files.get(path)) and file.place[:-1] == place]
        label = normal(_label(folder, place))
        near.sort(key=lambda file: _likeness(label, normal(file.stem)))
        if near and near[0].scene is None:
            near[0].scene, scene.shows = scene, near[0]


def _likeness(label: str, stem: str) -> int:
    """Measure of how much a file's name differs from its folder's; 0: only by the maker's name before it."""
    if label == stem or label.endswith(f"_{stem}"):
        return 0
    return 1 if stem.startswith(label) or stem.split("_")[0] in label.split("_") else 2


def _main(label: str, group: list[_File]) -> _File | None:
    """The main file of a folder: its scene, the file of its name, the only one; None if unclear."""
    roots = [file for file in group if not file.included]
    for file in roots:
        if file.stem.lower() == SCENE:
            return file
    for file in group:
        if _likeness(normal(label), normal(file.stem)) == 0:
            return file.scene or file
    return roots[0] if len(roots) == 1 else None


def _label(folder: Path, place: tuple[str, ...]) -> str:
    """The nearest folder's name that is not generic."""
    parts = [_DIGEST.sub("", part) for part in (folder.name, *place)]
    return next((part for part in reversed(parts) if part.lower() not in _PLAIN_FOLDERS), parts[-1])


def _named(file: _File, key: str, label: str, is_main: bool) -> KnownModel:
    """label: the name of its folder; is_main: whether that name refers to this file."""
    place = file.place[:-1]
    shown = file.shows or file
    plain = shown.stem.lower() in _PLAIN
    title = label if plain else f"{label}/{file.stem}" if file.stem.lower().startswith(SCENE) and shown is file else shown.stem
    names = [*([] if file.scene or plain else [shown.stem]), *([label] if is_main else []), file.stem]
    exact = [(key, *file.place), *([(key, *place)] if is_main else [])]
    clean = ["/".join(_DIGEST.sub("", part) for part in parts) for parts in exact]
    unique = tuple(dict.fromkeys(normal(name) for name in names if not (file.scene and name == file.stem)))
    return KnownModel(title, file.path, unique, tuple(normal(path) for path in clean), file.included)


VARIABLE = "TUMBLE_MODELS"


class ModelSource(Struct, frozen=True):
    """A group of models. key: prefix that makes a name unambiguous; folders: where they lie, each with its models.

    own: a folder of the user's, kept in the settings, which can be forgotten again.
    """

    key: str
    title: str
    folders: tuple[Path, ...]
    own: bool = False

    def models(self) -> list[KnownModel]:
        """Models by place. Reads the disk."""
        if self.key == BUNDLED:
            return [
                KnownModel(example.title, example.path, (normal(stem),), (normal(f"{BUNDLED}/{stem}"),))
                for example in EXAMPLES
                for stem in [example.path.stem]
            ]
        return [model for folder in self.folders for model in models_in(folder, self.key)]


BUNDLED = "examples"
# Python packages with MJCF files, and their folders of models.
PACKAGES = {
    "gymnasium": ("envs/mujoco/assets",),
    "gymnasium_robotics": ("envs/assets", "envs/mujoco/assets"),
    "dm_control": ("suite", "locomotion/walkers/assets", "locomotion/soccer/assets"),
    "metaworld": ("assets/sawyer_xyz",),
    "robosuite": ("models/assets/robots", "models/assets/grippers", "models/assets/arenas"),
    "mujoco_playground": (
        "_src/locomotion", "_src/manipulation", "_src/dm_control_suite/xmls", "external_deps/mujoco_menagerie",
    ),
}  # fmt: skip
# Where programs keep models that they have downloaded: the variable that names the folder, its place in the home, its key.
CACHES = (
    ("ROBOT_DESCRIPTIONS_CACHE", "robot_descriptions", "robot_descriptions"),
    ("MENAGERIE_CACHE_DIR", "mujoco_menagerie", "mujoco_menagerie"),
)


def sources(stored: Sequence[str] = (), environment: Mapping[str, str] = os.environ) -> tuple[list[ModelSource], list[str]]:
    """All sources that exist, in the order in which a name is looked up, and a line for each folder that does not.

    stored: the folders in the user's settings.
    """
    result, remarks = [], []
    named = [part for part in environment.get(VARIABLE, "").split(os.pathsep) if part.strip()]
    for place, origin in [*((part, VARIABLE) for part in named), *((part, "the settings") for part in stored)]:
        folder = Path(os.path.expanduser(place.strip())).absolute()
        if os.path.isdir(folder):
            result.append(ModelSource(folder.name, str(folder), (folder,), own=origin != VARIABLE))
        else:
            remarks.append(f"{folder}, which {origin} name{'s' if origin == VARIABLE else ''}, is no folder")
    result.append(ModelSource(BUNDLED, "Examples", ()))
    first = {source.folders: source for source in reversed(result)}  # of a folder that is named twice
    return [*(source for source in result if first[source.folders] is source), *_packages(), *_caches(environment)], remarks


def _packages() -> Iterator[ModelSource]:
    for package, names in PACKAGES.items():
        base = package_folder(package)
        folders = () if base is None else tuple(folder for name in names if os.path.isdir(folder := base / name))
        if folders:
            yield ModelSource(package, package, folders)


def package_folder(name: str) -> Path | None:
    """The folder of a package, which is not imported; None: it is not installed."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # one that is half installed, or stands in sys.modules without a specification
        return None
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return Path(places[0]) if places else None


def _caches(environment: Mapping[str, str]) -> Iterator[ModelSource]:
    base = environment.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for variable, place, key in CACHES:
        folder = Path(os.path.expanduser(environment.get(variable) or os.path.join(base, place))).absolute()
        if os.path.isdir(folder):
            yield ModelSource(key, f"{key} (downloaded)", (folder,))
