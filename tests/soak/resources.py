"""What is watched during a soak, and by how much it may grow."""

from msgspec import Struct


class Resource(Struct, frozen=True):
    """Something that can grow. limit: how much it may, from the end of the warm-up to the end of the run; None: only shown."""

    name: str
    unit: str
    limit: float | None
    meaning: str


RESOURCES = (
    Resource("resident", "MB", 10.0, "memory that is not shared, after malloc has given back what it can"),
    Resource("malloc", "MB", 10.0, "memory that malloc has given out: Python, numpy, Qt, the driver"),
    Resource("numpy", "MB", 10.0, "of it arrays that a Python object refers to"),
    Resource("python", "objects", 20_000, "objects that the garbage collector knows"),
    Resource("widgets", "", 40, "of Qt"),
    Resource("buffers", "", 20, "of OpenGL"),
    Resource("textures", "", 20, "of OpenGL"),
    Resource("framebuffers", "", 10, "of OpenGL"),
    Resource("renderbuffers", "", 10, "of OpenGL"),
    Resource("vertex arrays", "", 20, "of OpenGL"),
    Resource("programs", "", 4, "of OpenGL"),
    Resource("files", "", 4, "handles that are open"),
    Resource("threads", "", 2, "of the process"),
    Resource("children", "", 1, "processes that it has started"),
    Resource("temporary", "files", 4, "left in the folder for temporary files"),
    Resource("recovery", "files", 3, "in the recovery folder"),
)
