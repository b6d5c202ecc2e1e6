"""Settings files are those of Qt's QSettings, and no such file can do what one can do to Qt: end the process."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PyQt6.QtCore import QByteArray, QSettings

from tumble.app.base import ini
from tumble.app.base.ini_file import MOST_BYTES, ini_file
from tumble.app.base.settings import EDITOR, FOLDER, MODELS, SAMPLES, TRUSTED, Settings

LETTERS = 'abcdefA0 9,;=:"\\@()%\t\n\r\x00\x01\x7f\xe9\u20ac\U0001f600[]{}#/-'
BEGINNINGS = ("@", "@@", "@Invalid()", "@Variant(", "@ByteArray(x)")


def _text(dice: random.Random) -> str:
    begin = dice.choice(BEGINNINGS) if dice.random() < 0.1 else ""
    return begin + "".join(dice.choice(LETTERS) for _ in range(dice.randrange(12)))


def _value(dice: random.Random) -> str | list[str] | bytes:
    kind = dice.randrange(5)
    if kind == 4:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(20)))
    return _text(dice) if kind < 2 else [_text(dice) for _ in range(dice.randrange(1, 5))]


def _alone(value: object) -> object:
    """What is read for what was written: a list of one text is that text."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def test_what_qt_has_written_is_read_and_qt_reads_what_is_written(tmp_path: Path) -> None:
    dice = random.Random(1)
    values = {f"section {k % 7}/k{k}": _value(dice) for k in range(1500)}
    theirs = QSettings(str(tmp_path / "theirs.ini"), QSettings.Format.IniFormat)
    for key, value in values.items():
        theirs.setValue(key, QByteArray(value) if isinstance(value, bytes) else value)
    theirs.sync()
    read, strays = ini.split((tmp_path / "theirs.ini").read_text("utf-8"))
    assert strays == 0
    assert {key: ini.read(written) for key, written in read.items()} == values  # a list of one text is an object of Qt
    text = ini.joined({key: ini.write(value) for key, value in values.items()})
    (tmp_path / "ours.ini").write_text(text, "utf-8")
    again, strays = ini.split(text)
    assert strays == 0
    ours = QSettings(str(tmp_path / "ours.ini"), QSettings.Format.IniFormat)
    for key, value in values.items():
        qts = ours.value(key)
        assert ini.read(again[key]) == _alone(value)
        assert (bytes(qts) if isinstance(qts, QByteArray) else qts) == _alone(value)


@pytest.mark.parametrize(
    "written",
    [
        r"@Variant(\0\0\0\t\x7f\xff\xff\xff\0\0\0\n\0\0\0\0)",  # a list of two billion texts, for which Qt takes the memory
        r"@Variant(\0\0\0\t\0\0\0\x1\0\0\0\n\x7f\xff\xff\0)",
        r"@Variant(\0\0\0\t\0\0\0\x1\0\0\0\t\0\0\0\0)",  # a list in a list
        r"@Variant(\0\0\0\t\0\0\0\x2\0\0\0\n\0\0\0\0)",
        r"@Variant(\0\0\0\x46\0\0\0\0)",
        r"\x40Variant(\0\0)", '"@Vari""ant()"', "@ByteArray(\u20ac)", "a, @ByteArray(b)", "@Variant(\u20ac)",
    ],
)  # fmt: skip
def test_an_object_of_qt_that_is_none_or_lies_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"of Qt|more than texts|can't encode"):
        ini.read(written)


def test_values_that_are_not_understood_stay_in_the_file_those_of_known_keys_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "s.ini"
    newer = r"@Variant(\0\0\0\x46\0)"
    path.write_text(f"[view]\nsamples={newer}\n[newer]\nkey%20one={newer}\nother\\part=a, b\n")
    store = Settings(path)
    assert store.get(SAMPLES) == SAMPLES.default
    assert "the stored setting view/samples is not understood" in caplog.text
    store.put(FOLDER, "/f")
    store.sync()
    kept, strays = ini.split(path.read_text())
    unknown = {"newer/key one": newer, "newer/other/part": "a, b"}
    assert kept == {"view/samples": "@Invalid()", "set_aside/view/samples": newer, "files/folder": "/f"} | unknown
    assert strays == 0


@pytest.mark.parametrize("large", [False, True])
def test_a_file_that_is_none_of_settings_is_set_aside_before_one_is_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, large: bool
) -> None:
    path = tmp_path / "s.ini"
    before = b"[files]\neditor=vi\n\x00\xff\xfe nonsense\n" + b"x" * (MOST_BYTES if large else 0)
    path.write_bytes(before)
    store = Settings(path)
    assert store.get(EDITOR) == ("" if large else "vi")
    assert path.read_bytes() == before
    store.put(FOLDER, "/f")
    store.sync()
    assert (tmp_path / "s.ini.damaged").read_bytes() == before
    assert f"{path}: " in caplog.text
    assert "the file is kept as s.ini.damaged" in caplog.text
    assert path.stat().st_size < 100


def test_windows_of_other_processes_keep_what_they_have_put(tmp_path: Path) -> None:
    path = tmp_path / "s.ini"
    store = Settings(path)
    store.put(FOLDER, "/mine")
    store.sync()
    other = QSettings(str(path), QSettings.Format.IniFormat)  # a window of another version
    other.setValue(EDITOR.key, "theirs")
    other.setValue(TRUSTED.key, ["digest"])
    other.sync()
    store.put(MODELS, ["/m"])
    store.sync()
    assert store.get(EDITOR) == "theirs"
    other.sync()
    assert other.value(FOLDER.key) == "/mine"
    assert other.value(MODELS.key) == "/m"
    assert store.get(TRUSTED) == ["digest"]
    assert not (tmp_path / "s.ini.lock").exists()


def test_what_was_put_and_not_saved_is_read_by_everyone_in_the_process(tmp_path: Path) -> None:
    path = tmp_path / "s.ini"
    first = ini_file(path)
    first.put(FOLDER.key, "/f")
    assert not path.exists()
    assert Settings(path).get(FOLDER) == "/f"


def test_a_device_or_a_folder_in_its_place_is_no_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for path in (tmp_path, Path("/dev/zero")):
        store = Settings(path)
        assert store.get(FOLDER) == ""
    store = Settings(tmp_path)
    store.put(FOLDER, "/f")
    store.sync()
    assert store.get(FOLDER) == "/f"
    assert f"settings cannot be saved: {tmp_path}: cannot be written: this is a folder" in caplog.text
