"""MJCF 3.5.0, the section sensor."""

from __future__ import annotations

from typing import Any

from physics.mjcf.schema.grammar import ElementRule, rule, without
from physics.mjcf.schema.settings import OBJECTS, config

_COMMON = """
    name      name
    nsample   int = 0 -- refused: there is no history of signals yet
    interp    keys zoh|linear|cubic = zoh -- ignored: stored; it matters with nsample, which is refused
    delay     real = 0 -- refused: there is no history of signals yet
    interval  real 1..2 = 0 0 -- refused: there is no history of signals yet
    cutoff    real = 0
    noise     real = 0
    user      real 1..*
"""
_UNDELAYED = without(_COMMON, "nsample", "interp", "delay", "interval")
_FRAMES = "body|xbody|geom|site|camera"
_OF_FRAME = f"""
    objtype  keys {_FRAMES} !
    objname  ref @objtype !
"""
_IN_FRAME = f"""
    reftype  keys {_FRAMES}
    refname  ref @reftype
"""
_GEOMS = """
    geom1,geom2  ref geom
    body1,body2  ref body
"""

# Sensors that name one object and nothing else: kind of object, then tags.
_SIMPLE = {
    "site": "touch accelerometer velocimeter gyro force torque magnetometer",
    "joint": "jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc",
    "tendon": "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc",
    "actuator": "actuatorpos actuatorvel actuatorfrc",
    "body": "subtreecom subtreelinvel subtreeangmom",
}
_POSE = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel"


def _sensor(tag: str, table: str = "", children: tuple[ElementRule, ...] = (), **more: Any) -> ElementRule:
    return rule(tag, "*", table, children, names="sensor", **more)


SENSOR = rule("sensor", "*", "", [
    *(_sensor(tag, f"{kind} ref {kind} !\n" + _COMMON) for kind, tags in _SIMPLE.items() for tag in tags.split()),
    _sensor("camprojection", "site ref site !\n camera ref camera !\n" + _COMMON),
    _sensor("rangefinder", """
        site    ref site
        camera  ref camera
        data    flags dist|dir|origin|point|normal|depth = dist
    """ + _COMMON, exactly=(("site", "camera"),)),
    *(_sensor(tag, _OF_FRAME + _IN_FRAME + _COMMON, together=(("reftype", "refname"),)) for tag in _POSE.split()),
    *(_sensor(tag, _OF_FRAME + _COMMON) for tag in ("framelinacc", "frameangacc")),
    _sensor("insidesite", "site ref site !\n" + _OF_FRAME + _COMMON),
    *(_sensor(tag, _GEOMS + _COMMON, exactly=(("geom1", "body1"), ("geom2", "body2")))
      for tag in ("distance", "normal", "fromto")),
    _sensor("contact", """
        subtree1,subtree2  ref body
        site    ref site
        num     int = 1
        data    flags found|force|torque|dist|pos|normal|tangent = found
        reduce  keys none|mindist|maxforce|netforce = none
    """ + _GEOMS + _COMMON, exclusive=(("geom1", "body1", "subtree1", "site"), ("geom2", "body2", "subtree2")),
            status="partly: it reads 0, which is noted: its computation is not there yet"),
    *(_sensor(tag, _COMMON) for tag in ("e_potential", "e_kinetic", "clock")),
    _sensor("tactile", "geom ref geom !\n mesh ref mesh !\n" + without(_COMMON, "cutoff", "noise"),
            status="refused: its computation is not there yet"),
    _sensor("user", f"""
        objtype    keys {OBJECTS}
        objname    ref @objtype
        dim        int !
        needstage  keys none|pos|vel|acc = acc
        datatype   keys real|positive|axis|quaternion = real
    """ + _UNDELAYED, together=(("objtype", "objname"),),
            status="partly: it reads 0, which is noted: it asks for a function of the reference's C interface"),
    _sensor("plugin", f"""
        plugin    string
        instance  ref plugin
        objtype   keys {OBJECTS}
        objname   ref @objtype
        reftype   keys {OBJECTS}
        refname   ref @reftype
    """ + without(_UNDELAYED, "noise"), (config(),), status="refused: plugins are programs for the reference"),
])
