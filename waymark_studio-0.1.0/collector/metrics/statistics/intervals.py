"""Wilson's score interval of a rate (Wilson 1927)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


def wilson_intervals(
    hits: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper ends of 95 % for ``hits`` of ``counts``, each 0 to 1; nan where a count is 0."""
    z = Z_95
    with np.errstate(divide="ignore", invalid="ignore"):
        share = hits / counts
        weight = z * z / counts
        centre = (share + weight / 2) / (1 + weight)
        half = z / (1 + weight) * np.sqrt(share * (1 - share) / counts + weight / (4 * counts))
        low, high = centre - half, centre + half
    # No hit and no miss are exact ends, which rounding would leave beside 0 and 1.
    low = np.where(hits == 0, 0.0, np.maximum(low, 0.0))
    high = np.where(hits == counts, 1.0, np.minimum(high, 1.0))
    nothing = counts == 0
    return np.where(nothing, np.nan, low), np.where(nothing, np.nan, high)
