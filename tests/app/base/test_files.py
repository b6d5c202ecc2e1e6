"""Files that appear whole or not at all, and what is no file."""

import os
from pathlib import Path

import pytest

from tumble.app.base import files


def test_a_device_or_pipe_is_written_into_and_never_replaced_by_a_file(tmp_path: Path) -> None:
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
