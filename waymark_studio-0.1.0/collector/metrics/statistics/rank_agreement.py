"""How far two rankings of the same things agree: Kendall's tau-b and Spearman's rho, both with ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """1 when both rank alike, -1 when one is the other reversed; None where one ties everything."""

    count: int
    """Things that both rank."""
    kendall: float | None
    spearman: float | None


def rank_agreement(first: Floats, second: Floats) -> RankAgreement:
    """The agreement of two lists of values, each of the same things in the same order; nan is left out.

    Raises ValueError when the lists differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values are not on the same things")
    known = ~(np.isnan(first) | np.isnan(second))
    first, second = first[known], second[known]
    return RankAgreement(len(first), _kendall(first, second), _spearman(first, second))


def ranks(values: Floats) -> Floats:
    """The rank of each value, the greatest first from 1; equal values share the mean of their ranks."""
    _unique, of, counts = np.unique(-values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[of]


def _kendall(first: Floats, second: Floats) -> float | None:
    signs = np.sign(first[:, None] - first[None, :]) * np.sign(second[:, None] - second[None, :])
    untied = np.count_nonzero(first[:, None] != first), np.count_nonzero(second[:, None] != second)
    if not untied[0] or not untied[1]:
        return None
    return float(signs.sum() / np.sqrt(float(untied[0]) * float(untied[1])))


def _spearman(first: Floats, second: Floats) -> float | None:
    """Pearson's correlation of the ranks."""
    if len(np.unique(first)) < 2 or len(np.unique(second)) < 2:
        return None
    x, y = ranks(first), ranks(second)
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))
