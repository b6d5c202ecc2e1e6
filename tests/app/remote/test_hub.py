"""Connections: only who knows the token is heard, and nobody can make the others wait."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import pytest

from tumble.app.remote import hub as hubs
from tumble.app.remote.hub import MOST_GREETING, MOST_PEERS, Hub
from tumble.app.remote.protocol import encoded

TOKEN = "a" * 64


class Listening:
    """A hub that answers each message with itself; heard: what it was told."""

    def __init__(self) -> None:
        self.heard: SimpleQueue[Any] = SimpleQueue()
        self.gone = threading.Semaphore(0)
        self.hub = Hub(TOKEN, self._hear, lambda peer: self.gone.release())
        self.port = self.hub.port
        self.opened: list[Any] = []

    def _hear(self, peer: hubs.Peer, message: dict[str, Any]) -> None:
        self.heard.put(message)
        peer.send({"echo": message})

    def connect(self, token: str | None = TOKEN) -> tuple[socket.socket, Any]:
        sock = socket.create_connection(("127.0.0.1", self.port), 5.0)
        if token is not None:
            sock.sendall(encoded({"token": token}))
        self.opened += [sock, sock.makefile("rb")]
        return sock, self.opened[-1]


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    monkeypatch.setattr(hubs, "PATIENCE", 0.2)
    made = Listening()
    yield made
    for one in made.opened:
        one.close()
    assert made.hub.close()


def said(file: Any) -> Any:
    line = file.readline()
    return json.loads(line) if line else None


def test_who_knows_the_token_is_heard_and_answered(listening: Listening) -> None:
    sock, file = listening.connect()
    assert said(file)["ok"] is True
    sock.sendall(encoded({"a": 1})[:4])  # a message may come in pieces, and several in one
    sock.sendall(encoded({"a": 1})[4:] + encoded({"b": [2.5, None]}))
    assert said(file) == {"echo": {"a": 1}}
    assert said(file) == {"echo": {"b": [2.5, None]}}
    file.close()
    sock.close()
    assert listening.gone.acquire(timeout=60.0)


@pytest.mark.parametrize("first", [{"token": "b" * 64}, {"token": 3}, {"do": "status"}, {"token": TOKEN[:-1]}])
def test_without_the_token_nothing_is_heard(listening: Listening, first: dict[str, Any]) -> None:
    sock, file = listening.connect(token=None)
    sock.sendall(encoded(first) + encoded({"do": "status"}))
    answer = said(file)
    assert answer["ok"] is False
    assert "token" in answer["error"]
    assert said(file) is None
    assert listening.heard.empty()


def test_what_is_no_message_ends_the_connection_and_only_it(listening: Listening) -> None:
    other, others = listening.connect()
    assert said(others)["ok"]
    for bad in (b"GET / HTTP/1.1\r\n\r\n", b"[1, 2]\n", b"{" * 20_000 + b"\n"):
        sock, file = listening.connect()
        assert said(file)["ok"]
        sock.sendall(bad)
        assert said(file)["ok"] is False
        assert said(file) is None
    other.sendall(encoded({"still": "there"}))
    assert said(others) == {"echo": {"still": "there"}}


def test_a_stranger_who_sends_too_much_or_nothing_is_dropped(listening: Listening) -> None:
    sock, file = listening.connect(token=None)
    sock.sendall(b"x" * (MOST_GREETING + 10))
    assert "bytes at most" in said(file)["error"]
    silent, nothing = listening.connect(token=None)
    silent.settimeout(3.0)
    begun = time.monotonic()
    assert nothing.readline() == b""  # it never says anything, and is not waited for
    assert time.monotonic() - begun < 2.0


def test_many_connections_leave_those_that_are_there_alone(listening: Listening) -> None:
    sock, file = listening.connect()
    assert said(file)["ok"]
    more = [socket.create_connection(("127.0.0.1", listening.port), 5.0) for _ in range(3 * MOST_PEERS)]
    sock.sendall(encoded({"n": 1}))
    assert said(file) == {"echo": {"n": 1}}
    for one in more:
        one.close()


def test_who_does_not_read_is_disconnected(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MOST_UNREAD", 1 << 20)
    sock, file = listening.connect()
    assert said(file)["ok"]
    message = encoded({"long": "x" * 100_000})
    with suppress(OSError):  # once it is disconnected
        for _ in range(400):
            sock.sendall(message)
    assert listening.gone.acquire(timeout=60.0)


def test_a_message_is_bounded(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MOST_LINE", 50_000)
    sock, file = listening.connect()
    assert said(file)["ok"]
    text = "x" * 40_000  # longer than a greeting
    sock.sendall(encoded({"long": text}))
    assert said(file) == {"echo": {"long": text}}
    sock.sendall(encoded({"long": text + text}))
    assert "50000 bytes at most" in said(file)["error"]
    assert said(file) is None
    assert listening.heard.get()["long"] == text
    assert listening.heard.empty()
