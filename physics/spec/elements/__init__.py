"""Elements of a spec, by what they describe: each class has its fields from the table and its conversions from and to MJCF."""

from __future__ import annotations

from tumble.physics.spec.element import MjsElement
from tumble.physics.spec.elements import actuator, assets, fixed, relations, tendon, tree

# The class of each kind of element.
CLASSES: dict[str, type[MjsElement]] = {
    kind.structure.kind: kind
    for module in (tree, fixed, assets, relations, tendon, actuator)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, MjsElement) and "structure" in vars(kind)
}
