"""Archives and arrays from anywhere: what lies about itself is refused in bounded memory, by one error with file and member."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tumble.physics.base.archive import Archive, ArchiveError, array_of


def npy(header: bytes, numbers: bytes = bytes(24)) -> bytes:
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + numbers


def head(descr: str = "'<f8'", order: str = "False", shape: str = "(3,)") -> bytes:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it is no array"),
        (b"\x93NUMPY", "it is no array"),
        (npy(head())[:20], "it is no array"),
        (npy(b"{" * 9000), "is damaged"),
        (npy(b"("), "is damaged"),
        (npy(b"[]"), "its header does not say"),
        (npy(b"f(3)"), "its header does not say"),
        (npy(b"{'descr': foo}"), "its header does not say"),
        (npy(b"-" * 9000 + b"1"), "its header does not say"),
        (npy(b"9" * 5000), "its header does not say"),
        (npy(b"'\\d'"), "its header does not say"),
        (npy(b"{}"), "its header does not say"),
        (npy(head("'|O'")), "its type is"),
        (npy(head("[('a', '<f8')]")), "its type is"),
        (npy(head(shape="(-3,)")), "its shape is"),
        (npy(head(shape="(3.0,)")), "its shape is"),
        (npy(head(shape="3")), "its shape is"),
        (npy(head(shape="(4,)")), r"shape is \(4,\), and has 24 bytes"),
        (npy(head(shape="(2147483647,)")), "and has 24 bytes"),
        (npy(head(shape="(281474976710655,)")), "its shape is"),
        (npy(head(shape="(1000000000000, 0)"), b""), "its shape is"),
        (npy(head(order="True", shape="(1, 3)")), "rank 2, not float64 of rank 1"),
        (npy(head("'>f8'")), "its type is"),
        (npy(head("'<i8'")), "int64 of rank 1, not float64"),
    ],
)
def test_an_array_that_is_none_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(ArchiveError, match=rf"(?s)run\.zip: a\.npy is damaged: .*{says}|run\.zip: a\.npy {says}"):
        array_of(data, np.float64, 1, "run.zip: a.npy")


def test_numbers_by_columns_are_refused() -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asfortranarray(np.ones((2, 3))))
    with pytest.raises(ArchiveError, match="by columns; valid: by rows"):
        array_of(buffer.getvalue(), np.float64, 2, "a")


def zipped(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("a.bin", bytes(20_000_000))
        archive.writestr("b.bin", b"abc")
    return buffer.getvalue()


def claiming(size: int) -> Callable[[bytes], bytes]:
    """An archive whose directory says another size of its first member."""

    def change(data: bytes) -> bytes:
        at = data.index(b"PK\1\2") + 24
        return data[:at] + struct.pack("<I", size) + data[at + 4 :]

    return change


def sharing(data: bytes) -> bytes:
    """An archive whose second member begins where its first does."""
    first = data.index(b"PK\1\2")
    at = data.index(b"PK\1\2", first + 4) + 42
    return data[:at] + bytes(4) + data[at + 4 :]


def read_all(path: Path) -> None:
    with Archive(path) as archive:
        for name in archive.members:
            archive.read(name)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (claiming(900_000_000), r"a\.bin claims 0\.84 GB, and has at most"),
        (claiming(4_000_000_000), r"unpacks to 3\.7 GB; at most"),
        (claiming(10), "is damaged or cut short"),
        (sharing, "shares bytes of the archive with another member"),
        (lambda data: data[:-10], "is damaged or cut short"),
    ],
)
def test_an_archive_that_lies_is_refused_in_little_memory(tmp_path: Path, change: Callable[[bytes], bytes], says: str) -> None:
    path = tmp_path / "bomb.zip"
    path.write_bytes(change(zipped()))
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match=rf"bomb\.zip: .*{says}"):
            read_all(path)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_a_way_of_packing_without_bounds_is_refused() -> None:
    with pytest.raises(ArchiveError, match=r"a\.bin is packed by method 12; valid: stored"):
        Archive(io.BytesIO(zipped(zipfile.ZIP_BZIP2)))


def test_what_is_read_again_and_again_counts_again() -> None:
    with Archive(io.BytesIO(zipped()), most_bytes=50_000_000) as archive:
        archive.read("a.bin")
        archive.read("a.bin")
        with pytest.raises(ArchiveError, match="is read again and again"):
            archive.read("a.bin")


def test_json_is_bounded_and_what_is_none_is_told() -> None:
    with Archive(io.BytesIO(zipped())) as archive:
        with pytest.raises(ArchiveError, match=r"a\.bin has 19 MB; at most 8 MB are read"):
            archive.json("a.bin")
        with pytest.raises(ArchiveError, match=r"b\.bin is damaged"):
            archive.json("b.bin")
