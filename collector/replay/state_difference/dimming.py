"""Find out whether one screenshot is the other one dimmed, as a screen is behind a dialog."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Grey values, height x width."""
_DARKEST, _LEAST_DIMMING = 0.2, 0.94
"""Scrims take away from a sixteenth to four fifths of the light."""
_DARK = 30
"""Grey values below this say nothing of a factor."""
_BINS, _SAMPLES = 81, 200_000
_LEAST_SHARE = 0.25
"""Share of the pixels that must have the same factor."""
_EDGE = 12
"""Difference of neighbouring grey values that makes an edge."""
_LEAST_EDGES = 0.3
"""Share of the edges that must be in both: a white page and a grey one are not the same page dimmed."""


@dataclass(frozen=True, eq=False, slots=True)
class DimmedPictures:
    """Two pictures of which the brighter was dimmed as the other is."""

    first: Picture
    second: Picture
    brightness: float
    """How bright the second was beside the first."""


def dimmed_alike(first: Picture, second: Picture, compared: NDArray[np.bool_]) -> DimmedPictures | None:
    """Dim the brighter of two pictures of one size as the other is; None when neither is dimmed."""
    step = max(1, first.size // _SAMPLES)
    sampled = np.flatnonzero(compared)[::step]
    own, other = (picture.reshape(-1)[sampled].astype(np.float32) for picture in (first, second))
    brightness = _common_factor(own, other)
    if brightness is None:
        return None
    if brightness < 1:
        return DimmedPictures(_scaled(first, brightness), second, brightness)
    return DimmedPictures(first, _scaled(second, 1 / brightness), brightness)


def shares_edges(pictures: DimmedPictures, compared: NDArray[np.bool_]) -> bool:
    """Whether enough of what is drawn in one of two pictures is drawn in the other, too."""
    first, second = _edges(pictures.first) & compared, _edges(pictures.second) & compared
    shared = int(np.count_nonzero(first & second))
    return shared > _LEAST_EDGES * max(int(np.count_nonzero(first)), int(np.count_nonzero(second)))


def _edges(picture: Picture) -> NDArray[np.bool_]:
    kernel = np.ones((3, 3), np.uint8)
    edges: NDArray[np.bool_] = cv2.subtract(cv2.dilate(picture, kernel), cv2.erode(picture, kernel)) > _EDGE
    return edges


def _common_factor(own: NDArray[np.float32], other: NDArray[np.float32]) -> float | None:
    """The factor from most grey values to those at the same places; None for none, or one too near to 1."""
    said = np.maximum(own, other) >= _DARK
    if not said.any():
        return None
    own, other = own[said], other[said]
    factors = np.log(np.maximum(other, 1) / np.maximum(own, 1))
    limit = -np.log(_DARKEST)
    counts, edges = np.histogram(factors, bins=_BINS, range=(-limit, limit))
    peak = int(counts.argmax())
    alike = (factors >= edges[max(0, peak - 1)]) & (factors <= edges[min(_BINS, peak + 2)])
    factor = float(np.exp(np.median(factors[alike]))) if alike.any() else 1.0
    is_dimmed = factor < _LEAST_DIMMING or factor > 1 / _LEAST_DIMMING
    return factor if is_dimmed and alike.mean() >= _LEAST_SHARE else None


def _scaled(picture: Picture, factor: float) -> Picture:
    return (picture * factor + 0.5).astype(np.uint8)
