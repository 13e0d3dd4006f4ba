"""The compiled part. Users have the functions and classes of `pdbfw`; these take arrays of one exact type each."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

version: str

_Numbers = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Factors = tuple[_Numbers, _Numbers, _Numbers]
_Options = Mapping[str, Any]
_Callback = Callable[[dict[str, Any]], bool | None] | None

class InputError(ValueError): ...

class Matrix:
    @staticmethod
    def csr(rows: int, columns: int, offsets: NDArray, indices: NDArray, values: NDArray) -> Matrix: ...
    @staticmethod
    def csc(rows: int, columns: int, offsets: NDArray, indices: NDArray, values: NDArray) -> Matrix: ...
    @staticmethod
    def dense_rows(values: NDArray) -> Matrix: ...
    @staticmethod
    def dense_columns(values: NDArray) -> Matrix: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def nonzeros(self) -> int: ...
    def times(self, x: _Numbers, threads: int = 1) -> _Numbers: ...

class RandomBinning:
    gamma: float
    @property
    def features(self) -> int: ...
    @staticmethod
    def learn(
        A: Matrix, grids: int, gamma: float | None, features: int | None, scale: bool, seed: int, threads: int
    ) -> RandomBinning: ...
    def apply(self, A: Matrix, threads: int = 1) -> tuple[NDArray, NDArray, NDArray]: ...

class RandomFourier:
    gamma: float
    features: int
    @staticmethod
    def learn(
        A: Matrix, kernel: str, features: int, gamma: float | None, scale: bool, seed: int
    ) -> RandomFourier: ...
    def apply(self, A: Matrix, threads: int = 1) -> NDArray: ...

def losses() -> list[str]: ...
def low_rank_losses() -> list[str]: ...
def solvers() -> list[dict[str, Any]]: ...
def low_rank_solvers() -> list[dict[str, Any]]: ...
def options() -> dict[str, dict[str, str]]: ...
def solve(
    A: Matrix, b: _Numbers, options: _Options, *, sample_weight: _Numbers | None = None,
    ridge_scale: _Numbers | None = None, atoms: Matrix | None = None, callback: _Callback = None,
    x: _Numbers | None = None, y: _Numbers | None = None, multiplier: float = 0.0,
) -> dict[str, Any]: ...
def solve_path(
    A: Matrix, b: _Numbers, radii: _Numbers, options: _Options, *,
    sample_weight: _Numbers | None = None, ridge_scale: _Numbers | None = None, callback: _Callback = None,
) -> list[tuple[float, dict[str, Any]]]: ...
def solve_penalised(
    A: Matrix, b: _Numbers, alpha: float, options: _Options, *,
    sample_weight: _Numbers | None = None, ridge_scale: _Numbers | None = None, callback: _Callback = None,
) -> tuple[float, dict[str, Any], dict[str, float]]: ...
def certify(
    A: Matrix, b: _Numbers, x: _Numbers, y: _Numbers | None, options: _Options, *,
    sample_weight: _Numbers | None = None, ridge_scale: _Numbers | None = None, atoms: Matrix | None = None,
) -> dict[str, float]: ...
def cross_validate(
    A: Matrix, b: _Numbers, options: _Options, *, radii: _Numbers | None = None, score: str, folds: int,
    groups: _Integers | None = None, sample_weight: _Numbers | None = None, callback: _Callback = None,
) -> dict[str, Any]: ...
def solve_low_rank(
    A: Matrix, B: _Numbers, outputs: int, options: _Options, *, callback: _Callback = None,
    X: _Factors | None = None, Y: _Numbers | None = None,
) -> dict[str, Any]: ...
def certify_low_rank(
    A: Matrix, B: _Numbers, outputs: int, X: _Factors, Y: _Numbers | None, options: _Options
) -> dict[str, float]: ...
def complete(
    rows: int, columns: int, row: _Integers, column: _Integers, value: _Numbers, options: _Options, *,
    radius: float | None, means: str, holdout: float, callback: _Callback = None,
) -> dict[str, Any]: ...
def retrieve_phase(
    a: NDArray[np.complex128], b: _Numbers, options: _Options, *, radius: float | None, is_complex: bool,
    callback: _Callback = None,
) -> dict[str, Any]: ...
