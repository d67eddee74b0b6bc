"""Where two screenshots differ, tolerant of what no person would call a difference.

Edges that moved by a pixel, as other fonts and scalers draw them, are none; content that was scrolled is
compared where it went, and the shift is named. A screen that is dimmed behind a dialog is compared as bright
as the other, and the dimming is named. Bars that are ignored never differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Rect, Size
from collector.pictures.decoding import at_most, grey_pixels
from collector.pictures.formats import read_picture_file
from collector.pictures.limits import LARGE

_REDUCTION = at_most(LARGE)
"""The comparison takes some forty bytes for each pixel."""
_TOLERANCE, _TOLERANCE_OF_SIZES = 24, 40
"""Grey values that differ by less are the same; the second where the pictures have two sizes."""
_COARSE = 3
"""Pictures of two sizes are compared so much smaller than the smaller: each size draws text anew."""
_MOST_REGIONS = 50
_WIDE = 0.25
"""Share of differing pixels from which it is asked whether one of the pictures is dimmed."""
_SMALLEST, _LEAST_PIXELS, _LEAST_PIXELS_OF_SIZES = 1e-5, 4, 9
"""Regions of a smaller share, or of fewer pixels, are noise; the last number is for pictures of two sizes."""
_STATUS_BAR = 0.04
"""Height of the status bar as a share of the screen, where nothing better is known."""
_LEAST_SHIFT = 3
_CANDIDATES = 5
_BANDS = 6
"""The screen is cut into so many bands; each is looked for in the other picture."""
_LEAST_CONTRAST = 2.0
_LEAST_MATCH, _BETTER_MATCH = 0.8, 0.1
"""Correlation of a band with its place in the other picture, and how much better than where it was."""
_STILL_SHARE = 0.5
"""More bands than this share of those that stand still must have moved for a scroll."""
_BETTER = 0.6
"""A shift, or a dimming, is taken when it leaves at most this share of what differs without it."""


@dataclass(frozen=True, eq=False)
class PictureDifference:
    """The difference of two screenshots, in pixels of the first."""

    share: float
    """Differing pixels of those that were compared, 0 to 1."""
    regions: tuple[Rect, ...]
    """Rectangles around what differs, the largest first."""
    shift: tuple[int, int]
    """How far the content went to the right and down before it was compared; (0, 0) where it did not."""
    mask: NDArray[np.bool_]
    """What differs, height x width; of a large picture with one pixel for each few of it."""
    size: Size
    brightness: float = 1.0
    """How bright the second picture is beside the first, where one of them is dimmed; else 1."""


def compare_pictures(
    before: bytes, after: bytes, bars: Sequence[Rect] | None = None, clocks: Sequence[Rect] = ()
) -> PictureDifference:
    """Compare two screenshots in any format that can be decoded. Raises PictureError.

    ``bars`` and ``clocks`` are rectangles of the first picture that are left out; where its status bar is not
    known, the height of one is. Large pictures are reduced; pictures of two sizes are compared coarsely, as
    shares of the screen.
    """
    size = read_picture_file(before).size
    first = grey_pixels(before, _REDUCTION)
    if before == after:
        return PictureDifference(0.0, (), (0, 0), np.zeros(first.shape, bool), size)
    second = grey_pixels(after, _REDUCTION)
    tolerance, least = _TOLERANCE, _LEAST_PIXELS
    if second.shape != first.shape:
        first, second = _of_one_size(first, second)
        tolerance, least = _TOLERANCE_OF_SIZES, _LEAST_PIXELS_OF_SIZES
    height, width = first.shape
    factor = size.width / width
    compared = np.ones(first.shape, bool)
    usual = [Rect(0, 0, width, round(height * _STATUS_BAR))]
    for rect in (*(usual if bars is None else _reduced(bars, factor)), *_reduced(clocks, factor)):
        compared[max(0, rect.top) : max(0, rect.bottom), max(0, rect.left) : max(0, rect.right)] = False
    plain = _differing(first, second, tolerance) & compared
    brightness = 1.0
    dimmed = dimmed_alike(first, second, compared) if plain.mean() > _WIDE else None
    if dimmed is not None:
        # What is as bright as before lies over the dimmed screen: a white dialog on a white page.
        remaining = compared & _differing(dimmed.first, dimmed.second, tolerance)
        is_better = np.count_nonzero(remaining) <= _BETTER * np.count_nonzero(plain)
        if is_better and shares_edges(dimmed, compared):
            first, second, plain, brightness = dimmed.first, dimmed.second, remaining, dimmed.brightness
    mask, shift = _best_mask(first, second, compared, plain, tolerance)
    share = float(mask.sum()) / max(1.0, float(compared.sum()))
    regions = tuple(_enlarged(region, factor) for region in _regions(mask, least))
    return PictureDifference(share, regions, (0, round(factor * shift)), mask, size, brightness)


def _of_one_size(first: Picture, second: Picture) -> tuple[Picture, Picture]:
    """Both pictures in the shape of the first, a third as wide as the smaller."""
    height, width = first.shape
    across = max(1, min(width, second.shape[1]) // _COARSE)
    shape = (across, max(1, round(across * height / width)))
    one, other = (cv2.resize(picture, shape, interpolation=cv2.INTER_AREA) for picture in (first, second))
    return one.astype(np.uint8), other.astype(np.uint8)


def _reduced(rects: Sequence[Rect], factor: float) -> list[Rect]:
    """Rectangles of a picture, over the pixels of the reduced one that they touch."""
    return [
        Rect(
            math.floor(rect.left / factor),
            math.floor(rect.top / factor),
            math.ceil(rect.right / factor),
            math.ceil(rect.bottom / factor),
        )
        for rect in rects
    ]


def _enlarged(rect: Rect, factor: float) -> Rect:
    edges = (rect.left, rect.top, rect.right, rect.bottom)
    return Rect(*(round(factor * edge) for edge in edges))


def _best_mask(
    first: Picture, second: Picture, compared: NDArray[np.bool_], plain: NDArray[np.bool_], tolerance: int
) -> tuple[NDArray[np.bool_], int]:
    """What differs in place or, when much less does so, after the content was scrolled back so far."""
    best, shift = plain, 0
    for candidate in _likely_shifts(first, second, compared) if plain.any() else ():
        scrolled = plain & _differing_scrolled(first, second, candidate, tolerance)
        if np.count_nonzero(scrolled) < np.count_nonzero(best):
            best, shift = scrolled, candidate
    if np.count_nonzero(best) > _BETTER * np.count_nonzero(plain):
        return plain, 0
    return best, shift


def _differing_scrolled(first: Picture, second: Picture, shift: int, tolerance: int) -> NDArray[np.bool_]:
    """What is not where the scroll took it, and what did not come from where the scroll brought it from.

    Rows from outside have no counterpart. Both ways are asked: a plain dialog is like a plain part of the
    screen elsewhere, but what it shows did not come from there.
    """
    went = _differing(first, np.roll(second, -shift, axis=0), tolerance) | _outside(first, shift)
    came = _differing(second, np.roll(first, shift, axis=0), tolerance) | _outside(first, -shift)
    return went | came


def _outside(picture: Picture, shift: int) -> NDArray[np.bool_]:
    rows = np.arange(picture.shape[0]) + shift
    outside: NDArray[np.bool_] = ((rows < 0) | (rows >= picture.shape[0]))[:, None]
    return outside


def _differing(first: Picture, second: Picture, tolerance: int) -> NDArray[np.bool_]:
    """Pixels beyond the range of the other picture's neighbours, whichever picture is asked."""
    return _beyond(first, second, tolerance) | _beyond(second, first, tolerance)


