"""Places in the text of an MJCF file at which elements are added."""

from __future__ import annotations

import re

from tumble.app.editing.attribute_text import PatchError

_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


def without_comments(data: bytes) -> bytes:
    """The text with blanks in place of comments, so that places stay as they are."""
    return _COMMENT.sub(lambda found: b" " * len(found[0]), data)


def before_end_tag(data: bytes, plain: bytes, at: int, file: str, what: str) -> int:
    """Start of the line with an end tag, if it is alone on it; else of the tag.

    plain: `without_comments`; at: of the tag, negative if missing: raises PatchError; what: is to be put there.
    """
    if at < 0:
        raise PatchError(f"{file} has no end tag to put {what} before")
    begin = plain.rfind(b"\n", 0, at) + 1
    return at if plain[begin:at].strip() or data[begin:at].strip() else begin
