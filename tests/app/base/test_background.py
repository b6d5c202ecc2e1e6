"""Work beside the window: its outcome is told in the window's thread, whatever it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.base.background import Aside
from app.base.files import FileError


@pytest.fixture
def aside(qtbot: QtBot, no_threads_left: None) -> Iterator[Aside]:
    made = Aside()
    yield made
    assert made.close(10.0)


def _refuse(error: Exception) -> int:
    raise error


def test_what_comes_of_work_is_told_in_the_windows_thread(aside: Aside, qtbot: QtBot) -> None:
    told: list[tuple[str, object, str]] = []
    main = threading.current_thread().name

    def then(value: object) -> None:
        told.append(("then", value, threading.current_thread().name))

    def failed(value: str) -> None:
        told.append(("failed", value, threading.current_thread().name))

    for work in (
        lambda: threading.current_thread().name,
        lambda: _refuse(FileError("the disk is full")),
        lambda: _refuse(ZeroDivisionError("by zero")),
    ):
        aside.run(work, then, failed, (FileError,))
        count = len(told)
        qtbot.waitUntil(lambda count=count: len(told) > count, timeout=10_000)
    assert told == [
        ("then", "aside", main),
        ("failed", "the disk is full", main),
        ("failed", "ZeroDivisionError: by zero", main),
    ]


def test_closing_waits_so_long_and_says_whether_all_has_ended(aside: Aside) -> None:
    free = threading.Event()
    aside.run(lambda: free.wait(30), lambda value: None, lambda why: None)
    assert not aside.close(0.05)
    free.set()
    assert aside.close(10.0)
