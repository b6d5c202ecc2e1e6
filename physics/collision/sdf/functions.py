"""The signed distance functions that geoms of type sdf may have, by the name that `<plugin plugin="...">` gives.

A function takes a point in the geom's frame, a tuple of three numbers [m], and its attributes, an array in the order of their
declaration. It returns the signed distance [m] from the point to the surface, negative inside; where that is costly, a number
with its sign and zeros whose slope is about 1 near the surface.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

from tumble.physics.callback.compiled import CompiledCallback
from tumble.physics.callback.table import RAISED, as_number
from tumble.physics.collision.sdf.call import sample
from tumble.physics.errors import ArgumentError, MisfitError, ModelError, quoted
from tumble.physics.kernel import Compiled, Kernel
from tumble.physics.kernel.function import EXACT, FLOAT, INT
from tumble.physics.state.block import BY_ADDRESS
from tumble.physics.state.constants import mjMAXPLUGINPRM
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtPluginCapabilityBit
from tumble.physics.state.memory import f8_at
from tumble.physics.state.plugins import require_known

Bounds = Callable[[np.ndarray], "tuple[float, float, float]"]
Check = Callable[[np.ndarray], str]

# What kernels pass: address of the data (0: none), address of the attributes, the point.
_ARGUMENTS = (INT, INT, FLOAT, FLOAT, FLOAT)
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_double] * 3)
_numbers = count()


class SdfFunction:
    """A signed distance function. name: as models have it; defaults: its attributes, in order, where a model does not say."""

    capability = mjtPluginCapabilityBit.mjPLUGIN_SDF

    def __init__(
        self, name: str, distance: Callable[..., Any], defaults: Mapping[str, float], bounds: Bounds, check: Check | None = None
    ) -> None:
        """distance: a kernel, a compiled callback or a Python function of point and attributes.

        bounds: of the attributes, half the sides of a box around the geom's origin that holds the surface [m]; check: of the
        attributes, what is wrong with them, "" for nothing. Raises TypeError for what cannot be called, ModelError for too
        many attributes.
        """
        if not callable(distance):
            raise ArgumentError(f"a signed distance function takes a point and attributes; {quoted(distance)} cannot be called")
        if len(defaults) > mjMAXPLUGINPRM:
            raise ModelError(f"{name} has {len(defaults)} attributes; at most {mjMAXPLUGINPRM} are possible")
        self.name = name
        self.distance = distance
        self.defaults = {key: float(value) for key, value in defaults.items()}
        self._bounds = bounds
        self._check = check
        self._error: BaseException | None = None
        self.part = self._compiled()

    def _compiled(self) -> Compiled | None:
        """Compiled form; None for a Python function."""
        made = self.distance
        if not isinstance(made, Kernel | CompiledCallback):
            return None
        leaf = made if isinstance(made, Kernel) else Kernel(made.function, EXACT)

        def distance(d, attributes, x, y, z):
            return leaf((x, y, z), f8_at(attributes, mjMAXPLUGINPRM))

        distance.__module__, distance.__name__ = leaf.function.__module__, leaf.function.__name__
        part = Compiled(distance, _ARGUMENTS, FLOAT)
        if isinstance(made, CompiledCallback):
            part.key = f"{part.key}_sdf_{next(_numbers)}"  # notebooks define a function of the same name again and again
        return part

    @cached_property
    def _python(self) -> Any:
        """The C function that calls a Python function."""
        return _PROTOTYPE(self._call)

    @property
    def address(self) -> int:
        """The function pointer that kernels call; the first read compiles. Raises ModelError if that fails."""
        if self.part is None:
            return ctypes.cast(self._python, ctypes.c_void_p).value or 0
        try:
            return self.part.address
        except ModelError:
            raise
        except Exception as error:  # numba's errors have no common root that could be imported where it is missing
            raise ModelError(f"the signed distance function {self.name} cannot be compiled: {error}") from error

    def _call(self, d_at: int, attributes: int, x: float, y: float, z: float) -> float:
        """Run the Python function where kernels ask; what it raises stops the pipeline, or comes out of `sample`."""
        d = BY_ADDRESS.get(d_at)
        if (d.raised if isinstance(d, Data) else self._error) is not None:
            return 0.0
        try:
            values = np.ctypeslib.as_array((ctypes.c_double * mjMAXPLUGINPRM).from_address(attributes))
            return as_number(self.name, self.distance((x, y, z), values))
        except BaseException as error:  # noqa: BLE001  # an interrupt too: the caller of mj_step gets it
            if isinstance(d, Data):
                d.raised, d.failed = error, RAISED
            else:
                self._error = error
            return 0.0

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of its attributes, in order."""
        return tuple(self.defaults)

    def values(self, given: Mapping[str, str]) -> np.ndarray:
        """The attributes (mjMAXPLUGINPRM,) from the texts of a model, zeros after the last.

        Raises ValueError that says what is wrong, with the valid names.
        """
        result = np.zeros(mjMAXPLUGINPRM)
        require_known(self.name, given, self.defaults)
        for i, (key, default) in enumerate(self.defaults.items()):
            text = given.get(key, "").strip()
            try:
                result[i] = float(text) if text else default
            except ValueError:
                raise MisfitError(f'{self.name}: {key}="{text}" is not a number') from None
        if not np.isfinite(result).all():
            raise MisfitError(f"{self.name}: the attributes must be finite numbers")
        wrong = self._check(result) if self._check else ""
        if wrong:
            raise MisfitError(f"{self.name}: {wrong}")
        return result

    def bounds(self, values: np.ndarray) -> np.ndarray:
        """Half the sides (3,) [m] of a box around the geom's origin that holds the surface. values: the attributes."""
        half = np.array(self._bounds(values), float)
        if half.shape != (3,) or not (np.isfinite(half) & (half > 0)).all():
            raise MisfitError(f"{self.name}: its bounds must be three positive numbers, are {half}")
        return half

    def sample(self, points: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Signed distances (n,) [m] of points (n, 3) in the geom's frame. values: the attributes (mjMAXPLUGINPRM,).

        Raises what a user's function raises.
        """
        points = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        attributes = np.zeros(mjMAXPLUGINPRM)
        attributes[: len(values)] = values
        out = np.empty(len(points))
        run = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 5)(sample.address)
        run(self.address, attributes.ctypes.data, points.ctypes.data, len(points), out.ctypes.data)
        error, self._error = self._error, None
        if error is not None:
            raise error
        return out
