"""Which settings the user can change, in which words; what they do is declared with them in tumble.app.base.settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tumble.app.base import settings
from tumble.app.base.settings import Setting
from tumble.app.describe.pictures import AUTOMATIC, measured

Value = bool | int | float | str | list[str]


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """A setting. choices: the values it can have, in words; none for a free one; unit: of a number.

    measured: of which a setting tells what the first choice stands for, and how that is said;
    folder: it is the path of a folder; forget: the words of the button that empties a list; late: in effect at the next start.
    """

    group: str
    title: str
    setting: Setting[Any]
    choices: tuple[tuple[str, Value], ...] = ()
    unit: str = ""
    folder: bool = False
    forget: str = ""
    late: bool = False
    measured: tuple[Setting[dict[str, Any]], Callable[[dict[str, Any]], str]] | None = None

    @property
    def tip(self) -> str:
        """What the setting means, as a sentence."""
        meaning = self.setting.meaning[:1].upper() + self.setting.meaning[1:]
        return f"{meaning}; takes effect at the next start" if self.late else meaning


_SAMPLES = (("as the graphics card can", -1), ("none", 0), ("2", 2), ("4", 4), ("8", 8))
_QUALITIES = (
    ("what this machine draws in time", AUTOMATIC), ("plain: the fastest", "plain"),
    ("fine: smooth edges, darker corners", "fine"), ("best: soft shadows", "best"),
)  # fmt: skip
_THEMES = (("that of the desktop", "system"), ("dark", "dark"), ("light", "light"))
_GHOSTS = (("the time before the present", "before"), ("the time between the first and the last bookmark", "marks"))
ROWS = (
    PreferenceRow("Looks", "Theme", settings.THEME, _THEMES),
    PreferenceRow("Looks", "Size of text", settings.FONT_SCALE),
    PreferenceRow("View", "Time and rate over the view", settings.SHOW_TIME),
    PreferenceRow("View", "Smooth camera moves", settings.SMOOTH_CAMERA),
    PreferenceRow("View", "Axes in the corner of the view", settings.AXES),
    PreferenceRow("View", "Quality", settings.QUALITY, _QUALITIES, measured=(settings.MEASURED_QUALITY, measured)),
    PreferenceRow("View", "Samples per pixel", settings.SAMPLES, _SAMPLES, late=True),
    PreferenceRow("View", "Hint for newcomers", settings.FIRST_SENTENCE, late=True),
    PreferenceRow("Motion", "Length of trails", settings.TRAIL_SECONDS, unit="s"),
    PreferenceRow("Motion", "Smooth slow motion", settings.SMOOTH_MOTION),
    PreferenceRow("Motion", "Ghosts of the past show", settings.GHOST_RANGE, _GHOSTS),
    PreferenceRow("Motion", "Number of ghosts", settings.GHOST_NUMBER),
    PreferenceRow("Motion", "Time between ghosts", settings.GHOST_INTERVAL, unit="s"),
    PreferenceRow("Files", "Reload when a file is saved", settings.RELOAD_ON_SAVE),
    PreferenceRow("Files", "Folder of screenshots", settings.SCREENSHOTS, folder=True),
    PreferenceRow("Files", "Folder of bug reports", settings.REPORTS, folder=True),
    PreferenceRow("Files", "Text editor", settings.EDITOR),
    PreferenceRow("Files", "Recent files", settings.RECENT, forget="Forget all", late=True),
    PreferenceRow("Files", "Controllers that may run", settings.TRUSTED, forget="Trust none", late=True),
    PreferenceRow("Programs", "Control by other programs", settings.REMOTE),
    PreferenceRow("Posing", "Step of moved handles", settings.SNAP_LENGTH, unit="m"),
    PreferenceRow("Posing", "Step of turned handles", settings.SNAP_ANGLE, unit="°"),
    PreferenceRow("Time", "Memory for the past", settings.HISTORY_MEMORY, unit="MB"),
    PreferenceRow("Video", "Folder of videos", settings.VIDEOS, folder=True),
    PreferenceRow("Video", "Frames per second of a recording", settings.RECORD_FPS, unit="1/s"),
    PreferenceRow("Video", "Record what is written over the view", settings.RECORD_PANELS),
)
