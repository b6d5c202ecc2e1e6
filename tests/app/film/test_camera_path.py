"""Camera paths: through their keys, smooth in between, level, and never through the point they look at."""

import json
import math

import numpy as np
import pytest

from tumble.app.film.camera_path import CameraKey, CameraPath, PathError, Still, from_json, read_path
from tumble.app.replay.view import camera_from, camera_to
from tumble.render.camera import MAX_ELEVATION, Camera, CameraKind

KEYS = [
    CameraKey(0.0, (0, 0, 1), 2.0, 170.0, -20.0),
    CameraKey(1.5, (1, 0, 1), 4.0, -170.0, -30.0),
    CameraKey(2.0, (1, 2, 0.5), 1.0, -120.0, 10.0),
    CameraKey(5.0, (0, 0, 1), 2.0, -90.0, -20.0),
]


def numbers(camera):
    return np.array([*camera.lookat, math.log(camera.distance), camera.azimuth, camera.elevation])


def test_a_path_goes_through_its_keys_whatever_their_order():
    path = CameraPath(KEYS[::-1])
    for key in KEYS:
        camera = path.at(key.time)
        assert camera.lookat == pytest.approx(key.lookat, abs=1e-12)
        assert camera.distance == pytest.approx(key.distance)
        assert math.remainder(camera.azimuth - key.azimuth, 360) == pytest.approx(0, abs=1e-9)
        assert camera.elevation == pytest.approx(key.elevation)


def test_position_and_speed_are_continuous_at_every_key():
    path, h = CameraPath(KEYS), 1e-5
    for key in KEYS[1:-1]:
        before, at, after = (numbers(path.at(key.time + s * h)) for s in (-1, 0, 1))
        # Both one-sided slopes are the key's own, up to the curvature times the distance.
        np.testing.assert_allclose((at - before) / h, (after - at) / h, atol=0.02)


def test_the_camera_turns_the_short_way_and_whole_turns_more_where_it_is_told():
    path = CameraPath(KEYS[:2])
    assert path.at(0.75).azimuth == pytest.approx(180.0)
    twice = CameraPath([KEYS[0], CameraKey(1.5, (1, 0, 1), 4.0, -170.0, -30.0, turns=2)])
    assert twice.at(1.5).azimuth - twice.at(0.0).azimuth == pytest.approx(740.0)


def test_two_keys_are_joined_at_constant_speed_and_parabolas_stay_parabolas():
    line = CameraPath([CameraKey(0, (0, 0, 0), 1, 0, 0), CameraKey(2, (2, 0, 0), 1, 40, 0)])
    assert line.at(0.5).lookat[0] == pytest.approx(0.5)
    assert line.at(0.5).azimuth == pytest.approx(10)
    bend = CameraPath([CameraKey(t, (t * t, 0, 0), 1, 0, 0) for t in (-1.0, 0.0, 1.0, 2.5, 4.0)])
    for t in (0.2, 0.9, 1.7):  # between inner keys
        assert bend.at(t).lookat[0] == pytest.approx(t * t, abs=1e-12)


def test_a_path_is_the_cubic_hermite_spline_of_scipy_with_the_slopes_of_parabolas():
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    rng = np.random.default_rng(5)
    times = np.cumsum(rng.uniform(0.1, 2.0, 7))
    points = rng.uniform(-1, 1, (7, 6))  # azimuth and elevation of a degree: no way round is shorter
    path = CameraPath([CameraKey(float(t), tuple(p[:3]), math.exp(p[3]), p[4], p[5]) for t, p in zip(times, points, strict=True)])
    slopes = np.empty_like(points)
    slopes[0], slopes[-1] = ((points[k] - points[k - 1]) / (times[k] - times[k - 1]) for k in (1, -1))
    for k in range(1, 6):
        parabola = np.polynomial.polynomial.polyfit(times[k - 1 : k + 2] - times[k], points[k - 1 : k + 2], 2)
        slopes[k] = parabola[1]
    spline = CubicHermiteSpline(times, points, slopes)
    for t in np.linspace(times[0], times[-1], 50):
        np.testing.assert_allclose(numbers(path.at(float(t))), spline(t), atol=1e-12)  # rounding of numbers about 1


