"""Shader programs from the files in resources/shaders: includes, variants by `#define`, and a cache that owns them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import moderngl
import numpy as np

from tumble import ROOT

_FOLDER = ROOT / "tumble" / "resources" / "shaders"
_INCLUDE = re.compile(r'^#include "([\w.]+)"\s*$', re.MULTILINE)


class ShaderError(Exception):
    """A shader that does not compile or link: its name, its defines and the driver's words."""


@cache
def source(name: str) -> str:
    """The text of a shader file with its includes in place; FileNotFoundError if missing."""
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda match: source(match.group(1)), text)


def names() -> list[str]:
    """The programs there are: every name with a vertex and a fragment file."""
    files = {entry.name for entry in _FOLDER.iterdir()}
    vertex = {name.removesuffix(".vert.glsl") for name in files if name.endswith(".vert.glsl")}
    return sorted(name for name in vertex if f"{name}.frag.glsl" in files)


# Programs kept when another model is shown: what two or three models need. Each takes megabytes where the processor draws.
MOST_KEPT = 24


class Shaders:
    """Programs by name and defines, compiled when first used. The uniform block `Frame` is bound to point 0."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._programs: dict[tuple[str, tuple[tuple[str, int], ...]], moderngl.Program] = {}
        self._corners = ctx.buffer(np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes())
        self._covers: dict[int, moderngl.VertexArray] = {}  # by program

    def get(self, name: str, **defines: int) -> moderngl.Program:
        """The program `name` with `#define KEY value` for each keyword; ShaderError when the driver refuses it."""
        key = (name, tuple(sorted(defines.items())))
        program = self._programs.pop(key, None)
        if program is None:
            program = self._compile(name, key[1])
        self._programs[key] = program  # the one used last comes last
        return program

    def trim(self) -> None:
        """Release all but the MOST_KEPT that were used last. No vertex array made for a program may outlive it: the driver gives
        its name to another."""
        for key in list(self._programs)[:-MOST_KEPT]:
            self._release(self._programs.pop(key))

    def cover(self, program: moderngl.Program) -> None:
        """Draw one triangle over the whole picture: each of its pixels once. Its corners are the program's in_corner."""
        if program.glo not in self._covers:
            self._covers[program.glo] = self._ctx.vertex_array(program, [(self._corners, "2f", "in_corner")])
        self._covers[program.glo].render()

    def _compile(self, name: str, defines: tuple[tuple[str, int], ...]) -> moderngl.Program:
        head = "#version 330 core\n" + "".join(f"#define {key} {value}\n" for key, value in defines)
        try:
            program = self._ctx.program(head + source(f"{name}.vert.glsl"), fragment_shader=head + source(f"{name}.frag.glsl"))
        except moderngl.Error as error:
            raise ShaderError(f"{name} {dict(defines)}: {error}") from error
        for member in program:
            block: Any = program[member]
            if isinstance(block, moderngl.UniformBlock) and member == "Frame":
                block.binding = 0
        for sampler, unit in UNITS.items():
            if sampler in program:
                program[sampler] = unit
        return program

    def _release(self, program: moderngl.Program) -> None:
        if program.glo in self._covers:
            self._covers.pop(program.glo).release()
        program.release()

    def release(self) -> None:
        """Release every program."""
        for program in self._programs.values():
            self._release(program)
        self._programs.clear()
        self._corners.release()


# One texture unit a sampler, the same in every program.
UNITS = {
    "u_texture2d": 0,
    "u_texturecube": 1,
    "u_shadow": 2,
    "u_reflection": 3,
    "u_sky": 4,
    "u_weights": 5,
    "u_bones": 6,
    "u_opacity": 7,
    "u_emissive": 8,
    "u_occlusion": 9,
    "u_heat": 10,
    "u_depth": 11,
    "u_open": 12,
    "u_blockers": 13,
}
