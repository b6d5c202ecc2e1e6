"""Settings: declared once, typed, and the same after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.base.settings import (
    ALL,
    FLAGS,
    FONT_SCALE,
    GEOMETRY,
    HISTORY_MEMORY,
    MAX_RECENT,
    RECENT,
    SAMPLES,
    SHOW_TIME,
    Setting,
    Settings,
)


def test_every_value_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "s.ini"
    values = {
        GEOMETRY: bytes(range(256)),
        RECENT: ["/a b/c.xml"],
        FLAGS: ["shadow", "fog"],
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


def test_a_value_that_makes_no_sense_counts_as_none_and_the_log_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "s.ini"
    path.write_text("[view]\nsamples=many\ntime=perhaps\n[window]\nfont_scale=nan\n[time]\nmemory=99999999999\n")
    store = Settings(path)
    assert store.get(SAMPLES) == SAMPLES.default
    assert store.get(SHOW_TIME) is SHOW_TIME.default
    assert store.get(HISTORY_MEMORY) == HISTORY_MEMORY.default  # a number that no field of the window can show
    for _ in range(2):
        assert store.get(FONT_SCALE) == FONT_SCALE.default
    assert [record.getMessage().split(" is ")[0] for record in caplog.records] == [
        f"the stored setting {key}" for key in ("view/samples", "view/time", "time/memory", "window/font_scale")
    ]


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
