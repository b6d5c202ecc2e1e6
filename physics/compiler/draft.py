"""The draft that all passes work on: the bodies of a model and what is fixed to them, before they become arrays."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from tumble.physics.compiler import pose
from tumble.physics.compiler.assets import Assets, HField, MeshAsset
from tumble.physics.compiler.flex.read import Flex
from tumble.physics.compiler.plugins import Plugins
from tumble.physics.compiler.pose import IDENTITY, ZERO, Quat, Vec
from tumble.physics.mjcf.spec import Element, tree_of
from tumble.physics.mjcf.suggest import MODEL_NAMES, meant, with_article
from tumble.physics.state.enums import mjtGeom, mjtJoint


class Joint(Struct, eq=False):
    """A joint in its body's frame; angles in radians."""

    element: Element
    body: Body
    type: mjtJoint
    pos: Vec
    axis: Vec
    limited: bool = False
    range: tuple[float, float] = (0.0, 0.0)
    actfrclimited: bool = False
    ref: float = 0.0
    springref: float = 0.0
    qposadr: int = -1
    dofadr: int = -1

    @property
    def ndof(self) -> int:
        """Degrees of freedom: 6, 3, 1, 1."""
        return (6, 3, 1, 1)[self.type]

    @property
    def nqpos(self) -> int:
        """Numbers in qpos: 7, 4, 1, 1."""
        return (7, 4, 1, 1)[self.type]


class OnBody(Struct, eq=False):
    """A thing that is fixed to a body, in its frame."""

    element: Element
    body: Body
    pos: Vec
    quat: Quat


class Geom(OnBody, eq=False):
    """A geom in its body's frame, with its mass and its inertia about its own axes.

    hfield: what gives it its shape; mesh: the same, or for another type what it was fitted to.
    """

    type: mjtGeom
    size: Vec
    mass: float = 0.0
    inertia: Vec = ZERO
    hfield: HField | None = None
    mesh: MeshAsset | None = None

    @property
    def mass_frame(self) -> tuple[Vec, Quat]:
        """Centre of mass and axes of inertia in the body's frame: its own, but where a function gives its mesh the frame."""
        shape = self.mesh.shape if self.mesh and self.type in (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF) else None
        if shape is None or (shape.mass_pos, shape.mass_quat) == (ZERO, IDENTITY):
            return self.pos, self.quat
        return pose.compose(self.pos, self.quat, shape.mass_pos, shape.mass_quat)


class Site(OnBody, eq=False):
    """A site in its body's frame."""

    type: mjtGeom
    size: Vec


class DraftCamera(OnBody, eq=False):
    """A camera in its body's frame."""


class Light(Struct, eq=False):
    """A light in its body's frame; `dir` is a unit vector."""

    element: Element
    body: Body
    pos: Vec
    dir: Vec


class Body(Struct, eq=False):
    """A body in its parent's frame, what is fixed to it, and its children."""

    element: Element
    parent: Body | None
    pos: Vec = ZERO
    quat: Quat = IDENTITY
    inertial: Element | None = None
    mass: float = 0.0
    inertia: Vec = ZERO
    ipos: Vec = ZERO
    iquat: Quat = IDENTITY
    joints: list[Joint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    cameras: list[DraftCamera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    children: list[Body] = field(default_factory=list)
    id: int = 0

    @property
    def mocap(self) -> bool:
        """True if the user moves the body, through mocap_pos and mocap_quat."""
        return self.parent is not None and bool(self.element.get("mocap", False))

    def walk(self) -> Iterator[Body]:
        """Iterate over this body and all below it, parents first, each subtree in one piece."""
        return tree_of(self)


class Draft(Struct, eq=False):
    """A model being compiled. The lists are in the order of the model's ids."""

    root: Element
    assets: Assets
    world: Body
    plugins: Plugins = field(default_factory=Plugins)
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    cameras: list[DraftCamera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    flexes: list[Flex] = field(default_factory=list)
    textures: list[Element] = field(default_factory=list)
    materials: list[Element] = field(default_factory=list)
    pairs: list[Element] = field(default_factory=list)
    excludes: list[Element] = field(default_factory=list)
    equalities: list[Element] = field(default_factory=list)
    tendons: list[Element] = field(default_factory=list)
    actuators: list[Element] = field(default_factory=list)
    sensors: list[Element] = field(default_factory=list)
    numerics: list[Element] = field(default_factory=list)
    texts: list[Element] = field(default_factory=list)
    tuples: list[Element] = field(default_factory=list)
    keys: list[Element] = field(default_factory=list)
    ids: dict[str, dict[str, int]] = field(default_factory=dict)
    discarded: bool = False  # whether materials and textures are gone

    def id(self, element: Element, attribute: str, kind: str) -> int:
        """The id of what `attribute` of `element` names, -1 if it is not written.

        kind: "body", "joint", "geom", ... Raises MjcfError if there is no such name.
        """
        name = element.get(attribute)  # a blank name undoes what a default class refers to
        gone = self.discarded and kind in ("material", "texture")
        return -1 if not name or gone else self.named(element, attribute, kind, str(name))

    def required_id(self, element: Element, attribute: str, kind: str) -> int:
        """As `id`, of something that there has to be. Raises MjcfError also for a blank name."""
        if not element.get(attribute):
            raise element.error(f"{attribute} is empty: it needs the name of {with_article(kind)}")
        return self.id(element, attribute, kind)

    def named(self, element: Element, attribute: str, kind: str, name: str) -> int:
        """The id of an object by its name. Raises MjcfError, with the valid ones, for a name that there is not."""
        if name not in self.ids[kind]:
            raise element.error(f'{attribute} "{name}" is not {with_article(kind)}; {meant(name, self.ids[kind], MODEL_NAMES)}')
        return self.ids[kind][name]