def _beyond(first: Picture, second: Picture, tolerance: int) -> NDArray[np.bool_]:
    kernel = np.ones((3, 3), np.uint8)
    low = cv2.subtract(cv2.erode(second, kernel), np.full_like(second, tolerance))
    high = cv2.add(cv2.dilate(second, kernel), np.full_like(second, tolerance))
    beyond: NDArray[np.bool_] = (first < low) | (first > high)
    return beyond


def _likely_shifts(first: Picture, second: Picture, compared: NDArray[np.bool_]) -> list[int]:
    """How many rows the content of the second picture may stand lower, the likeliest first.

    Rows of a list look alike, so the best match may be a row off: several are tried.
    """
    scale = max(1, first.shape[1] // 90)
    own, other = (_narrowed(picture, compared, scale) for picture in (first, second))
    found: dict[int, float] = {}
    moved, still = 0, 0
    height = max(1, own.shape[0] // _BANDS)
    for top in range(0, own.shape[0] - height + 1, height):
        band = own[top : top + height]
        if float(band.std()) < _LEAST_CONTRAST:
            continue
        scores = cv2.matchTemplate(other, band, cv2.TM_CCOEFF_NORMED)[:, 0]
        # A dialog over the content matches nowhere well; scrolled content does, and better than in place.
        place = int(scores.argmax())
        if scores[place] >= max(_LEAST_MATCH, float(scores[top]) + _BETTER_MATCH):
            found[place - top] = found.get(place - top, 0.0) + float(scores[place])
            moved += 1
        elif scores[top] >= _LEAST_MATCH:
            still += 1
    if moved <= _STILL_SHARE * still:  # rows under a dialog resemble others, while most stand where they were
        return []
    likely = sorted(found, key=lambda shift: -found[shift])
    return [shift for shift in likely if abs(shift) >= _LEAST_SHIFT][:_CANDIDATES]


def _narrowed(picture: Picture, compared: NDArray[np.bool_], scale: int) -> Picture:
    """The picture with fewer columns: rows are what a scroll moves."""
    kept = np.where(compared, picture, 0).astype(np.uint8)
    narrowed: Picture = cv2.resize(kept, None, fx=1 / scale, fy=1, interpolation=cv2.INTER_AREA).astype(
        np.uint8
    )
    return narrowed


def _regions(mask: NDArray[np.bool_], least: int) -> tuple[Rect, ...]:
    """Rectangles around what differs; parts of a word or an icon are in one."""
    reach = max(3, mask.shape[1] // 40)
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((reach, reach), np.uint8))
    _count, labels, stats, _centres = cv2.connectedComponentsWithStats(joined)
    found = []
    for number, (left, top, width, height, _area) in enumerate(stats.tolist()):
        box = slice(top, top + height), slice(left, left + width)
        rows, columns = np.nonzero((labels[box] == number) & mask[box])
        if number and len(rows) >= max(least, _SMALLEST * mask.size):
            found.append(
                Rect(
                    left + int(columns.min()), top + int(rows.min()),
                    left + int(columns.max()) + 1, top + int(rows.max()) + 1,
                )
            )  # fmt: skip
    return tuple(sorted(found, key=lambda rect: -rect.area)[:_MOST_REGIONS])


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
