"""Gives a program our namespace where it imports the package mujoco, whether that is installed or not."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType

from tumble.physics.mjcf.spec import PlacedError

_OURS = __package__
_THEIRS = "mujoco"
# What the package has in Python, under its own licence, on top of the engine: it is taken from where it is installed.
_BORROWED = ("introspect", "mjx", "sysid", "usd")
_ALIASES = [f"{_OURS}.{name}" for name in _BORROWED]
CHILDREN = Path(__file__).with_name("children")  # where child processes find `mujoco`


class _Loader(Loader):
    """Loads `mujoco.x` as the module `tumble.mujoco.x` itself: a name has one module, under whichever name it is imported."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(_ours(spec.name))
        self._spec = module.__spec__
        return module

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code, for who runs it as a program: `python -m mujoco.viewer`."""
        found = find_spec(_ours(fullname))
        code: CodeType | None = getattr(found and found.loader, "get_code", lambda name: None)(_ours(fullname))
        return code

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # it keeps its own: it was loaded under its own name


class _Borrowed(SourceFileLoader):
    """Loads `mujoco.mjx` from where it is installed, as `tumble.mujoco.mjx` too: imports ask for a part by its package's name."""

    def exec_module(self, module: ModuleType) -> None:
        alias = _ours(module.__name__)
        sys.modules[alias] = module
        try:
            super().exec_module(module)
        except BaseException:
            del sys.modules[alias]
            raise


class _Alias(Loader):
    """Loads `tumble.mujoco.mjx`, by `from mujoco import mjx`, as the module `mujoco.mjx`."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(_THEIRS + spec.name.removeprefix(str(_OURS)))
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


class _Finder(MetaPathFinder):
    """Finds `mujoco` and what is in it, some of it where the package is installed; what is not there either is missing."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname in _ALIASES:
            return ModuleSpec(fullname, _Alias())
        if fullname != _THEIRS and not fullname.startswith(f"{_THEIRS}."):
            return None
        first, _, inner = fullname.removeprefix(f"{_THEIRS}.").partition(".")
        if first in _BORROWED:  # what is in it is found by its own path
            return None if inner else _borrow(fullname)
        found = find_spec(_ours(fullname))
        return found and ModuleSpec(fullname, _Loader(), is_package=found.submodule_search_locations is not None)


def _ours(name: str) -> str:
    return _OURS + name.removeprefix(_THEIRS)


def _borrow(name: str) -> ModuleSpec | None:
    """Spec of a part of the installed package mujoco, None if it is missing."""
    found = PathFinder.find_spec(name, [os.path.join(folder, _THEIRS) for folder in sys.path])
    if found is not None and isinstance(found.loader, SourceFileLoader):
        found.loader = _Borrowed(found.loader.name, found.loader.path)
    return found


def install() -> None:
    """From now on `import mujoco` gives our namespace; raises ImportError if the package itself was imported before."""
    known = sys.modules.get(_THEIRS)
    if known is not None and known.__name__ != _OURS:
        raise ImportError(f"the package {_THEIRS} is imported already, from {known.__file__}")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    PlacedError.names_line = True


def install_for_children() -> None:
    """The same for every Python process that this one starts from now on: by the path on which they look for modules."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(CHILDREN), *([before] if before else [])])
    if str(CHILDREN) not in sys.path:
        sys.path.insert(1, str(CHILDREN))  # multiprocessing hands this path on: in front of an installed package
