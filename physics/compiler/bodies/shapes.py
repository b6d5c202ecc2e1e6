"""Geoms, sites, cameras and lights as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tumble.physics.compiler.bodies.geoms import OF_MESH, bounding_box, bounding_radius
from tumble.physics.compiler.bodies.numbering import same_frame
from tumble.physics.compiler.draft import Draft, DraftCamera, Geom, Light, Site
from tumble.physics.compiler.fill import fill, fill_from, fill_user
from tumble.physics.compiler.pose import Vec
from tumble.physics.dynamics.fluid.ellipsoid import ellipsoid_volume, semi_axes
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtCamLight, mjtGeom, mjtLightType
from tumble.physics.state.model import Model

_OUTPUTS = ("rgb", "depth", "distance", "normal", "segmentation")
_LENS = ("focal", "focalpixel", "principal", "principalpixel")
_MOST_PIXELS = 16384


def fill_geoms(draft: Draft, m: Model) -> None:
    """Write the geoms of a model."""
    elements = [geom.element for geom in draft.geoms]
    fill(m, "geom_", elements, ("contype", "conaffinity", "condim", "group", "priority", "solmix", "solref", "solimp",
                                "friction", "margin", "gap", "rgba"))  # fmt: skip
    _fill_shapes(draft, m, "geom", draft.geoms)
    m.geom_dataid = -1
    for i, geom in enumerate(draft.geoms):
        m.geom_fluid[i] = fluid_numbers(geom.element, geom.type, geom.size)
        if m.geom_matid[i] < 0 and geom.mesh is not None:
            m.geom_matid[i] = draft.id(geom.mesh.element, "material", "material")
        m.geom_plugin[i] = _plugin(draft, geom)
        if geom.mesh is not None:
            m.geom_dataid[i] = draft.assets.meshes.index(geom.mesh)
        if geom.mesh is not None and geom.type in OF_MESH:
            m.geom_rbound[i], m.geom_aabb[i] = math.hypot(*geom.size), geom.mesh.bounds
        elif geom.hfield is None:
            m.geom_rbound[i], m.geom_aabb[i] = bounding_radius(geom.type, geom.size), bounding_box(geom.type, geom.size)
        else:
            m.geom_rbound[i], m.geom_aabb[i] = geom.hfield.radius, geom.hfield.bounds
            m.geom_dataid[i] = draft.assets.hfields.index(geom.hfield)


def _plugin(draft: Draft, geom: Geom) -> int:
    """The plugin instance of a geom, -1 for none: one of type sdf without its own has that which made its mesh."""
    own = draft.plugins.of(geom.element)
    if own < 0 and geom.type == mjtGeom.mjGEOM_SDF and geom.mesh is not None:
        return draft.plugins.of(geom.mesh.element)
    return own


def fill_sites(draft: Draft, m: Model) -> None:
    """Write the sites of a model."""
    fill(m, "site_", [site.element for site in draft.sites], ("group", "rgba"))
    _fill_shapes(draft, m, "site", draft.sites)


def _fill_shapes(draft: Draft, m: Model, kind: str, items: Sequence[Geom | Site]) -> None:
    """Common fields of geoms and sites; the material, -1 for none, is that which they name themselves."""
    fill_user(getattr(m, f"{kind}_user"), [item.element for item in items])
    fill_from(m, f"{kind}_", items, ("type", "pos", "quat", "size"))
    body, same, looks = (getattr(m, f"{kind}_{name}") for name in ("bodyid", "sameframe", "matid"))
    for i, item in enumerate(items):
        body[i], same[i] = item.body.id, same_frame(item.pos, item.quat, item.body)
        looks[i] = draft.id(item.element, "material", "material")


def fill_cameras(draft: Draft, m: Model) -> None:
    """Write the cameras of a model. Raises MjcfError for a lens that cannot be."""
    elements = [camera.element for camera in draft.cameras]
    fill(m, "cam_", elements, ("ipd", "resolution", "sensorsize"))
    fill_user(m.cam_user, elements)
    fill_from(m, "cam_", draft.cameras, ("pos", "quat"))
    for i, camera in enumerate(draft.cameras):
        m.cam_bodyid[i], m.cam_mode[i], m.cam_targetbodyid[i] = _tracking(draft, camera)
        m.cam_projection[i] = camera.element.get("projection") == "orthographic"
        m.cam_output[i] = sum(1 << _OUTPUTS.index(word) for word in camera.element.get("output"))
        _fill_lens(camera, i, m)


def _tracking(draft: Draft, item: DraftCamera | Light) -> tuple[int, mjtCamLight, int]:
    """The body of a camera or light, its mode, and the body that it looks at, -1 for none; a missing one is noted."""
    element = item.element
    mode = mjtCamLight[f"mjCAMLIGHT_{element.get('mode').upper()}"]
    if mode in (mjtCamLight.mjCAMLIGHT_TARGETBODY, mjtCamLight.mjCAMLIGHT_TARGETBODYCOM) and not element.get("target"):
        element.warn(f'mode "{element.get("mode")}" needs a target, the body to look at; without one it stays as it is')
    return item.body.id, mode, draft.id(element, "target", "body")


def _fill_lens(camera: DraftCamera, i: int, m: Model) -> None:
    """Focal lengths and principal point [m], and the angle of view [deg] that follows from them."""
    element = camera.element
    # The reference holds a lens in single precision, and so do its angle of view and the model's numbers.
    width, height = (float(np.float32(v)) for v in element.get("sensorsize"))
    columns, rows = (int(v) for v in element.get("resolution"))
    if not (0 <= columns <= _MOST_PIXELS and 0 <= rows <= _MOST_PIXELS):
        element.warn(f"resolution is {columns} {rows}; an image has 1 to {_MOST_PIXELS} pixels a side")
    if width < 0 or height < 0:
        element.warn(f"sensorsize is negative, {width:g} {height:g}: it is not used")
    fovy = element.get("fovy")
    if width > 0 and height > 0:
        pixel = (width / columns if columns else 0.0, height / rows if rows else 0.0)
        focal, principal = (
            [(float(np.float32(in_pixels[k])) * pixel[k]) or float(np.float32(plain[k])) for k in (0, 1)]
            for plain, in_pixels in (
                (element.get("focal"), element.get("focalpixel")), (element.get("principal"), element.get("principalpixel"))
            )
        )  # fmt: skip
        m.cam_intrinsic[i] = (*focal, *principal)
        with np.errstate(divide="ignore", invalid="ignore"):
            half = np.arctan(np.float32(height) / (np.float32(2) * np.float32(focal[1])))
        fovy = float(np.float32(2) * half) * 180 / math.pi
    elif any(element.get(name).any() for name in _LENS):
        raise element.error("focal and principal need a sensorsize")
    else:
        m.cam_intrinsic[i, :2] = m.vis_map_znear
    if not 0 < fovy < 180 and not width:
        raise element.error(f"fovy must be between 0 and 180 degrees, is {fovy:g}")
    m.cam_fovy[i] = fovy


def fill_lights(draft: Draft, m: Model) -> None:
    """Write the lights of a model."""
    elements = [light.element for light in draft.lights]
    fill(m, "light_", elements, ("castshadow", "active", "bulbradius", "intensity", "range", "attenuation", "cutoff",
                                 "exponent", "ambient", "diffuse", "specular"))  # fmt: skip
    fill_from(m, "light_", draft.lights, ("pos", "dir"))
    for i, (light, element) in enumerate(zip(draft.lights, elements, strict=True)):
        m.light_bodyid[i], m.light_mode[i], m.light_targetbodyid[i] = _tracking(draft, light)
        m.light_texid[i] = draft.id(element, "texture", "texture")
        kind = element.get("type")
        if element.has("directional"):
            kind = "directional" if element.get("directional") else "spot"
        m.light_type[i] = mjtLightType[f"mjLIGHT_{kind.upper()}"]


# Nodes between 0 and 1/2 and weights of the Gauss-Kronrod rule with 15 points, symmetric about 1/2, to as many digits as the
# reference has them: its virtual masses, to the last bit, are those of this rule.
_NODES = (0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752, 0.5)
_WEIGHTS = (0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107)
_RULE = (*zip(_NODES, _WEIGHTS, strict=True), *((1 - x, w) for x, w in zip(_NODES[-2::-1], _WEIGHTS[-2::-1], strict=True)))
_WORST = 0.05  # relative error of a virtual mass that the rule may have; beyond, the integrals are computed to rounding
_TINY = 1e-14  # of a denominator


def fluid_numbers(element: Element, kind: mjtGeom, size: Vec) -> tuple[float, ...]:
    """A row of geom_fluid: on or off, five coefficients, virtual masses [m^3] and moments [m^5] by axis; zeros if off."""
    shape, coefficients = element.get("fluidshape"), element.get("fluidcoef")
    if shape != "ellipsoid":
        return (0.0,) * 12
    return 1.0, *(float(c) for c in coefficients), *added_mass(semi_axes(kind, size))


def added_mass(r: Vec) -> tuple[float, ...]:
    """Virtual masses [m^3] and moments of inertia [m^5] by axis, in a medium of density 1; 0 for a shape without volume."""
    if not min(r) > 0:
        return (0.0,) * 6
    k, volume = kappa(r), ellipsoid_volume(r)
    masses = (volume * k[i] / max(_TINY, 2 - k[i]) for i in range(3))
    moments = (volume / 5 * _moment(r[j], r[i], k[j], k[i]) for j, i in ((1, 2), (2, 0), (0, 1)))
    return *masses, *moments


def _moment(p: float, q: float, k_p: float, k_q: float) -> float:
    """Virtual moment about an axis over a fifth of the volume; p, q: the other semi-axes. None of a shape of revolution."""
    difference, total = p * p - q * q, p * p + q * q
    return difference**2 * abs(k_q - k_p) / max(_TINY, abs(2 * difference + total * (k_p - k_q)))


def kappa(r: Vec) -> Vec:
    """The integrals of r_x r_y r_z / sqrt((r_i^2 + s)^3 (r_j^2 + s) (r_k^2 + s)) over s from 0 to infinity, by axis i.

    Their sum is 2: by that the error of the quadrature is known, which is large for very thin plates.
    """
    x, y, z = r
    rough = _quadrature(x, y, z), _quadrature(y, z, x), _quadrature(z, x, y)
    if abs(sum(rough) - 2) <= _WORST * (2 - max(rough)):
        return rough
    return _exact(x, y, z), _exact(y, z, x), _exact(z, x, y)


def _quadrature(a: float, b: float, c: float) -> float:
    """Kappa along a by the rule, with s = scale x^3 / (1 - x)^2 for x from 0 to 1."""
    scale, total = (a**3 * b * c) ** 0.4, 0.0
    for x, weight in _RULE:
        s = scale * x**3 / (1 - x) ** 2
        slope = scale * (3 * x**2 / (1 - x) ** 2 + 2 * x**3 / (1 - x) ** 3)
        outer = 1 + s / a**2
        total += weight * slope / (outer * math.sqrt(outer * (1 + s / b**2) * (1 + s / c**2)))
    return total / a**2


def _exact(a: float, b: float, c: float) -> float:
    """Kappa along a as Carlson's elliptic integral: 2/3 a b c R_D(b^2, c^2, a^2).

    Duplication brings the arguments together, and the rest is a series. Source: Carlson, Computing elliptic integrals by
    duplication, 1979; NIST, Digital Library of Mathematical Functions, 19.36.
    """
    x, y, z, head, power = b * b, c * c, a * a, 0.0, 1.0
    mean = (x + y + 3 * z) / 5
    while max(abs(mean - x), abs(mean - y), abs(mean - z)) > 1e-3 * mean:
        root_x, root_y, root_z = math.sqrt(x), math.sqrt(y), math.sqrt(z)
        step = root_x * root_y + root_y * root_z + root_z * root_x
        head += power / (root_z * (z + step))
        power /= 4
        x, y, z = (x + step) / 4, (y + step) / 4, (z + step) / 4
        mean = (x + y + 3 * z) / 5
    u, v = (mean - x) / mean, (mean - y) / mean
    w = -(u + v) / 3
    e2, e3 = u * v - 6 * w * w, (3 * u * v - 8 * w * w) * w
    e4, e5 = 3 * (u * v - w * w) * w * w, u * v * w**3
    series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26
    return 2 / 3 * a * b * c * (3 * head + power * series / (mean * math.sqrt(mean)))
