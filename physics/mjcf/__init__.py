"""MJCF: text -> elements with values, places and defaults. The compiler makes a model of them."""

from physics.mjcf.document import Document
from physics.mjcf.reader import read_path, read_string
from physics.mjcf.references import check_references, collect_names
from physics.mjcf.spec import Element, Where

__all__ = ["Document", "Element", "Where", "check_references", "collect_names", "read_path", "read_string"]
