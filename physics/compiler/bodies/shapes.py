"""Geoms, sites, cameras and lights as arrays."""

from __future__ import annotations

import math

import numpy as np

from tumble.physics.compiler.assets.mesh.mesh_geoms import OF_MESH
from tumble.physics.compiler.bodies.fluid import fluid_numbers
from tumble.physics.compiler.bodies.geoms import bounding_box, bounding_radius
from tumble.physics.compiler.bodies.numbering import same_frame
from tumble.physics.compiler.draft import Draft, DraftCamera, Geom, Light, fill, fill_user
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
    fill_user(m.geom_user, elements)
    m.geom_dataid = -1
    for i, geom in enumerate(draft.geoms):
        m.geom_type[i], m.geom_bodyid[i] = geom.type, geom.body.id
        m.geom_pos[i], m.geom_quat[i], m.geom_size[i] = geom.pos, geom.quat, geom.size
        m.geom_fluid[i] = fluid_numbers(geom.element, geom.type, geom.size)
        m.geom_matid[i] = material(draft, m, "geom", i)
        m.geom_sameframe[i] = same_frame(geom.pos, geom.quat, geom.body)
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
    elements = [site.element for site in draft.sites]
    fill(m, "site_", elements, ("group", "rgba"))
    fill_user(m.site_user, elements)
    for i, site in enumerate(draft.sites):
        m.site_type[i], m.site_bodyid[i] = site.type, site.body.id
        m.site_pos[i], m.site_quat[i], m.site_size[i] = site.pos, site.quat, site.size
        m.site_matid[i] = material(draft, m, "site", i)
        m.site_sameframe[i] = same_frame(site.pos, site.quat, site.body)


def material(draft: Draft, m: Model, kind: str, i: int) -> int:
    """The material of a geom or site, -1 for none."""
    if kind == "site":
        return draft.id(draft.sites[i].element, "material", "material")
    geom = draft.geoms[i]
    own = draft.id(geom.element, "material", "material")
    return own if own >= 0 or geom.mesh is None else draft.id(geom.mesh.element, "material", "material")


def fill_cameras(draft: Draft, m: Model) -> None:
    """Write the cameras of a model. Raises MjcfError for a lens that cannot be."""
    elements = [camera.element for camera in draft.cameras]
    fill(m, "cam_", elements, ("ipd", "resolution", "sensorsize"))
    fill_user(m.cam_user, elements)
    for i, camera in enumerate(draft.cameras):
        element = camera.element
        m.cam_mode[i] = tracking(camera)
        m.cam_bodyid[i], m.cam_pos[i], m.cam_quat[i] = camera.body.id, camera.pos, camera.quat
        m.cam_targetbodyid[i] = target(draft, camera)
        m.cam_projection[i] = element.get("projection") == "orthographic"
        m.cam_output[i] = sum(1 << _OUTPUTS.index(word) for word in element.get("output"))
        _fill_lens(camera, i, m)


def tracking(item: DraftCamera | Light) -> mjtCamLight:
    """Tracking mode of a camera or light; a missing target is noted."""
    mode = mjtCamLight[f"mjCAMLIGHT_{item.element.get('mode').upper()}"]
    if mode in (mjtCamLight.mjCAMLIGHT_TARGETBODY, mjtCamLight.mjCAMLIGHT_TARGETBODYCOM) and not item.element.get("target"):
        item.element.warn(f'mode "{item.element.get("mode")}" needs a target, the body to look at; without one it stays as it is')
    return mode


def target(draft: Draft, item: DraftCamera | Light) -> int:
    """The body that a camera or light looks at, -1 for none."""
    return draft.id(item.element, "target", "body")


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
    for i, light in enumerate(draft.lights):
        element = light.element
        m.light_mode[i] = tracking(light)
        m.light_bodyid[i], m.light_pos[i], m.light_dir[i] = light.body.id, light.pos, light.dir
        m.light_targetbodyid[i] = target(draft, light)
        m.light_texid[i] = draft.id(element, "texture", "texture")
        kind = element.get("type")
        if element.has("directional"):
            kind = "directional" if element.get("directional") else "spot"
        m.light_type[i] = mjtLightType[f"mjLIGHT_{kind.upper()}"]


