"""CSV files of any size: the columns that are named, in bounded memory; what is wrong is named with its line."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from tumble.app.study import measured_csv
from tumble.app.study.measured_csv import read_columns
from tumble.app.study.study_file import StudyError


def read(path: Path, *names: str) -> np.ndarray:
    return read_columns(path, lambda head: names)[1]


def test_pieces_of_plain_numbers_and_those_with_empty_cells_are_read_alike(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(measured_csv, "PIECE", 7)
    values = np.arange(300.0).reshape(100, 3)
    lines = [",".join(map(repr, row.tolist())) for row in values]
    lines[40] = '"120.0",,122.0'
    lines.insert(60, "")
    path = tmp_path / "a.csv"
    path.write_text("t, q ,u\r\n" + "\r\n".join(lines) + "\r\n")
    numbers = read(path, "u", "q")
    expected = values[:, [2, 1]].copy()
    expected[40, 1] = np.nan
    np.testing.assert_array_equal(numbers, expected)


def test_a_mistake_is_named_with_its_line_in_any_piece(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(measured_csv, "PIECE", 7)
    path = tmp_path / "a.csv"
    rows = [f"{k},{k}" for k in range(50)]
    path.write_text("\n".join(["t,q", *rows[:30], "31,one", *rows[31:]]))
    with pytest.raises(StudyError, match=r"a\.csv:32: column q: 'one' is not a number"):
        read(path, "t", "q")
    assert len(read(path, "t")) == 50
    path.write_text("\n".join(["t,q", *rows[:30], "31,1,2", *rows[31:]]))
    with pytest.raises(StudyError, match=r"a\.csv:32: 3 columns, the first line names 2"):
        read(path, "t")


def test_a_file_that_is_no_table_ends_at_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "zeros.csv"
    with path.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(StudyError, match="is not a table of text: a line has more than"):
        read(path, "t")


def test_more_rows_than_fit_are_refused_with_what_to_do(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(measured_csv, "MOST_ROWS", 1000)
    path = tmp_path / "a.csv"
    path.write_text("t,q\n" + "0,1\n" * 1001)
    with pytest.raises(StudyError, match="more than 1000 rows: keep every second one"):
        read(path, "t")


@pytest.mark.slow
def test_a_large_file_of_many_columns_is_read_in_bounded_memory_with_progress(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    row = ",".join(f"{k / 7:.6f}" for k in range(200))
    block = "".join(f"{row}\n" for _ in range(1000)).encode()
    with path.open("wb") as file:
        file.write((",".join(f"c{k}" for k in range(200)) + "\n").encode())
        while file.tell() < 2**27:
            file.write(block)
    shares: list[float] = []
    tracemalloc.start()
    _, numbers = read_columns(path, lambda head: ["c0", "c199"], shares.append)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert numbers[-1].tolist() == pytest.approx([0.0, 199 / 7], abs=1e-6)
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert peak < 2**26  # a piece, and two columns
