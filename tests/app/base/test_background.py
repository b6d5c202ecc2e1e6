"""Work in the background: its outcome is told in the window's thread, whatever it is."""

import threading

import pytest

from tumble.app.base.background import Background
from tumble.app.base.files import FileError


@pytest.fixture
def background(qtbot, no_threads_left):
    made = Background("test")
    yield made
    assert made.close(10.0)


def _refuse(error):
    raise error


def test_what_comes_of_work_is_told_in_the_windows_thread(background, qtbot):
    told = []
    main = threading.current_thread().name

    def then(value):
        told.append(("then", value, threading.current_thread().name))

    def failed(value):
        told.append(("failed", value, threading.current_thread().name))

    for work in (
        lambda: threading.current_thread().name.startswith("test"),
        lambda: _refuse(FileError("the disk is full")),
        lambda: _refuse(ZeroDivisionError("by zero")),
    ):
        background.run(work, then, failed, (FileError,))
        count = len(told)
        qtbot.waitUntil(lambda count=count: len(told) > count)
    assert told == [
        ("then", True, main),
        ("failed", "the disk is full", main),
        ("failed", "ZeroDivisionError: by zero", main),
    ]


def test_closing_waits_so_long_and_says_whether_all_has_ended(background):
    free = threading.Event()
    background.run(lambda: free.wait(60.0), lambda value: None, lambda why: None)
    assert not background.close(0.05)
    free.set()
    assert background.close(10.0)
