"""The client: a program that controls a window. Knows neither Qt nor the engine."""

from __future__ import annotations

import base64
import os
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tumble.app.remote import protocol
from tumble.app.remote.protocol import Message, decoded, encoded

Values = float | Sequence[float]


class RemoteError(Exception):
    """The request was refused, or the window cannot be reached; the message gives the reason."""


class Remote:
    """A window. Every method waits until the window has finished, and raises RemoteError if it refuses."""

    def __init__(self, place: protocol.WindowPlace, timeout: float = 60.0) -> None:
        """timeout: for an answer [s]."""
        self._number = 0
        try:
            self._sock = socket.create_connection(("127.0.0.1", place.port), timeout)
        except OSError as error:
            raise RemoteError(f"the window with process number {place.pid} does not answer: {error}") from error
        self._file = self._sock.makefile("rb")
        self.about = self._exchange({"token": place.token})

    def _exchange(self, message: Message) -> Message:
        try:
            self._sock.sendall(encoded(message))
            line = self._file.readline()
        except OSError as error:
            raise RemoteError(f"the window does not answer: {error}") from error
        if not line:
            raise RemoteError("the window has ended the connection")
        answer = decoded(line)
        if not answer.get("ok"):
            raise RemoteError(str(answer.get("error", "the window refuses, and does not say why")))
        return answer

    def ask(self, do: str, **arguments: Any) -> Message:  # noqa: ANN401 - of the command
        """Any command of the protocol, by name; the whole answer."""
        self._number += 1
        return self._exchange({"id": self._number, "do": do, **arguments})

    def status(self) -> Message:
        """State of the window: path, time [s], paused, rate, sizes."""
        return self.ask("status")

    def open(self, path: str | Path, *, discard: bool = False) -> Message:
        """Open a model or a replay; discard: even if changes to the present one are not saved."""
        known = Path(path)
        return self.ask("open", path=str(known.absolute() if os.path.exists(known) else path), discard=discard)

    def run(self, rate: float | None = None) -> Message:
        """Run the simulation; rate: simulated seconds per second."""
        return self.ask("run", **({} if rate is None else {"rate": rate}))

    def pause(self) -> Message:
        """Stop time."""
        return self.ask("pause")

    def step(self, count: int = 1) -> Message:
        """Pause, and take steps; the answer has the time then."""
        return self.ask("step", count=count)

    def reset(self, key: str | int | None = None) -> Message:
        """Back to the initial state, or to a keyframe by name or number."""
        return self.ask("reset", **({} if key is None else {"key": key}))

    def set(self, values: Mapping[str, Values]) -> Message:
        """Set numbers of the state, of controls or of the model, by signal name."""
        return self.ask("set", values={name: _plain(value) for name, value in values.items()})

    def read(self, *names: str) -> dict[str, Any]:
        """Numbers by their names as signals, all of one moment: a number, or a list."""
        return dict(self.ask("read", names=list(names))["values"])

    def signals(self, search: str = "", most: int = 100) -> list[str]:
        """Names of signals that have these words."""
        return list(self.ask("signals", search=search, most=most)["names"])

    def picture(self, width: int = 0, height: int = 0, *, transparent: bool = False, overlay: bool = False) -> bytes:
        """A picture of the view as PNG; of the size of the view, if none is given [pixels]."""
        answer = self.ask("picture", width=width, height=height, transparent=transparent, overlay=overlay)
        return base64.b64decode(answer["png"])

    def quit(self, *, discard: bool = False) -> None:
        """Close the window."""
        self.ask("quit", discard=discard)

    def close(self) -> None:
        """End the connection; the window stays."""
        self._file.close()
        self._sock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _plain(value: Any) -> Any:  # noqa: ANN401 - numbers, or arrays of them
    return value.tolist() if hasattr(value, "tolist") else value


def connect(path: str | Path | None = None, timeout: float = 60.0) -> Remote:
    """Connect to a window; path: of its file, None: the window that was opened last. Raises RemoteError."""
    try:
        if path is not None:
            return Remote(protocol.read_place(Path(path)), timeout)
        files = protocol.windows()
        for file in files:
            try:
                return Remote(protocol.read_place(file), timeout)
            except RemoteError:
                if file is files[-1]:
                    raise
    except protocol.PlaceError as error:
        raise RemoteError(str(error)) from error
    raise RemoteError("no window can be controlled: start one with tumble --remote, or allow it in Edit, Preferences")
