"""MjSpec: models as programs edit them. Elements with fields by one table; read from files, compiled, attached, written."""

from physics.spec.assets import MjsFlex, MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from physics.spec.default import MjsDefault
from physics.spec.element import MjsElement, MjsOrientation
from physics.spec.relations import (
    MjsActuator,
    MjsEquality,
    MjsExclude,
    MjsKey,
    MjsNumeric,
    MjsPair,
    MjsPlugin,
    MjsSensor,
    MjsTendon,
    MjsTendonPath,
    MjsText,
    MjsTuple,
    MjsWrap,
)
from physics.spec.settings import MjsCompiler
from physics.spec.spec import MjSpec
from physics.spec.tree import MjsBody, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from physics.spec.vectors import MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec

# Any of the structures of a spec, for annotations of programs.
MjStruct = (
    MjsActuator | MjsBody | MjsCamera | MjsCompiler | MjsDefault | MjsElement | MjsEquality | MjsExclude | MjsFlex | MjsFrame
    | MjsGeom | MjsHField | MjsJoint | MjsKey | MjsLight | MjsMaterial | MjsMesh | MjsNumeric | MjsOrientation | MjsPair
    | MjsPlugin | MjsSensor | MjsSite | MjsSkin | MjsTendon | MjsText | MjsTexture | MjsTuple | MjsWrap | MjSpec
)  # fmt: skip

__all__ = [
    "MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjSpec", "MjStringVec", "MjStruct", "MjsActuator",
    "MjsBody", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement", "MjsEquality", "MjsExclude", "MjsFlex", "MjsFrame",
    "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight", "MjsMaterial", "MjsMesh", "MjsNumeric", "MjsOrientation",
    "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite", "MjsSkin", "MjsTendon", "MjsTendonPath", "MjsText", "MjsTexture", "MjsTuple",
    "MjsWrap",
]  # fmt: skip
