"""Settings of a spec: the compiler's, physics options, visual settings and statistics."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from physics.compiler.relations.lengthrange import MjLROpt, mj_defaultLROpt
from physics.errors import MisfitError
from physics.mjcf.settings import CompilerSettings
from physics.spec import table
from physics.spec.element import SpecPart

_WORDS = ("false", "true", "auto")
_FLAGS = ("autolimits", "balanceinertia", "discardvisual", "fusestatic", "fitaabb", "alignfree")
_SAME = ("boundmass", "boundinertia", "settotalmass", "meshdir", "texturedir")


class MjsCompiler(SpecPart):
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
        sequence = "".join(self.eulerseq)
        if not set(sequence) <= set("xyzXYZ"):
            raise MisfitError(f'eulerseq "{sequence}" is not valid; valid: three of x, y, z, X, Y, Z')
        if not 0 <= self.inertiafromgeom < len(_WORDS):
            raise MisfitError(f"inertiafromgeom is {self.inertiafromgeom}; valid: 0 (false), 1 (true), 2 (auto)")
        values: dict[str, Any] = {name: bool(self.value(name)) for name in _FLAGS}
        values |= {name: self.value(name) for name in _SAME}
        return CompilerSettings(
            **values, angle_unit=math.pi / 180 if self.degree else 1.0, eulerseq=sequence, strippath=bool(self.strippath),
            inertiafromgeom=_WORDS[self.inertiafromgeom], inertiagrouprange=(low, high), folder=self.folder,
        )  # fmt: skip

    def read(self, said: CompilerSettings) -> None:
        """Take over the settings of a file."""
        for name in _FLAGS:
            setattr(self, name, int(getattr(said, name)))
        for name in (*_SAME, "inertiagrouprange"):
            setattr(self, name, getattr(said, name))
        self.degree, self.eulerseq = int(said.angle_unit != 1.0), said.eulerseq
        self.inertiafromgeom = _WORDS.index(said.inertiafromgeom)
        self.folder, self.strippath = said.folder, int(said.strippath)

    def _take(self, other: Any) -> None:
        super()._take(other)
        self.folder, self.strippath = other.folder, other.strippath
        for field in fields(MjLROpt):
            setattr(self.LRopt, field.name, getattr(other.LRopt, field.name))
