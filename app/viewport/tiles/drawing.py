"""The pictures of all views that are shown, drawn one after the other into one framebuffer."""

from __future__ import annotations

import moderngl

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport.tiles.tiles import Tiles
from tumble.app.viewport.tiles.writing import Drawn
from tumble.render.options import Selection
from tumble.render.renderer import Renderer


def draw_views(
    renderer: Renderer, screen: moderngl.Framebuffer, session: Session, tiles: Tiles, selected: Selection, ratio: float, tall: int
) -> list[Drawn]:
    """Draw each where it lies; ratio: pixels of the screen in one of the viewport's; tall: all that is drawn [pixels].

    They share the renderer: meshes, textures and programs, and framebuffers where they have one size.
    """
    assert session.shown is not None
    if tiles.several:
        fill(screen, "back")
    drawn: list[Drawn] = []
    for tile in tiles.shown():
        area = tiles.area(tile).picture
        seen = tile.view(area)
        camera = (seen if tile.gliding.under_way else None) or tile.camera
        width, height = round(area.width() * ratio), round(area.height() * ratio)
        corner = round(area.x() * ratio), max(tall - round(area.y() * ratio) - height, 0)
        view = renderer.render(
            screen, session.shown[1], camera, tile.drawn_options(seen), width, height, selected,
            more=session.extras.more, corner=corner,
        )  # fmt: skip
        drawn.append((tile, view, area))
    return drawn


def fill(screen: moderngl.Framebuffer, colour: str) -> None:
    """Cover all with a colour of the theme."""
    back = theme.colour(colour)
    screen.use()
    screen.viewport = (0, 0, *screen.size)
    screen.clear(back.redF(), back.greenF(), back.blueF(), 1.0)
