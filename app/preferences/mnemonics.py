"""Mnemonic letters of menu entries: declared ones stay, the others get a free letter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PyQt6.QtWidgets import QMenu, QMenuBar

from tumble.app.look.actions import plain


def assign(menu: QMenu | QMenuBar) -> None:
    """Mark a letter in every entry, at any depth; of two entries with the same letter the second gets another."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    texts = marked(tuple(action.text() for action in entries))
    for action, text in zip(entries, texts, strict=True):
        sub, tip = action.menu(), action.toolTip()
        if sub is not None:
            sub.setTitle(text)
            assign(sub)
        elif text != action.text():
            action.setText(text)
            action.setToolTip(tip)


def letter(text: str) -> str:
    """The letter that is marked, in lower case; "" for none."""
    at = text.replace("&&", "  ").find("&")
    return text[at + 1 : at + 2].lower() if at >= 0 else ""


@lru_cache(maxsize=128)
def marked(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The texts with a letter marked in each, all different; those that are declared stay where letters suffice for all."""
    chosen = _matching(texts, keep=True)
    if len(chosen) < len(texts):
        chosen = max(chosen, _matching(texts, keep=False), key=len)
    result = [plain(text).replace("&", "&&") for text in texts]
    for k, sign in chosen.items():
        result[k] = _mark(plain(texts[k]), sign)
    return tuple(result)


def _matching(texts: Sequence[str], *, keep: bool) -> dict[int, str]:
    """A letter for as many texts as possible, by augmenting paths (Kuhn 1955); keep: a declared one is the text's only choice."""
    declared = [letter(text) for text in texts]
    choices = []
    for k, text in enumerate(texts):
        signs = [sign for sign in _signs(plain(text)) if not (keep and sign in declared)]
        first = declared[k] and declared[k] not in declared[:k]
        choices.append([declared[k]] if first and keep else [declared[k], *signs] if first else signs)
    owner: dict[str, int] = {}

    def give(k: int, tried: set[str]) -> bool:
        for sign in choices[k]:
            if sign not in tried:
                tried.add(sign)
                if sign not in owner or give(owner[sign], tried):
                    owner[sign] = k
                    return True
        return False

    for k in range(len(texts)):
        give(k, set())
    return {k: sign for sign, k in owner.items()}


def _signs(text: str) -> list[str]:
    """Letters and digits of a text in lower case, those first that begin a word."""
    starts = [sign for k, sign in enumerate(text) if k == 0 or not text[k - 1].isalnum()]
    return list(dict.fromkeys(sign.lower() for sign in (*starts, *text) if sign.isalnum()))


def _mark(text: str, sign: str) -> str:
    """Mark a letter, where it begins a word if it does."""
    places = [k for k, other in enumerate(text) if other.lower() == sign]
    at = next((k for k in places if k == 0 or not text[k - 1].isalnum()), places[0])
    return text[:at].replace("&", "&&") + "&" + text[at:].replace("&", "&&")