def test_before_the_first_key_and_after_the_last_the_camera_stands():
    path = CameraPath(KEYS)
    assert path.at(-3.0) == path.at(0.0)
    assert numbers(path.at(99.0)) == pytest.approx(numbers(path.at(5.0)))


def test_the_distance_stays_positive_and_the_elevation_off_the_poles():
    keys = [CameraKey(t, (0, 0, 0), d, 0, e) for t, d, e in ((0, 1e-3, 88), (1, 100.0, 89), (2, 1e-3, -89), (3, 5, 89))]
    for t in np.linspace(0, 3, 301):
        camera = CameraPath(keys).at(float(t))
        assert camera.distance > 0
        assert abs(camera.elevation) <= MAX_ELEVATION


def test_an_orbit_turns_by_its_rate_of_the_video_and_a_bound_camera_stays():
    assert Still(Camera(azimuth=10), 36).camera(2.5, 99.0).azimuth == pytest.approx(100)
    bound = Camera(CameraKind.FIXED, fixed=1)
    assert Still(bound, 36).camera(2.5, 0.0) == bound


def test_a_path_follows_a_body_where_its_camera_does():
    path = CameraPath(KEYS, Camera(CameraKind.TRACKING, body=3))
    assert (path.at(1.0).kind, path.at(1.0).body) == (CameraKind.TRACKING, 3)


def test_a_file_needs_only_what_changes_and_comes_back_the_same(tmp_path):
    file = tmp_path / "path.json"
    file.write_text(json.dumps({"keys": [{"time": 0, "azimuth": 10}, {"time": 2, "distance": 3, "turns": 1}, {"time": 3}]}))
    path = read_path(file, Camera(elevation=-12, distance=1.5))
    assert [key.elevation for key in path.keys] == [-12, -12, -12]
    assert [key.distance for key in path.keys] == [1.5, 3, 3]
    assert [key.turns for key in path.keys] == [0, 1, 0]
    assert from_json(path.to_json(), Camera()).keys == path.keys


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a camera path"),
        ("{}", "not a camera path"),
        ('{"keys": []}', "has 1 to"),
        ('{"keys": 3}', "are a list"),
        ('{"keys": [{"azimuth": 1}]}', "key 1 needs a time"),
        ('{"keys": [{"time": 0, "zoom": 1}]}', "key 1 has 'zoom'; valid are time, lookat"),
        ('{"keys": [{"time": 0}, {"time": 1, "distance": 0}]}', "key 2: distance 0; it is more than 0"),
        ('{"keys": [{"time": 0, "lookat": [1, 2]}]}', "lookat is three numbers"),
        ('{"keys": [{"time": 0, "azimuth": "north"}]}', "its values are numbers"),
        ('{"keys": [{"time": 0, "azimuth": NaN}]}', "its values are numbers"),
        ('{"keys": [{"time": 1}, {"time": 1}]}', "two keys of the camera path are at 1 s"),
        ("[" * 100_000, "not a camera path"),
    ],
)
def test_a_file_that_is_wrong_says_where(tmp_path, text, says):
    file = tmp_path / "path.json"
    file.write_text(text)
    with pytest.raises(PathError, match=rf"path\.json: .*{says}"):
        read_path(file, Camera())


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(PathError, match="cannot be read: No such file"):
        read_path(tmp_path / "none.json", Camera())


def test_a_camera_comes_back_from_a_replay_and_what_is_none_is_left_out():
    camera = Camera(CameraKind.TRACKING, (0.1, 2, 3), 4.5, 30, -10, body=2, orthographic=True)
    written = json.loads(json.dumps(camera_to(camera)))
    assert camera_from(written) == camera
    for wrong in ({"distance": -1}, {"lookat": "abc"}, {"kind": 9}, {"body": 1.5}, {"more": 0}):
        assert camera_from(written | wrong) is None
    assert camera_from(None) is None
