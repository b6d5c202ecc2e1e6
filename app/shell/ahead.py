"""Import the window's contents and the compiler in a thread while OpenGL draws the empty window."""

from __future__ import annotations

from importlib import import_module
from threading import Thread

# Slow imports, with their dependencies. Others are imported where they are needed.
CONTENTS = (
    "tumble.app.viewport.widget",
    "tumble.app.shell.window_actions",
    "tumble.app.panels.table",
    "tumble.app.shell.layouts.layout_desk",
    "tumble.app.shell.state_paste",
    "tumble.app.film.camera_keys",
)


def import_contents() -> Thread:
    """Begin, in a thread. Nothing else may be imported until it has ended: two threads that enter a package whose modules import
    each other from two sides would be refused one of them."""
    imports = Thread(target=_import_contents, name="imports")
    imports.start()
    return imports


def _import_contents() -> None:
    for name in CONTENTS:
        import_module(name)
    from tumble import physics

    physics.MjModel  # noqa: B018  # imported on first use, with the compiler
    physics.loads_at_once()  # compares the kernels with their sources
