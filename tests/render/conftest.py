"""Scenes for the renderer's tests: models compiled by the reference engine, pictures taken headless through EGL."""

from collections.abc import Callable, Iterator
from typing import Any

import moderngl
import mujoco
import numpy as np
import pytest

from tests.physics.reference import posed
from tumble.render.frame import Frame
from tumble.render.gpu.context import make_context, release_context
from tumble.render.offscreen import OffscreenRenderer

Load = Callable[[str], tuple[Any, Any]]


@pytest.fixture
def load() -> Load:
    """Model and forwarded data of an MJCF body: `<mujoco>` is put around it."""
    return lambda xml: posed(f"<mujoco>{xml}</mujoco>", mujoco)


@pytest.fixture
def snap() -> Iterator[Callable[..., np.ndarray]]:
    """Takes pictures of (model, data): snap(model, data, camera, options, selection=..., size=(160, 120), samples=0)."""
    alive: list[OffscreenRenderer] = []

    def take(model: Any, data: Any, camera: Any = None, options: Any = None, **more: Any) -> np.ndarray:
        size = more.pop("size", (160, 120))
        renderer = OffscreenRenderer(model, *size, samples=more.pop("samples", 0))
        alive.append(renderer)
        return renderer.render(Frame.from_data(data, more.pop("force", None)), camera, options, **more)

    yield take
    for renderer in alive:
        renderer.release()


@pytest.fixture
def ctx() -> Iterator[moderngl.Context]:
    context = make_context()
    yield context
    release_context(context)


@pytest.fixture
def buffer(ctx: moderngl.Context) -> Iterator[Callable[[int, int], moderngl.Framebuffer]]:
    """Makes framebuffers of colours and depths."""
    made: list[Any] = []

    def make(width: int, height: int) -> moderngl.Framebuffer:
        made.extend((ctx.renderbuffer((width, height), 4), ctx.depth_renderbuffer((width, height))))
        made.append(ctx.framebuffer([made[-2]], made[-1]))
        return made[-1]

    yield make
    for one in reversed(made):
        one.release()
