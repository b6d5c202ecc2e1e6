"""How much is drawn: meshes once on the card, simpler ones where that cannot be seen, nothing of what is outside the view."""

import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tumble.render import renderer
from tumble.render.camera import Camera, default_camera
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.mesh import model_meshes as meshes
from tumble.render.mesh import simplifier, simplify
from tumble.render.mesh.primitives import TriangleMesh, sphere
from tumble.render.mesh.simplifier import Simplifier
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.passes import detail

BALL = sphere(64, 48)


def lumps(count: int = 1, scale: float = 0.3) -> str:
    """One mesh of 5,000 triangles, a ball with bumps, on `count` geoms in a row, over a floor that mirrors."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(2500, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    vertex = " ".join(f"{v:.5f}" for v in points.ravel())
    geoms = "".join(f'<geom type="mesh" mesh="m" pos="{0.7 * i} 0 .4" material="p"/>' for i in range(count))
    return f"""<asset><mesh name="m" vertex="{vertex}" scale="{scale} {scale} {0.8 * scale}"/>
        <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
        <material name="p" texture="t"/><material name="f" reflectance=".3"/></asset>
        <worldbody><light type="directional" dir=".3 .3 -1"/><geom type="plane" size="0 0 1" material="f"/>
        <body><freejoint/>{geoms}</body></worldbody>"""


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Simplifier]:
    made = Simplifier(tmp_path)
    yield made
    made.close()


# ---- one upload


def test_shared_mesh_is_uploaded_once_and_reused_on_reload(load: Any) -> None:
    model, data = load(lumps(5))
    again, other = load(lumps(5))[0], load(lumps(1, 0.2))[0]
    with OffscreenRenderer(model, 64, 48, samples=0) as offscreen:
        first = offscreen.render(Frame.from_data(data))
        drawing = offscreen.renderer
        primitives = 1  # the floor
        assert drawing._meshes.made == 1 + primitives
        assert drawing._images.made == 1
        drawing.set_model(again)
        np.testing.assert_array_equal(offscreen.render(Frame.from_data(data)), first)
        assert (drawing._meshes.made, drawing._images.made) == (1 + primitives, 1)
        for _ in range(3):  # what two models in a row do not use leaves the card
            drawing.set_model(other)
            offscreen.render(Frame.from_data(load(lumps(1, 0.2))[1]))
        assert (drawing._meshes.made, drawing._images.made) == (2 + primitives, 1)
        assert not any(meshes.mesh_digest(model, 0) in key for key in drawing._meshes._things)


# ---- simpler meshes


def test_simplified_meshes_are_made_by_a_process_and_cached(kept: Simplifier, tmp_path: Path) -> None:
    kept.ask("ball", BALL)
    kept.ask("small", TriangleMesh(BALL.vertices, BALL.indices[:10]))
    assert kept.take("ball") is None
    assert kept.wait(60.0)
    simplified = kept.take("ball")
    assert simplified is not None
    assert [len(level.mesh.indices) for level in simplified] == [len(level.mesh.indices) for level in simplify.levels(BALL)]
    assert kept.take("small") is None  # is drawn as it is
    later = Simplifier(tmp_path)
    later._started = lambda: pytest.fail("made again")  # type: ignore[method-assign]
    later.ask("ball", BALL)
    assert later.wait(60.0)
    again = later.take("ball")
    later.close()
    assert again is not None
    np.testing.assert_array_equal(again[0].mesh.vertices, simplified[0].mesh.vertices)


def test_a_damaged_file_of_levels_counts_as_not_there(kept: Simplifier, tmp_path: Path) -> None:
    for damage in (b"", b"\xff" * 40, b"\x01\x00\x00\x00" + bytes(16), b"\x01\x00\x00\x00" + b"\x7f" * 16):
        (tmp_path / f"x{simplifier._SUFFIX}").write_bytes(damage)
        assert kept._read("x") is None
        with pytest.raises((EOFError, ValueError)):
            simplify.read_levels(io.BytesIO(damage))


def test_without_a_process_meshes_stay_as_they_are(kept: Simplifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplifier.sys, "executable", "/nonexistent/python")
    kept.ask("ball", BALL)
    assert kept.wait(60.0)
    assert kept.take("ball") == []


def test_the_folder_of_levels_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplifier, "ROOM", 1000)
    for i in range(5):
        (tmp_path / f"{i}{simplifier._SUFFIX}").write_bytes(bytes(400))
    simplifier._make_room(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_simplified_render_is_close_with_fewer_triangles(
    load: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "Simplifier", lambda: Simplifier(tmp_path))
    model, data = load(lumps(3))
    frame, camera = Frame.from_data(data), replace(default_camera(model), distance=6.0)
    with OffscreenRenderer(model, 320, 240, samples=0, simplify=True) as offscreen:
        solids = offscreen.renderer._geometry.solids
        assert offscreen.renderer.simplifier is not None
        offscreen.renderer.full_detail = True
        full = offscreen.render(frame, camera).astype(int)
        assert not offscreen.renderer.simplifier._asked  # levels are made when something moves, and no sooner
        offscreen.renderer.full_detail = False
        offscreen.render(frame, camera)
        assert offscreen.renderer.simplifier.wait(60.0)
        simple = offscreen.render(frame, camera).astype(int)
        mesh = int(MeshId.MODEL_MESH)
        chosen = detail.levels(np.array([mesh]), np.array([240 / 6.0]), solids, detail.BUDGET)
        assert solids.levels(mesh)[chosen[0]][0] < 0.2 * model.mesh_facenum[0]
        offscreen.renderer.full_detail = True
        np.testing.assert_array_equal(offscreen.render(frame, camera), full)
    difference = np.abs(full - simple).max(axis=2)
    assert difference.any()
    assert np.mean(difference > 40) < 0.01


def test_levels_keep_to_the_budget_and_to_what_cannot_be_seen() -> None:
    class Known:
        def levels(self, mesh: int) -> list[tuple[int, float]]:
            return [(9000, 0.0), (3000, 0.001), (1000, 0.01)]

    mesh = np.full(20, int(MeshId.MODEL_MESH))
    near, far = np.full(20, 1000.0), np.full(20, 10.0)  # pixels a metre
    assert (detail.levels(mesh, near, Known(), 10**6) == 0).all()
    assert (detail.levels(mesh, far, Known(), 10**6) == 2).all()
    assert (detail.levels(mesh, near, Known(), 70_000) == 1).all()
    # A thousand pixels a metre make the last level ten pixels off: it is not taken for any budget.
    assert (detail.levels(mesh, near, Known(), 1) == 1).all()
    assert (detail.levels(mesh, np.full(20, 1501.0), Known(), 1) == 0).all()
    first = np.arange(20) < 4
    assert (detail.levels(mesh, np.where(first, near, far), Known(), 10**6) == np.where(first, 0, 2)).all()


def test_a_coarse_height_field_is_as_far_off_as_it_says(load: Any) -> None:
    n = 33
    y, x = np.mgrid[:n, :n] / (n - 1)
    height = 0.5 + 0.5 * np.sin(5 * x) * np.cos(4 * y)
    model, _ = load(
        f"""<asset><hfield name="h" nrow="{n}" ncol="{n}" size="1 1 .5 .1" elevation="{" ".join(map(str, height.ravel()))}"/>
        </asset><worldbody><geom type="hfield" hfield="h"/></worldbody>"""
    )
    errors = [meshes.hfield_error(model, 0, stride) for stride in (1, 2, 4, 8)]
    assert errors[0] == 0.0
    # A line between samples h apart leaves a curve by h^2 / 8 of its curvature: a fourfold for twice the stride.
    for fine, coarse in itertools.pairwise(errors[1:]):
        assert coarse == pytest.approx(4 * fine, rel=0.35)
    assert len(meshes.hfield(model, 0, 4).indices) < len(meshes.hfield(model, 0).indices) / 8


# ---- nothing of what is outside


def test_leaving_out_what_is_outside_the_view_changes_no_picture(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    geoms = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="{kind}" size=".2 .1 .3" rgba="{abs(x)} {abs(y)} 1 1"/></body>'
        for kind, (x, y, z) in zip(["box", "capsule", "cylinder", "ellipsoid"] * 8, rng.uniform(-1, 1, (32, 3)), strict=True)
    )
    model, data = load(
        f"""<asset><material name="f" reflectance=".5"/></asset><worldbody><light type="directional" dir=".3 .3 -1"/>
        <geom type="plane" size="0 0 1" pos="0 0 -1.2" material="f"/>{geoms}</worldbody>"""
    )
    frame = Frame.from_data(data)
    cameras = [
        Camera(lookat=tuple(rng.uniform(-1, 1, 3)), distance=d, azimuth=a, elevation=e, orthographic=o)
        for d, a, e, o in ((0.5, 30, -20, False), (1.0, 200, -60, False), (0.7, 100, 10, False), (0.5, 30, -20, True))
    ]
    plain, dropped = detail.inside, []

    def everything(drawlist: Any, matrix: Any, *, depth: bool = True) -> Any:
        dropped.extend(np.flatnonzero(~plain(drawlist, matrix, depth=depth)))
        return np.ones(len(drawlist), bool)

    with OffscreenRenderer(model, 96, 72, samples=0) as offscreen:
        culled = [offscreen.render(frame, camera) for camera in cameras]
        monkeypatch.setattr(renderer, "inside", everything)
        np.testing.assert_array_equal([offscreen.render(frame, camera) for camera in cameras], culled)
    assert len(dropped) > 50
