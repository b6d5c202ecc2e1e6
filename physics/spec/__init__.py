"""MjSpec: models as programs edit them. Elements with fields by one table; read from files, compiled, attached, written."""

from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.default import MjsDefault
from tumble.physics.spec.element import MjsElement
from tumble.physics.spec.elements.actuator import MjsActuator
from tumble.physics.spec.elements.assets import MjsFlex, MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from tumble.physics.spec.elements.fixed import MjsCamera, MjsGeom, MjsJoint, MjsLight, MjsSite
from tumble.physics.spec.elements.relations import (
    MjsEquality,
    MjsExclude,
    MjsKey,
    MjsNumeric,
    MjsPair,
    MjsPlugin,
    MjsSensor,
    MjsText,
    MjsTuple,
)
from tumble.physics.spec.elements.tendon import MjsTendon, MjsTendonPath, MjsWrap
from tumble.physics.spec.elements.tree import MjsBody, MjsFrame
from tumble.physics.spec.fields import MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec
from tumble.physics.spec.part import MjsOrientation
from tumble.physics.spec.spec import MjSpec

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
