"""Settings: declared once, typed, the same after a restart, and never in the way of a start."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PyQt6.QtCore import QByteArray, QSettings

from tumble.app.base import settings
from tumble.app.base.settings import ALL, MAX_RECENT, Settings
from tumble.app.describe.picture_quality import AUTOMATIC
from tumble.app.preferences import looks
from tumble.app.preferences.preferences_dialog import ROWS
from tumble.app.session import trails
from tumble.app.session.trails import TrailPoint
from tumble.render.gpu.quality import QualityLevel

CAMERA_ENTRY = {
    "kind": 0, "lookat": [0.0, 1.0, 2.0], "distance": 2.0, "azimuth": 90.0, "elevation": -45.0, "body": -1, "fixed": -1,
    "orthographic": False,
}  # fmt: skip
FOLDED = {"side": "left", "keys": ["joints"], "front": "joints", "size": 300}
STRUCTURED = {
    settings.FOLDED: [FOLDED],
    settings.OWN_LAYOUTS: [{"name": "mine", "state": "AAAA", "folded": [FOLDED], "views": {}}],
    settings.CAMERA: [CAMERA_ENTRY, CAMERA_ENTRY],
    settings.SEVERAL_VIEWS: {"arrangement": "single", "corner": "top left", "options": [None, {}]},
    settings.MEASURED_QUALITY: {"renderer": "a card", "level": "fine", "seconds": 0.01},
    settings.BREAKPOINTS: [{"key": "expression 1", "on": False, "limit": None, "text": "time > 1", "file": "/m.xml"}],
    settings.PLOTS: [["qpos[0]"], ["time", "qvel[0]"]],
    settings.KEYS: [["play", "Space"]],
    settings.PANEL_HEIGHTS: {"log": 200, "joints": 150},
    settings.MODEL_FLAGS: [{"file": "/m.xml", "options": {}}],
    settings.CAMERA_VIEWS: [{"file": "/m.xml", "name": "View 1", "camera": CAMERA_ENTRY}],
}
PLAIN = {
    settings.GEOMETRY: bytes(range(256)),
    settings.RECENT: ["/a b/c, d.xml"],
    settings.MODELS: ["/a", "/b=c;\u00e9\U0001f600.xml\udcff"],
    settings.FOLDER: '@/a\\b\n"c"',
    settings.SAMPLES: 0,
    settings.FONT_SCALE: 1.25,
    settings.SHOW_TIME: False,
    settings.THEME: "light",
}
VALUES = PLAIN | STRUCTURED


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings.json"


def test_every_value_survives_a_restart(path):
    first = Settings(path)
    for setting, value in VALUES.items():
        first.put(setting, value)
    first.sync()
    second = Settings(path)
    for setting, value in VALUES.items():
        assert second.get(setting) == value
        assert type(second.get(setting)) is type(setting.default)
    assert not (path.parent / "settings.json.lock").exists()


def test_store_copies_mutable_values_in_and_out(path):
    store, plots = Settings(path), [["time"]]
    store.put(settings.PLOTS, plots)
    plots[0].append("qpos[0]")
    store.get(settings.PLOTS).append([])
    assert store.get(settings.PLOTS) == [["time"]]
    store.get(settings.RECENT).append("x")
    assert settings.RECENT.default == []


def test_settings_never_stored_have_their_defaults_and_keys_of_their_own(path):
    store = Settings(path)
    assert all(store.get(setting) == setting.default for setting in ALL)
    assert len({setting.key for setting in ALL}) == len(ALL)


def test_invalid_values_warn_once_and_are_backed_up(path, caplog):
    wrong = {"view/samples": 99, "view/time": 1, "time/memory": 2**40, "window/font_scale": float("nan"), "window/theme": "pink"}
    before = json.dumps(wrong | {"files/folder": "/f", "newer/key": [1]})
    path.write_text(before)
    store = Settings(path)
    for _ in range(2):
        for key in wrong:
            setting = next(setting for setting in ALL if setting.key == key)
            assert store.get(setting) == setting.default
    assert len(caplog.records) == 1
    assert all(key in caplog.text for key in wrong)
    assert store.report() == "Some stored settings were not understood: see Log"
    assert store.report() == ""
    store.put(settings.FOLDER, "/g")
    store.sync()
    assert json.loads(path.read_text()) == {"files/folder": "/g", "newer/key": [1]}  # of unknown keys nothing is lost
    assert path.with_name("settings.json.damaged").read_text() == before
    Settings(path)
    assert len(caplog.records) == 1


@pytest.mark.parametrize("data", [b"", b"[1]", b"{broken", b"[" * 100_000, b"\xff\xfe nonsense", b'{"files/folder": "/f",\n}'])
def test_a_damaged_file_gives_one_message_and_defaults(path, caplog, data):
    path.write_bytes(data)
    store = Settings(path)
    assert store.get(settings.FOLDER) == ""
    assert path.read_bytes() == data
    store.put(settings.EDITOR, "vi")
    store.sync()
    assert json.loads(path.read_text()) == {"files/editor": "vi"}
    assert path.with_name("settings.json.damaged").read_bytes() == data
    assert len(caplog.records) == 1


WRONG = (60, -0.5, [1, 2], [[[]]], {"a": "b"}, "text", True, float("nan"), 2**62)


@pytest.mark.parametrize("setting", STRUCTURED, ids=lambda setting: setting.key)
def test_of_a_list_only_wrong_entries_are_left_out(path, setting):
    valid = STRUCTURED[setting]
    for wrong in WRONG:
        path.write_text(json.dumps({setting.key: [wrong, *valid] if isinstance(valid, list) else wrong}))
        assert Settings(path).get(setting) == (valid if isinstance(valid, list) else setting.default)


KINDS = (True, 60, -0.5, "text", [], [1, 2], [[]], [{}], {}, {"a": 1}, {"a": [None]})


@pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.key)
def test_a_value_of_a_wrong_kind_is_reported_once_and_the_others_stay(path, caplog, setting):
    others = [other for other in (settings.FOLDER, settings.EDITOR, settings.THEME) if other is not setting]
    kept = {other.key: VALUES.get(other, "vi") for other in others} | {"newer/key": [1]}
    wrong = [kind for kind in KINDS if not settings.fits(kind, setting.form) and not kind == {} == setting.default]
    assert len(wrong) > 5
    for kind in wrong:
        caplog.clear()
        path.write_text(json.dumps(kept | {setting.key: kind}))
        store = Settings(path)
        assert store.get(setting) == setting.default
        assert [setting.key in record.getMessage() for record in caplog.records] == [True]
        assert store.report() == "Some stored settings were not understood: see Log"
        store.put(settings.FONT_SCALE, 1.25)
        store.sync()
        again = json.loads(path.read_text())
        again.pop(settings.FONT_SCALE.key)
        assert again.pop(setting.key, setting.default) == setting.default
        assert again == kept
        assert len(caplog.records) == 1


def leaves(value, path=()):
    """Paths to all values inside a JSON value."""
    if path:
        yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(item, (*path, key))


@pytest.mark.parametrize("setting", STRUCTURED, ids=lambda setting: setting.key)
def test_a_wrong_value_is_noticed_however_deep(path, caplog, setting):
    places = list(leaves(STRUCTURED[setting]))
    for place in places:
        changed = json.loads(json.dumps(STRUCTURED[setting]))
        inner = changed
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = [[[]]]  # fits nowhere
        path.write_text(json.dumps({setting.key: changed}))
        Settings(path)
    assert len(caplog.records) == len(places)


def test_windows_of_other_processes_keep_what_they_have_put(path):
    store, other = Settings(path), Settings(path)
    store.put(settings.FOLDER, "/mine")
    other.put(settings.EDITOR, "theirs")
    store.sync()
    other.sync()
    store.sync()
    assert (store.get(settings.EDITOR), other.get(settings.FOLDER)) == ("theirs", "/mine")


def test_a_folder_or_a_device_in_its_place_stays(tmp_path, caplog):
    assert Settings(Path("/dev/zero")).get(settings.FOLDER) == ""
    store = Settings(tmp_path)
    store.put(settings.FOLDER, "/f")
    store.sync()
    assert store.get(settings.FOLDER) == "/f"
    assert f"settings cannot be saved: {tmp_path}: cannot be written: this is a folder" in caplog.text


def test_reading_needs_no_qt(tmp_path):
    code = "import sys; from tumble.app.base import settings as s; s.Settings().get(s.MODELS); print('PyQt6' in sys.modules)"
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "False\n"


def test_recent_files_are_unique_newest_first_and_few(path):
    store = Settings(path)
    for k in range(15):
        store.add_recent(Path(f"/m/{k}.xml"))
    recent = store.add_recent(Path("/m/12.xml"))
    assert recent[:3] == ["/m/12.xml", "/m/14.xml", "/m/13.xml"]
    assert len(recent) == len(set(recent)) == MAX_RECENT


def test_choices_are_those_that_the_program_knows():
    assert all(settings.fits(value, row.setting.form) for row in ROWS for _, value in row.choices)
    assert set(settings.THEMES.values) == set(looks.THEMES)
    assert set(settings.QUALITIES.values) == {AUTOMATIC, *(level.name.lower() for level in QualityLevel)}
    assert set(settings.TRAIL_POINTS.values) == {point.value for point in TrailPoint}
    assert set(settings.GHOST_RANGES.values) == {trails.BEFORE, trails.MARKS}


# ---- the file of earlier versions


def as_before(setting, value):
    """A value as earlier versions gave it to QSettings: JSON is in texts."""
    if setting is settings.OWN_LAYOUTS:
        value = [{**layout, "folded": [json.dumps(side) for side in layout["folded"]]} for layout in value]
    if isinstance(value, bytes):
        return QByteArray(value)
    if setting not in STRUCTURED:
        return value
    listed = isinstance(value, list) and setting is not settings.CAMERA
    return [json.dumps(entry) for entry in value] if listed else json.dumps(value)


def test_the_file_of_an_earlier_version_is_taken_over_once(path):
    old = path.with_name("Tumble.ini")
    file = QSettings(str(old), QSettings.Format.IniFormat)
    values = VALUES | {settings.MODELS: []}
    for setting, value in values.items():
        file.setValue(setting.key, as_before(setting, value))
    file.sync()
    before = old.read_bytes()
    store = Settings(path)
    assert {setting.key: store.get(setting) for setting in values} == {setting.key: value for setting, value in values.items()}
    assert store.report() == ""
    store.put(settings.THEME, "dark")
    store.sync()
    assert old.read_bytes() == before  # an earlier version still finds its own
    again = Settings(path)
    assert (again.get(settings.THEME), again.get(settings.FONT_SCALE)) == ("dark", 1.25)


def test_one_text_and_one_camera_were_written_plainly(path):
    camera = json.dumps(json.dumps(CAMERA_ENTRY))
    lines = ["[files]", "models=/m", "[panels]", r'plots="[\"time\"]"', "[view]", f"camera={camera}", "time=false", "samples=2"]
    path.with_name("Tumble.ini").write_text("\n".join(lines))
    store = Settings(path)
    assert store.get(settings.MODELS) == ["/m"]
    assert store.get(settings.PLOTS) == [["time"]]
    assert store.get(settings.CAMERA) == [CAMERA_ENTRY]
    assert (store.get(settings.SHOW_TIME), store.get(settings.SAMPLES)) == (False, 2)


@pytest.mark.parametrize(
    "value",
    [
        r"@Variant(\0\0\0\t\x7f\xff\xff\xff\0\0\0\n\0\0\0\0)",  # a list of two billion texts, for which Qt takes the memory
        r"@Variant(\0\0\0\x46\0\0\0\0)", r"@Rect(1 2 3 4)", "{broken", '"[1, 2]"', "a, b",
    ],
)  # fmt: skip
def test_an_earlier_file_with_wrong_values_gives_one_message(path, caplog, value):
    lines = ["[files]", "editor=vi", "[set_aside]", f"view={value}", "[view]", f"samples={value}", f"several={value}"]
    path.with_name("Tumble.ini").write_text("\n".join([*lines, "[window]", f"layouts={value}"]))
    store = Settings(path)
    assert store.get(settings.EDITOR) == "vi"
    for setting in (settings.SAMPLES, settings.SEVERAL_VIEWS, settings.OWN_LAYOUTS):
        assert store.get(setting) == setting.default
    assert len(caplog.records) == 1
    assert "a copy is kept as Tumble.ini.damaged" in caplog.text
