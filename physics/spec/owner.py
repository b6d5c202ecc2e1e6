"""Types of what an element of a spec refers to above itself: the modules of the elements come before those of the spec."""

from __future__ import annotations

from typing import Any, TypeAlias

Owner: TypeAlias = Any  # an MjSpec
Holder: TypeAlias = Any  # an MjsBody or MjsFrame that holds elements
DefaultClass: TypeAlias = Any  # an MjsDefault
