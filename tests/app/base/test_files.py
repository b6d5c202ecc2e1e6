"""Files that appear whole or not at all, and what is no file."""

import os

import pytest

from tumble.app.base import files
from tumble.physics.files import file_stem


def test_a_device_or_pipe_is_written_into_and_never_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)  # so that nobody waits for a reader
    try:
        files.require_writable(pipe)
        with files.text_file(pipe) as file:
            file.write("time,x\n")
        files.write_whole(pipe, b"more")
        assert os.read(end, 100) == b"time,x\nmore"
        assert pipe.is_fifo()
        with pytest.raises(files.FileError, match="a device or a pipe"):
            files.beside(pipe)
    finally:
        os.close(end)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("letter", ["a", "ü", "机"])
def test_a_name_as_long_as_systems_allow_can_be_written(tmp_path, letter):
    """The hidden name that the file has until it is whole is no longer than its own may be."""
    path = tmp_path / (letter * (250 // len(letter.encode())) + ".csv")
    files.write_whole(path, b"1")
    assert path.read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("humanoid", "humanoid"),
        ("robot v1.2", "robot v1_2"),
        ("../a/b\\c:d", "___a_b_c_d"),
        ("机器人", "机器人"),
        ("con", "_con"),
        ("LPT1", "_LPT1"),
        ("constant", "constant"),
        ("", "_"),
        ("x" * 300, "x" * 50),
    ],
)
def test_a_text_becomes_a_name_that_every_system_takes(text, stem):
    assert file_stem(text) == stem
