"""Settings of a spec: the compiler's, physics options, visual settings and statistics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from physics.compiler.relations.lengthrange import MjLROpt, mj_defaultLROpt
from physics.mjcf.settings import CompilerSettings
from physics.spec import table
from physics.spec.element import Part

if TYPE_CHECKING:
    pass

_WORDS = ("false", "true", "auto")


class MjsCompiler(Part):
    """How a spec is compiled; `degree`: whether angles are in degrees, and `LRopt`: how length ranges are found."""

    __slots__ = ("LRopt", "folder", "strippath")
    structure = table.COMPILER

    def __init__(self) -> None:
        super().__init__()
        self.LRopt = MjLROpt()
        mj_defaultLROpt(self.LRopt)
        self.folder = ""  # that of an attached model's file, as seen from the main one's
        self.strippath = 0

    def settings(self) -> CompilerSettings:
        """These settings, as the compiler takes them."""
        low, high = (int(v) for v in self.inertiagrouprange)
        return CompilerSettings(
            **{name: bool(self.value(name)) for name in ("autolimits", "balanceinertia", "discardvisual", "fusestatic", "fitaabb")},
            **{name: self.value(name) for name in ("boundmass", "boundinertia", "settotalmass", "meshdir", "texturedir")},
            alignfree=bool(self.alignfree), angle_unit=math.pi / 180 if self.degree else 1.0, eulerseq="".join(self.eulerseq),
            inertiafromgeom=_WORDS[self.inertiafromgeom], inertiagrouprange=(low, high), strippath=bool(self.strippath),
            folder=self.folder,
        )  # fmt: skip

    def read(self, said: CompilerSettings) -> None:
        """Take over the settings of a file."""
        for name in ("autolimits", "balanceinertia", "discardvisual", "fusestatic", "fitaabb", "alignfree"):
            setattr(self, name, int(getattr(said, name)))
        for name in ("boundmass", "boundinertia", "settotalmass", "meshdir", "texturedir", "inertiagrouprange"):
            setattr(self, name, getattr(said, name))
        self.degree, self.eulerseq = int(said.angle_unit != 1.0), said.eulerseq
        self.inertiafromgeom = _WORDS.index(said.inertiafromgeom)
        self.folder, self.strippath = said.folder, int(said.strippath)

    def _take(self, other: Any) -> None:
        super()._take(other)
        self.folder, self.strippath = other.folder, other.strippath
        for name in MjLROpt.__slots__:  # type: ignore[attr-defined]  # of a dataclass with slots
            setattr(self.LRopt, name, getattr(other.LRopt, name))
