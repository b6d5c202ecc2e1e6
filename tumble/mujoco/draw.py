"""Drawing with OpenGL: contexts, buffers, pixels, overlays and figures."""

from __future__ import annotations

from tumble.render.mjr.buffers import (
    mjr_addAux,
    mjr_blitAux,
    mjr_blitBuffer,
    mjr_changeFont,
    mjr_drawPixels,
    mjr_findRect,
    mjr_finish,
    mjr_getError,
    mjr_maxViewport,
    mjr_readPixels,
    mjr_resizeOffscreen,
    mjr_restoreBuffer,
    mjr_setAux,
    mjr_setBuffer,
)
from tumble.render.mjr.context import MjrContext, MjrRect
from tumble.render.mjr.overlays import mjr_figure, mjr_label, mjr_overlay, mjr_rectangle, mjr_text
from tumble.render.mjr.picture import mjr_render, mjr_uploadHField, mjr_uploadMesh, mjr_uploadTexture

__all__ = [
    "MjrContext", "MjrRect", "mjr_addAux", "mjr_blitAux", "mjr_blitBuffer", "mjr_changeFont", "mjr_drawPixels",
    "mjr_figure", "mjr_findRect", "mjr_finish", "mjr_getError", "mjr_label", "mjr_maxViewport", "mjr_overlay",
    "mjr_readPixels", "mjr_rectangle", "mjr_render", "mjr_resizeOffscreen", "mjr_restoreBuffer", "mjr_setAux",
    "mjr_setBuffer", "mjr_text", "mjr_uploadHField", "mjr_uploadMesh", "mjr_uploadTexture",
]  # fmt: skip
