"""Settings of a spec: the compiler's, physics options, visual settings and statistics."""

from __future__ import annotations

import math
from typing import Any

from tumble.physics.compiler.relations.lengthrange import MjLROpt, mj_defaultLROpt
from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.spec import CompilerSettings
from tumble.physics.spec.grammar import declare
from tumble.physics.spec.part import SpecPart, read
from tumble.physics.state.arguments import require_kind, whole


class MjsCompiler(SpecPart):
    """Compiler settings of a spec; `degree`: 1 if angles are in degrees; `LRopt`: options for length ranges."""

    __slots__ = ("_LRopt", "_folder", "_strippath")
    structure = declare("", """
        - angle coordinate assetdir strippath eulerseq
        degree     byte = 1
        eulerseq   chars 3 = xyz
        alignfree  int
    """, find("compiler"))

    def __init__(self) -> None:
        super().__init__()
        self._LRopt = MjLROpt()
        mj_defaultLROpt(self._LRopt)
        self._folder, self._strippath = "", 0

    @property
    def LRopt(self) -> MjLROpt:
        """Options for length ranges."""
        return self._LRopt

    @LRopt.setter
    def LRopt(self, value: MjLROpt) -> None:
        require_kind(value, MjLROpt, "LRopt", "a MjLROpt")
        self._LRopt = value

    @property
    def folder(self) -> str:
        """The folder of an attached model's file, as seen from the main one's."""
        return self._folder

    @folder.setter
    def folder(self, value: str) -> None:
        require_kind(value, str, "folder", "a text")
        self._folder = value

    @property
    def strippath(self) -> int:
        """1 if folders in the names of files are ignored."""
        return self._strippath

    @strippath.setter
    def strippath(self, value: int) -> None:
        self._strippath = whole(value, "strippath")

    def settings(self) -> CompilerSettings:
        """These settings, as the compiler takes them."""
        sequence = "".join(self.eulerseq)
        if not set(sequence) <= set("xyzXYZ"):
            raise MisfitError(f'eulerseq "{sequence}" is not valid; valid: three of x, y, z, X, Y, Z')
        values: dict[str, Any] = {name: field.encoded(self.value(field.name)) for name, field in _SHARED.items()}
        values["inertiagrouprange"] = tuple(values["inertiagrouprange"].tolist())
        return CompilerSettings(
            **values, angle_unit=math.pi / 180 if self.degree else 1.0, eulerseq=sequence, strippath=bool(self.strippath),
            folder=self.folder,
        )  # fmt: skip

    def read(self, said: CompilerSettings) -> None:
        """Take over the settings of a file."""
        require_kind(said, CompilerSettings, "said", "the compiler's settings of a file")
        read(self, {name: getattr(said, name) for name in _SHARED})
        self.degree, self.eulerseq = int(said.angle_unit != 1.0), said.eulerseq
        self.folder, self.strippath = said.folder, int(said.strippath)

    def _take(self, other: Any) -> None:
        super()._take(other)
        self.folder, self.strippath = other.folder, other.strippath
        for name in MjLROpt.__struct_fields__:
            setattr(self.LRopt, name, getattr(other.LRopt, name))


# The fields that the compiler's settings have as the file has them, by attribute.
_SHARED = {name: field for name, field in MjsCompiler.structure.coded.items() if name in CompilerSettings.__struct_fields__}
