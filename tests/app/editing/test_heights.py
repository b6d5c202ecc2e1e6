"""Brushes on height fields: where they work and how much, and the form in which a compiler would give the result."""

import numpy as np
import pytest

from tumble import physics
from tumble.app.editing.shapes.heights import DEEPEST, Brush, BrushMode, dab, held, meeting, scaled

SIZE = (2.0, 1.0, 0.5, 0.4)
MODEL = """<mujoco><asset><hfield name="h" nrow="{rows}" ncol="{columns}" size="{size}" elevation="{text}"/></asset>
<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""


def compiled(samples, size):
    text = " ".join(map(repr, samples[::-1].ravel().tolist()))
    rows, columns = samples.shape
    return physics.MjModel.from_xml_string(
        MODEL.format(rows=rows, columns=columns, size=" ".join(map(repr, size)), text=text)
    )


def test_a_brush_raises_by_its_strength_at_its_centre_and_nothing_beyond_its_rim():
    flat = np.zeros((21, 41))
    raised = dab(flat, SIZE, (0.5, -0.2), Brush(BrushMode.RAISE, 0.4, 0.3), 2.0)
    y, x = np.meshgrid(np.linspace(-1, 1, 21), np.linspace(-2, 2, 41), indexing="ij")
    away = np.hypot(x - 0.5, y + 0.2)
    assert raised.max() == pytest.approx(0.6, rel=1e-12)
    assert raised[8, 25] == raised.max()
    assert (raised[away >= 0.4] == 0).all()
    assert (raised[away < 0.39] > 0).all()


def test_a_hole_goes_no_deeper_than_the_base_allows():
    dug = dab(np.zeros((9, 9)), SIZE, (0.0, 0.0), Brush(BrushMode.LOWER, 1.0, 50.0), 1.0)
    assert dug.min() == -DEEPEST * SIZE[3]


def test_smoothing_brings_samples_nearer_to_their_neighbours_and_keeps_a_plane():
    rng = np.random.default_rng(1)
    rough = rng.random((15, 15))
    brush = Brush(BrushMode.SMOOTH, 5.0, 0.5)
    assert dab(rough, SIZE, (0.0, 0.0), brush, 0.5).std() < 0.6 * rough.std()
    tilted = np.tile(np.linspace(0, 1, 15), (15, 1))
    inside = dab(tilted, SIZE, (0.0, 0.0), Brush(BrushMode.SMOOTH, 0.5, 0.9), 0.5)
    np.testing.assert_allclose(inside, tilted, atol=1e-15)  # means of neighbours in a row are the sample itself


@pytest.mark.parametrize("low", [-0.2, 0.0, 0.3])
def test_a_scaled_field_has_the_same_surface_and_bottom_and_is_as_a_compiler_scales_it(low):
    rng = np.random.default_rng(2)
    heights = low + rng.random((6, 5))
    samples, size, lift = scaled(heights, SIZE)
    np.testing.assert_allclose(lift + samples * size[2], heights, atol=1e-6)  # samples are of single precision
    assert lift - size[3] == pytest.approx(-SIZE[3], abs=1e-12)
    m = compiled(samples, size)
    np.testing.assert_array_equal(m.hfield_data.reshape(samples.shape), samples)
    np.testing.assert_array_equal(m.hfield_size[0], size)


def test_a_field_that_was_made_flat_is_flat_in_the_file_too():
    samples, size, lift = scaled(np.full((3, 3), 0.25), SIZE)
    assert not samples.any()
    assert (lift, size[3]) == (0.25, SIZE[3] + 0.25)


def test_under_the_brush_the_field_keeps_its_heights():
    heights = np.linspace(-0.1, 1.7, 12).reshape(3, 4)
    samples, size = held(heights, SIZE)
    np.testing.assert_allclose(samples * size[2], heights, atol=1e-6)
    assert samples.max() <= 1.0


def test_a_ray_meets_the_surface_and_passes_beside_it():
    heights = np.full((5, 5), 0.5)
    x, y = meeting(heights, SIZE, np.array([0.3, -0.2, 3.0]), np.array([0.0, 0.0, -1.0]))
    assert (x, y) == pytest.approx((0.3, -0.2))
    slanted = np.array([0.6, 0.0, -0.8])
    x, y = meeting(heights, SIZE, np.array([-1.0, 0.0, 1.5]), slanted)
    assert x == pytest.approx(-1.0 + 0.75, abs=0.01)
    assert meeting(heights, SIZE, np.array([9.0, 0.0, 3.0]), np.array([0.0, 0.0, -1.0])) is None
    assert meeting(heights, SIZE, np.array([0.0, 0.0, 3.0]), np.array([0.0, 0.0, 1.0])) is None
