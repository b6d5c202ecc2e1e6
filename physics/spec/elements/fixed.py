"""Elements that a body holds: joints, geoms, sites, cameras and lights."""

from __future__ import annotations

from collections.abc import Iterator

from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec.element import Classed, MjsElement
from tumble.physics.spec.grammar import LIMITS, POSE, declare
from tumble.physics.spec.part import Holder
from tumble.physics.state.enums import mjtGeom, mjtJoint, mjtLightType


class Fixed(MjsElement):
    """An element that a body holds, perhaps in a frame."""

    __slots__ = ()

    @property
    def parent(self) -> Holder | None:
        """The body that holds it; None for the world, and for an element of a default class."""
        self._live()
        return self.entry.body

    @property
    def frame(self) -> Holder | None:
        """The innermost frame around it, None if there is none."""
        self._live()
        return self.entry.frame

    def set_frame(self, frame: Holder | None) -> None:
        """Put it into a frame of its body; None takes it out of any. Raises ValueError for a frame of another body."""
        self._live()
        if frame is not None:
            if not isinstance(frame, Fixed) or frame.structure.kind != "frame":
                raise ArgumentError(f"frame should be a MjsFrame, not {quoted(frame)}")
            if self.entry.body is None or frame.parent is not self.entry.body:
                raise MisfitError("a frame must belong to the body that holds the element")
            if any(around is self for around in (frame, *frames_around(frame))):
                raise MisfitError("a frame cannot be inside itself")
        self.entry.frame = frame


def frames_around(item: Fixed) -> Iterator[Holder]:
    """Iterate over the frames that an element is in, the innermost first."""
    around = item.entry.frame
    while around is not None:
        yield around
        around = around.entry.frame


class FixedInClass(Fixed, Classed):
    """An element that a body holds, with a default class."""

    __slots__ = ()


class MjsJoint(FixedInClass):
    """A joint: <joint> or <freejoint>. Fields: angles in the unit that `spec.compiler.degree` says."""

    __slots__ = ()
    structure = declare("joint", """
        type         mjtJoint
        align
        actgravcomp  : actuatorgravcomp
    """ + LIMITS, find("worldbody/body/joint"), find("worldbody/body/freejoint"))

    def _read(self, element: Element) -> None:
        if element.tag == "freejoint":
            self.type = mjtJoint.mjJNT_FREE

    def _write(self, element: Element, rule: ElementRule) -> None:
        if self.entry.body is not None and self.entry.body.entry.body is None:
            raise element.error("the world does not move: only a body can have joints")
        if element.get("type") != "free":
            element.attributes.pop("align", None)


class MjsGeom(FixedInClass):
    """A geom. Fields: pos, size [m], mass [kg], ...; see mjsGeom in MuJoCo's documentation."""

    __slots__ = ()
    structure = declare("geom", POSE + """
        type             mjtGeom
        fromto,mass      double = nan
        typeinertia      mjtGeomInertia  : shellinertia
        fluid_ellipsoid  double          : fluidshape
        fluid_coefs      : fluidcoef
        rgba             float
        hfieldname       : hfield
        meshname         : mesh
        plugin           plugin
    """, find("worldbody/geom"))

    def _read(self, element: Element) -> None:
        self._read_plugin(element)

    def _write(self, element: Element, rule: ElementRule) -> None:
        self._write_plugin(element, rule)
        if self.type >= mjtGeom.mjNGEOMTYPES:
            raise element.error(f"type {self.type.name} is for drawing alone")


class MjsSite(FixedInClass):
    """A site."""

    __slots__ = ()
    structure = declare("site", POSE + """
        type    mjtGeom
        fromto  double = nan
        rgba    float
    """, find("worldbody/site"))

    def _write(self, element: Element, rule: ElementRule) -> None:
        if self.type > mjtGeom.mjGEOM_BOX:
            raise element.error(f"type {self.type.name} is for drawing alone")

    def attach_body(self, body: Holder, prefix: str | None = None, suffix: str | None = None) -> Holder:
        """Attach a body of another spec, with all that belongs to it, in the pose of this site; returns the body."""
        return self._owner().contents.attach_body_at(self, body, prefix, suffix)


class MjsCamera(FixedInClass):
    """A camera."""

    __slots__ = ()
    structure = declare("camera", POSE + """
        mode              mjtCamLight
        targetbody                       : target
        proj              mjtProjection  : projection
        intrinsic         float 4
        sensor_size       float          : sensorsize
        focal_length      float          : focal
        focal_pixel       float          : focalpixel
        principal_length  float          : principal
        principal_pixel   float          : principalpixel
    """, find("worldbody/camera"))


class MjsLight(FixedInClass):
    """A light."""

    __slots__ = ()
    structure = declare("light", """
        - directional
        mode        mjtCamLight
        type        mjtLightType
        targetbody  : target
        bulbradius,intensity,range,attenuation,cutoff,exponent,ambient,diffuse,specular  float
    """, find("worldbody/light"))

    def _read(self, element: Element) -> None:
        if element.has("directional"):
            directional = bool(element.get("directional"))
            self.type = mjtLightType.mjLIGHT_DIRECTIONAL if directional else mjtLightType.mjLIGHT_SPOT
