"""Scenes for the renderer's tests: models compiled by the reference engine, pictures taken headless through EGL."""

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.reference import posed
from tumble.render.frame import Frame
from tumble.render.offscreen import OffscreenRenderer

Load = Callable[[str], tuple[Any, Any]]


def compile_scene(xml: str) -> tuple[Any, Any]:
    """Model and forwarded data of an MJCF body: `<mujoco>` is put around it."""
    model, data = posed(f"<mujoco>{xml}</mujoco>", mujoco)
    return model, data


@pytest.fixture
def load() -> Load:
    return compile_scene


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
