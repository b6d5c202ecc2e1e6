"""`MjModel`: a model and the ways to load one."""

from __future__ import annotations

import os
from collections.abc import Mapping

from physics.compiler.compile import compile
from physics.mjcf.reader import read_path, read_string
from physics.state.model import Model


class MjModel(Model):
    """A compiled MJCF model: everything that does not change while it is simulated."""

    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load a model from an MJCF file; assets: contents of files by name, looked up before the disk.

        Raises MjcfError, at file:line:column, for a file that cannot be read or compiled.
        """
        document = read_path(filename)
        document.assets = dict(assets or {})
        return compile(document, cls)

    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load a model from MJCF text; assets: contents of the files that it names. Raises MjcfError as from_xml_path."""
        return compile(read_string(xml, assets), cls)
