"""Assets of a spec: meshes, height fields, skins, textures, materials; and flexes."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from tumble.physics.compiler.assets.mesh.builtin import make_shape
from tumble.physics.compiler.flex.read import NODES
from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec.element import Classed, MjsElement, child_of
from tumble.physics.spec.fields import list_of
from tumble.physics.spec.grammar import declare
from tumble.physics.spec.part import Owner, SpecPart, read
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtMeshInertia, mjtTextureRole

# The files of a cube's sides, as `cubefiles` has them.
FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
_LAYOUT = 12  # letters of a grid's layout, at most


class FileAsset(MjsElement):
    """An asset that has the name of its file if it has none of its own."""

    __slots__ = ()

    def _write(self, element: Element, rule: ElementRule) -> None:
        if not self.entry.name and self.file:
            element.attributes["name"] = stem(self.file)


def stem(file: str) -> str:
    """The name of an asset that is named by its file."""
    return os.path.splitext(os.path.basename(file.replace("\\", "/")))[0]


class MjsMesh(FileAsset, Classed):
    """A mesh: from a file, or of numbers: uservert [m], userface."""

    __slots__ = ("_builtin",)
    structure = declare("mesh", """
        - builtin params
        inertia           mjtMeshInertia
        needsdf           byte
        uservert          floats  : vertex
        usernormal        floats  : normal
        usertexcoord      floats  : texcoord
        userface                  : face
        userfacenormal    ints
        userfacetexcoord  ints
        plugin            plugin
    """, find("asset/mesh"))

    def __init__(self, spec: Owner) -> None:
        super().__init__(spec)
        self._builtin: tuple[str, tuple[float, ...]] | None = None  # a shape by name, and its parameters

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        if isinstance(other, MjsMesh):
            self._builtin = other._builtin

    def _read(self, element: Element) -> None:
        if element.get("builtin", "none") != "none":
            self._builtin = element.get("builtin"), tuple(float(v) for v in np.atleast_1d(element.get("params", ())))
        self._read_plugin(element)

    def _write(self, element: Element, rule: ElementRule) -> None:
        super()._write(element, rule)
        if self._builtin is not None:
            kind, parameters = self._builtin
            element.attributes |= {"builtin": kind, "params": np.array(parameters)}
        self._write_plugin(element, rule)

    @checked
    def make_sphere(self, subdivision: int) -> None:
        """Make it a sphere of radius 1: an icosahedron whose triangles are divided so many times, 0 to 4.

        This and the other shapes write uservert, userface and usernormal. Raises ValueError for a parameter out of range.
        """
        self._shape("sphere", subdivision)

    @checked
    def make_hemisphere(self, resolution: int) -> None:
        """Make it half a sphere of radius 1 on a disk, with so many rings between pole and rim, 0 to 10."""
        self._shape("hemisphere", resolution)

    @checked
    def make_cone(self, nedge: int, radius: float) -> None:
        """Make it a pyramid over a polygon of so many edges, 3 or more; radius: of its top, 0 for a point, 1 for a prism."""
        self._shape("cone", nedge, radius)

    @checked
    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """Make it a superellipsoid; e, n: exponents around and across, 1 for a sphere."""
        self._shape("supersphere", resolution, e, n)

    @checked
    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """Make it a supertorus; radius: of its tube, up to 1; s, t: exponents of tube and circle, 1 for a torus."""
        self._shape("supertorus", resolution, radius, s, t)

    @checked
    def make_wedge(self, resolution: Sequence[int] = (0, 0), fov: Sequence[float] = (0, 0), gamma: float = 0) -> None:
        """Make it a piece of a sphere about -z; resolution: points along both angles, fov [deg]; gamma: foveation, 0 to 1."""
        self._shape("wedge", *_pair(resolution, "resolution"), *_pair(fov, "fov"), gamma)

    @checked
    def make_plate(self, resolution: Sequence[int] = (0, 0)) -> None:
        """Make it a rectangle of points; its mass is that of a shell."""
        self._shape("plate", *_pair(resolution, "resolution"))
        self.inertia = mjtMeshInertia.mjMESH_INERTIA_SHELL

    def _shape(self, kind: str, *parameters: float) -> None:
        try:
            made = make_shape(kind, [float(value) for value in parameters])
        except ValueError as problem:
            raise MisfitError(str(problem)) from None
        self.uservert, self.userface = made.vertices.reshape(-1).tolist(), made.faces.reshape(-1).tolist()
        self.usernormal = made.normals.reshape(-1).tolist()
        self._builtin = None


def _pair(values: Sequence[float], name: str) -> Sequence[float]:
    numbers = list_of(values, name)
    if len(numbers) != 2:
        raise MisfitError(f"{name} should have 2 numbers, has {len(numbers)}")
    return numbers


class MjsHField(FileAsset):
    """A height field: from a file, or of nrow x ncol elevations in userdata, the row of the least y first."""

    __slots__ = ()
    structure = declare("hfield", "- elevation\nuserdata floats", find("asset/hfield"))

    def _read(self, element: Element) -> None:
        rows, values = int(element.get("nrow")), np.atleast_1d(element.get("elevation", ()))
        if rows > 0 and values.size and values.size % rows == 0:
            values = values.reshape(rows, -1)[::-1].reshape(-1)  # a file has the row of the greatest y first
        self.userdata = values

    def _write(self, element: Element, rule: ElementRule) -> None:
        super()._write(element, rule)
        values = self.value("userdata").astype(float)
        if values.size:
            if values.size == self.nrow * self.ncol:
                values = values.reshape(self.nrow, self.ncol)[::-1].reshape(-1)
            element.attributes["elevation"] = values
        element.attributes["size"] = self.value("size").copy()


class MjsSkin(FileAsset):
    """A skin, with its bones."""

    __slots__ = ()
    structure = declare("skin", """
        rgba,inflate        float
        vert                floats  : vertex
        texcoord            floats
        bodyname            refs body
        bindpos,bindquat    floats
        vertid,vertweight   lists
    """, find("deformable/skin"))

    def _read(self, element: Element) -> None:
        bones = list(element.all("bone"))
        self.bodyname = [str(bone.get("body")) for bone in bones]
        self.bindpos = [v for bone in bones for v in bone.get("bindpos")]
        self.bindquat = [v for bone in bones for v in bone.get("bindquat")]
        self.vertid = [np.atleast_1d(bone.get("vertid")).tolist() for bone in bones]
        self.vertweight = [np.atleast_1d(bone.get("vertweight")).tolist() for bone in bones]

    def _write(self, element: Element, rule: ElementRule) -> None:
        super()._write(element, rule)
        pos, quat = self.value("bindpos").astype(float), self.value("bindquat").astype(float)
        number = len(self.bodyname)
        if (pos.size, quat.size) != (3 * number, 4 * number) or {len(self.vertid), len(self.vertweight)} != {number}:
            raise element.error("needs as many bodyname, bindpos, bindquat, vertid and vertweight as it has bones")
        bones = zip(self.bodyname, pos.reshape(-1, 3), quat.reshape(-1, 4), self.vertid, self.vertweight, strict=True)
        for body, at, turn, ids, weights in bones:
            values = {"body": body, "bindpos": at, "bindquat": turn, "vertid": np.array(ids, np.int64),
                      "vertweight": np.array(weights, float)}  # fmt: skip
            element.children.append(child_of(element, rule.children["bone"], values))


class MjsTexture(FileAsset):
    """A texture: a builtin pattern, a file, or bytes in data, row by row, nchannel for each pixel."""

    __slots__ = ()
    structure = declare("texture", """
        - gridlayout fileright fileleft fileup filedown filefront fileback
        type        mjtTexture
        colorspace  mjtColorSpace
        gridlayout  chars 12
        cubefiles   strings 6
        data        bytes
    """, find("asset/texture"))

    def _read(self, element: Element) -> None:
        self.gridlayout = str(element.get("gridlayout") or "").ljust(_LAYOUT, ".")
        self.cubefiles = [str(element.get(face) or "") for face in FACES]

    def _write(self, element: Element, rule: ElementRule) -> None:
        super()._write(element, rule)
        element.attributes |= {face: file for face, file in zip(FACES, self.cubefiles, strict=True) if file}
        count = int(np.prod(self.value("gridsize")))
        if self.is_set("gridlayout") and 0 < count <= _LAYOUT:
            element.attributes["gridlayout"] = "".join(self.gridlayout)[:count]
        if self.data:
            element.attributes["data"] = self.data


class MjsMaterial(Classed):
    """A material; textures: one name for each role (mjtTextureRole)."""

    __slots__ = ()
    structure = declare("material", """
        - texture
        textures  refs texture 10
        texrepeat,emission,specular,shininess,reflectance,metallic,roughness,rgba  float
    """, find("asset/material"))

    def _read(self, element: Element) -> None:
        layers = {layer.attributes["role"]: layer.attributes["texture"] for layer in element.all("layer")}
        if element.attributes.get("texture"):
            layers = {"rgb": element.attributes["texture"]} | layers
        for role, texture in layers.items():
            self.textures[int(mjtTextureRole[f"mjTEXROLE_{role.upper()}"])] = texture

    def _write(self, element: Element, rule: ElementRule) -> None:
        layers = layers_of(self)
        if layers.keys() == {"rgb"}:
            element.attributes["texture"] = layers["rgb"]
        else:
            element.children = [
                child_of(element, rule.children["layer"], {"texture": name, "role": role}) for role, name in layers.items()
            ]


class MjsFlex(MjsElement):
    """A deformable body: vertices vert [m] in the frames of vertbody, or between the nodes of nodebody, and elements elem."""

    __slots__ = ()
    structure = declare("flex", """
        size                       double 3
        edgestiffness,edgedamping  double
        rgba                       float
        nodebody                   : node
        vertbody                   : body
        node                       doubles
        vert                       : vertex
        elem                       : element
        texcoord                   floats
        vertcollide,passive        int
    """, find("deformable/flex"), find("deformable/flex/contact"), find("deformable/flex/elasticity"))

    def _read(self, element: Element) -> None:
        self.node = np.atleast_1d(element.get(NODES, ()))
        for child in element.all("contact", "elasticity"):
            read(self, child.attributes)
        for child in element.all("edge"):
            self.edgestiffness, self.edgedamping = child.get("stiffness"), child.get("damping")

    def _write(self, element: Element, rule: ElementRule) -> None:
        attributes = element.attributes
        for tag in ("contact", "elasticity", "edge"):
            below = rule.children[tag]
            values = {
                name: attributes.pop(name) for name in below.attributes if name in attributes and name not in rule.attributes
            }
            if tag == "edge" and (self.edgestiffness or self.edgedamping):
                values = {"stiffness": float(self.edgestiffness), "damping": float(self.edgedamping)}
            if values:
                element.children.append(child_of(element, below, values))
        if self.value("node").any():
            attributes[NODES] = self.value("node").astype(np.float64)


def layers_of(material: MjsMaterial) -> dict[str, str]:
    """The textures of a material by role."""
    return {mjtTextureRole(k).name[10:].lower(): name for k, name in enumerate(material.value("textures")) if name}
