from physics.compiler.compose.assembly import Assembly
from physics.mjcf.spec import Element


def cable(assembly: Assembly, element: Element) -> list[Element]:
    raise element.error("is not supported yet")
