"""Settings: declared once, typed, and the same after a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tumble.app.base import ini
from tumble.app.base.settings import (
    ALL,
    BREAKPOINTS,
    CAMERA,
    CAMERA_VIEWS,
    FOLDED,
    FONT_SCALE,
    GEOMETRY,
    HISTORY_MEMORY,
    KEYS,
    MAX_RECENT,
    MEASURED_QUALITY,
    MODEL_FLAGS,
    OWN_LAYOUTS,
    PANEL_HEIGHTS,
    PLOTS,
    RECENT,
    SAMPLES,
    SEVERAL_VIEWS,
    SHOW_TIME,
    Setting,
    Settings,
)


def test_every_value_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "s.ini"
    values = {
        GEOMETRY: bytes(range(256)),
        RECENT: ["/a b/c.xml"],
        MODEL_FLAGS: ['{"file": "/a b/c.xml", "options": {"fog": true}}', '{"file": "d.xml", "options": {}}'],
        SAMPLES: 0,
        SHOW_TIME: False,
    }
    first = Settings(path)
    for setting, value in values.items():
        first.put(setting, value)
    first.sync()
    second = Settings(path)
    for setting, value in values.items():
        assert second.get(setting) == value
        assert type(second.get(setting)) is type(setting.default)


@pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.key)
def test_a_setting_never_stored_has_its_default(tmp_path: Path, setting: Setting[object]) -> None:
    assert Settings(tmp_path / "s.ini").get(setting) == setting.default


def test_values_out_of_range_are_set_aside_and_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "s.ini"
    wrong = {"view/samples": "many", "view/time": "perhaps", "time/memory": "99999999999", "window/font_scale": "nan"}
    path.write_text(ini.joined(wrong))
    store = Settings(path)
    for _ in range(2):
        for setting in (SAMPLES, SHOW_TIME, HISTORY_MEMORY, FONT_SCALE):
            assert store.get(setting) == setting.default
    store.sync()
    assert [record.getMessage().split(" is ")[0] for record in caplog.records] == [f"the stored setting {key}" for key in wrong]
    assert store.report() == "4 stored settings were not understood and set aside: see Log"
    assert store.report() == ""
    assert ini.split(path.read_text())[0] == {f"set_aside/{k}": v for k, v in wrong.items()} | dict.fromkeys(wrong, "@Invalid()")


WRONG_TEXTS = ("60", "-0.5", "[1, 2]", '{"a": "b"}', '"text"', "null", "true", "{broken", "[" * 5000, "NaN", "9" * 400)
CAMERA_ENTRY = {
    "kind": 0, "lookat": [0.0, 1.0, 2.0], "distance": 2.0, "azimuth": 90.0, "elevation": -45.0, "body": -1, "fixed": -1,
    "orthographic": False,
}  # fmt: skip
VALID: dict[Setting[Any], Any] = {
    FOLDED: {"side": "left", "keys": ["joints"], "front": "joints", "size": 300},
    OWN_LAYOUTS: {"name": "mine", "state": "AAAA", "folded": [], "views": {}},
    CAMERA: [CAMERA_ENTRY],
    SEVERAL_VIEWS: {"arrangement": "single", "corner": "top left", "options": [None, {}]},
    MEASURED_QUALITY: {"renderer": "a card", "level": "fine", "seconds": 0.01},
    BREAKPOINTS: {"key": "expression 1", "on": False, "limit": None, "text": "time > 1", "file": "/m.xml"},
    PLOTS: ["qpos[0]"],
    KEYS: ["play", "Space"],
    PANEL_HEIGHTS: {"log": 200, "joints": 150},
    MODEL_FLAGS: {"file": "/m.xml", "options": {}},
    CAMERA_VIEWS: {"file": "/m.xml", "name": "View 1", "camera": CAMERA_ENTRY},
}


def as_json(setting: Setting[Any], text: str) -> Any:
    return [text] if isinstance(setting.default, list) else text


def test_every_setting_in_json_declares_its_form() -> None:
    assert {setting for setting in ALL if setting.form is not None} == set(VALID)
    assert not [setting.key for setting in ALL if "JSON" in setting.meaning and setting.form is None]


@pytest.mark.parametrize("setting", VALID, ids=lambda setting: setting.key)
@pytest.mark.parametrize("text", WRONG_TEXTS, ids=lambda text: text[:10])
def test_json_of_the_wrong_kind_is_set_aside_and_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, setting: Setting[Any], text: str
) -> None:
    path, valid = tmp_path / "s.ini", json.dumps(VALID[setting])
    listed = isinstance(setting.default, list)
    written = [text, valid] if listed else text
    path.write_text(ini.joined({setting.key: ini.write(written)}))
    store = Settings(path)
    for _ in range(2):
        assert store.get(setting) == ([valid] if listed else setting.default)
    assert len(caplog.records) == 1
    store.sync()
    kept = ini.split(path.read_text())[0]
    assert ini.read(kept[f"set_aside/{setting.key}"]) == text
    del store
    assert Settings(path).get(setting) == ([valid] if listed else setting.default)
    assert len(caplog.records) == 1


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to all values inside a JSON value."""
    if path:
        yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(item, (*path, key))


@pytest.mark.parametrize("setting", VALID, ids=lambda setting: setting.key)
def test_an_entry_of_the_wrong_kind_is_noticed_anywhere_in_json(tmp_path: Path, setting: Setting[Any]) -> None:
    store = Settings(tmp_path / "s.ini")
    valid = as_json(setting, json.dumps(VALID[setting]))
    store.put(setting, valid)
    assert store.get(setting) == valid
    for path in leaves(VALID[setting]):
        changed = json.loads(json.dumps(VALID[setting]))
        place = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = [[]]  # fits nowhere
        store.put(setting, as_json(setting, json.dumps(changed)))
        assert store.get(setting) == setting.default, path


def test_every_wrong_value_of_a_key_is_kept(tmp_path: Path) -> None:
    store = Settings(tmp_path / "s.ini")
    for text in ("60", "70", "80"):
        store.put(OWN_LAYOUTS, [text])
        assert store.get(OWN_LAYOUTS) == []
    store.sync()
    kept = ini.split((tmp_path / "s.ini").read_text())[0]
    assert [kept[f"set_aside/window/layouts{n}"] for n in ("", ".2", ".3")] == ["60", "70", "80"]


def test_recent_files_are_unique_newest_first_and_few(tmp_path: Path) -> None:
    store = Settings(tmp_path / "s.ini")
    for k in range(15):
        store.add_recent(Path(f"/m/{k}.xml"))
    recent = store.add_recent(Path("/m/12.xml"))
    assert recent[:3] == ["/m/12.xml", "/m/14.xml", "/m/13.xml"]
    assert len(recent) == MAX_RECENT
    assert len(set(recent)) == MAX_RECENT


def test_keys_are_unique() -> None:
    assert len({setting.key for setting in ALL}) == len(ALL)
