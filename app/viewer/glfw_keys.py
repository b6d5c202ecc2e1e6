"""Keys by their numbers in GLFW, which programs for the package mujoco expect; names and numbers are those of GLFW's manual."""

from __future__ import annotations

from PyQt6.QtCore import Qt

_K = Qt.Key
_NAMED = {
    _K.Key_Escape: 256, _K.Key_Return: 257, _K.Key_Tab: 258, _K.Key_Backtab: 258, _K.Key_Backspace: 259, _K.Key_Insert: 260,
    _K.Key_Delete: 261, _K.Key_Right: 262, _K.Key_Left: 263, _K.Key_Down: 264, _K.Key_Up: 265, _K.Key_PageUp: 266,
    _K.Key_PageDown: 267, _K.Key_Home: 268, _K.Key_End: 269, _K.Key_CapsLock: 280, _K.Key_ScrollLock: 281, _K.Key_NumLock: 282,
    _K.Key_Print: 283, _K.Key_Pause: 284, _K.Key_Enter: 335, _K.Key_Shift: 340, _K.Key_Control: 341, _K.Key_Alt: 342,
    _K.Key_Meta: 343, _K.Key_Menu: 348,
}  # fmt: skip
# A key has the code of its character without Shift, on a US keyboard.
_SHIFTED = dict(zip('!@#$%^&*()_+{}|:"<>?~', "1234567890-=[]\\;',./`", strict=True))
_F1, _F25 = int(_K.Key_F1), int(_K.Key_F1) + 24
_KEYPAD = 320  # the number of its zero
_KEYPAD_SIGNS = {".": 330, "/": 331, "*": 332, "-": 333, "+": 334, "=": 336}


def glfw_key(key: int, *, keypad: bool = False) -> int:
    """The number of a key of Qt's; -1: GLFW has none for it."""
    if key in _NAMED:
        return _NAMED[Qt.Key(key)]
    if _F1 <= key <= _F25:
        return 290 + key - _F1
    if not 32 <= key <= 126:
        return -1
    letter = chr(key)
    if keypad and letter.isdecimal():
        return _KEYPAD + int(letter)
    if keypad and letter in _KEYPAD_SIGNS:
        return _KEYPAD_SIGNS[letter]
    return ord(_SHIFTED.get(letter, letter))
