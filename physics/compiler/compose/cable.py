from physics.mjcf.spec import Element
from physics.compiler.compose.assembly import Assembly
def cable(assembly: Assembly, element: Element) -> list[Element]:
    raise element.error("is not supported yet")
