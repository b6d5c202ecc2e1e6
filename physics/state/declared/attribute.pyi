"""What a field is to whoever reads or writes it in Python: an array that is written in place, or a number."""

from typing import Generic, SupportsFloat, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T", bound=np.generic)

class Array(Generic[T]):
    """Read as the array itself; what is assigned is copied into it, so it may be all that broadcasts to its shape."""

    def __get__(self, owner: object, kind: type | None = None) -> NDArray[T]: ...
    def __set__(self, owner: object, value: ArrayLike) -> None: ...

class Integer:
    """A scalar of dtype i8."""

    def __get__(self, owner: object, kind: type | None = None) -> int: ...
    def __set__(self, owner: object, value: SupportsIndex | np.bool_) -> None: ...

class Real:
    """A scalar of dtype f8."""

    def __get__(self, owner: object, kind: type | None = None) -> float: ...
    def __set__(self, owner: object, value: SupportsFloat) -> None: ...
