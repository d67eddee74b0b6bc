"""Find small images on screenshots, at any size from half to twice, with a score."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from collector.model.byte_bounded_cache import ByteBoundedCache
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.pictures.errors import PictureError
from collector.pictures.limits import LARGE
from collector.pictures.picture_bytes import read_picture_bytes
from collector.rules.evaluation.image_finder import ImageQuery, Sighting
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.errors import RuleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from collector.rules.evaluation.state_view import RgbImage

_BUDGET = 64 * 1024 * 1024
"""Bytes of the images that are kept."""
_SCALES = tuple(1.12**power for power in range(-6, 7))
"""From half the size to twice, in steps that a correlation still bridges."""
_FINE = (0.94, 0.97, 1.0, 1.03, 1.06)
_SMALLEST = 6
"""Pixels; anything smaller correlates with everything."""
_COARSE_SIDE = 14
"""Pixels the shorter side of the template keeps while searching coarsely."""
_FLAT = 4.0
"""Standard deviation, in grey levels, under which a picture has no shape to correlate."""
_GOOD_MATCHES = 30
_RATIO = 0.75
_LARGEST = 3.0
"""Times larger or smaller a picture may be seen."""
_FEATURE_PIXELS = 3_000_000
"""Of a picture whose features are looked for: the search takes some 250 bytes for each."""
_MOST_FEATURES = 10_000
"""All of one picture are compared with all of the other."""


class ImageFiles:
    """Finds the images that rules name, in files under ``root``; no other files are read.

    Not thread-safe: use one object per thread.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._loaded: ByteBoundedCache[str, tuple[int, RgbImage]] = ByteBoundedCache(
            _BUDGET, lambda loaded: loaded[1].nbytes
        )

    def sighting(self, query: ImageQuery, view: StateView) -> Sighting | None:
        """Where the image is seen best; None without a screenshot. Raises RuleError without the image."""
        wanted, screen = self.load(query.file), view.picture()
        return look_for(wanted, screen, query.region, query.method) if screen is not None else None

    def stamp(self, file: str) -> str:
        """A text that changes whenever the image file changes; empty when there is no such file."""
        try:
            stat = (self._root / file).stat()
        except (OSError, ValueError):
            return ""
        return f"{stat.st_mtime_ns} {stat.st_size}"

    def load(self, name: str) -> RgbImage:
        """The image of a file under the root, RGB. Raises RuleError when it cannot be read."""
        path = (self._root / name).resolve()
        if not path.is_relative_to(self._root):
            raise RuleError(_("The picture {name} is outside the project", name=name))
        from collector.pictures.decoding import rgb_pixels  # here: pictures bring large libraries

        try:
            changed = path.stat().st_mtime_ns
            loaded = self._loaded.get(name)
            if loaded is None or loaded[0] != changed:
                loaded = (changed, rgb_pixels(read_picture_bytes(path)))
                self._loaded.put(name, loaded)
        except (OSError, PictureError) as error:
            why = error.what if isinstance(error, PictureError) else error.strerror or str(error)
            raise RuleError(_("The picture {name} cannot be read", name=name), why) from None
        return loaded[1]


def look_for(
    wanted: RgbImage, screen: RgbImage, region: Rect | None = None, method: str = "template"
) -> Sighting:
    """Where ``wanted`` is seen best in ``screen``: both height x width x 3 RGB, areas in its pixels.

    ``region`` bounds the search. ``template`` bridges sizes from half to twice; ``features`` also turns,
    and pictures that are partly hidden, but needs texture.
    """
    height, width = screen.shape[:2]
    left, top, right, bottom = 0, 0, width, height
    if region is not None:
        left, top = max(0, region.left), max(0, region.top)
        right, bottom = min(width, region.right), min(height, region.bottom)
    cut = screen[top:bottom, left:right]
    if min(cut.shape[:2]) < _SMALLEST or min(wanted.shape[:2]) < _SMALLEST:
        return Sighting(0.0)
    shrink = math.ceil(math.sqrt(max(cut[..., 0].size, wanted[..., 0].size) / LARGE))
    search = _by_features if method == "features" else _by_template
    seen = search(_resized(wanted, 1 / shrink), _resized(cut, 1 / shrink))
    if seen.area is None:
        return seen
    area = seen.area
    places = (left + shrink * area.left, top + shrink * area.top)
    return Sighting(seen.score, Rect(*places, left + shrink * area.right, top + shrink * area.bottom))


def _by_template(wanted: RgbImage, screen: RgbImage) -> Sighting:
    shrink = max(1.0, min(wanted.shape[:2]) / _COARSE_SIDE)
    small = _resized(screen, 1 / shrink)
    best = max(_matches(wanted, small, _SCALES, 1 / shrink), key=_preference, default=_NO_MATCH)
    score, scale, x, y = best
    if shrink == 1.0:
        fine_best = max(_matches(wanted, screen, _fine(scale), 1.0), key=_preference, default=best)
    else:
        fine_best = _refined(wanted, screen, scale, x * shrink, y * shrink, margin=math.ceil(3 * shrink))
    score, scale, x, y = fine_best
    height, width = wanted.shape[:2]
    if score <= 0:
        return Sighting(0.0)
    return Sighting(
        min(1.0, score), Rect(int(x), int(y), int(x) + round(width * scale), int(y) + round(height * scale))
    )


_Match = tuple[float, float, float, float]
"""Score, scale, left, top."""
_NO_MATCH: _Match = (0.0, 1.0, 0.0, 0.0)


def _preference(match: _Match) -> tuple[float, float]:
    """Surer first; of equals, the one nearest to the size the picture was cut at."""
    return round(match[0], 3), -abs(math.log(match[1]))


def _fine(scale: float) -> tuple[float, ...]:
    return (scale, *(scale * factor for factor in _FINE))


def _refined(wanted: RgbImage, screen: RgbImage, scale: float, x: float, y: float, margin: int) -> _Match:
    """The best match at full resolution about a coarse one."""
    height, width = wanted.shape[:2]
    reach = scale * max(_FINE)
    left, top = max(0, int(x) - margin), max(0, int(y) - margin)
    right, bottom = int(x + width * reach) + margin, int(y + height * reach) + margin
    cut = screen[top:bottom, left:right]
    best = max(_matches(wanted, cut, _fine(scale), 1.0), key=_preference, default=_NO_MATCH)
    return best[0], best[1], best[2] + left, best[3] + top


def _matches(
    wanted: RgbImage, screen: RgbImage, scales: tuple[float, ...], shrink: float
) -> Iterator[_Match]:
    """The best place at each scale; ``shrink`` is how much smaller than life ``screen`` is."""
    import cv2

    for scale in scales:
        width, height = _scaled_size(wanted, scale * shrink)
        if (
            min(height, width) < min(_SMALLEST, _COARSE_SIDE)
            or height > screen.shape[0]
            or width > screen.shape[1]
        ):
            continue
        template = _resized(wanted, scale * shrink)
        flat = float(cv2.meanStdDev(template)[1].max()) < _FLAT
        way = cv2.TM_SQDIFF_NORMED if flat else cv2.TM_CCOEFF_NORMED
        scores = cv2.matchTemplate(screen, template, way)
        low, high, low_at, high_at = cv2.minMaxLoc(scores)
        score, (x, y) = (1.0 - low, low_at) if flat else (high, high_at)
        if math.isfinite(score):
            yield float(score), scale, float(x), float(y)


def _resized(picture: RgbImage, scale: float) -> RgbImage:
    import cv2

    if scale == 1.0:
        return picture
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return cast("RgbImage", cv2.resize(picture, _scaled_size(picture, scale), interpolation=how))


def _scaled_size(picture: RgbImage, scale: float) -> tuple[int, int]:
    height, width = picture.shape[:2]
    return max(1, round(width * scale)), max(1, round(height * scale))


def _by_features(wanted: RgbImage, screen: RgbImage) -> Sighting:
    import cv2
    import numpy as np

    points, marks = _features(wanted)
    there, there_marks = _features(screen)
    if marks is None or there_marks is None or len(points) < 4 or len(there) < 4:
        return Sighting(0.0)
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(marks, there_marks, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _RATIO * pair[1].distance]
    if len(good) < 4:
        return Sighting(0.0)
    source, target = points[[match.queryIdx for match in good]], there[[match.trainIdx for match in good]]
    model, inliers = cv2.estimateAffinePartial2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=4.0)
    if model is None or not np.isfinite(model).all():
        return Sighting(0.0)
    if not 1 / _LARGEST <= float(np.hypot(model[0, 0], model[1, 0])) <= _LARGEST:
        return Sighting(0.0)  # chance matches fit a picture blown up or shrunk to a dot
    count = int(inliers.sum())
    height, width = wanted.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    placed = corners @ model[:, :2].T + model[:, 2]
    (left, top), (right, bottom) = placed.min(0), placed.max(0)
    bounds = np.array([screen.shape[1], screen.shape[0]], np.float32)
    (left, top), (right, bottom) = np.clip((left, top), 0, bounds), np.clip((right, bottom), 0, bounds)
    if right - left < 1 or bottom - top < 1:
        return Sighting(0.0)
    needed = min(_GOOD_MATCHES, max(8, len(points) // 3))
    score = min(1.0, count / needed)
    return Sighting(score, Rect(int(left), int(top), int(right), int(bottom)))


def _features(picture: RgbImage) -> tuple[NDArray[np.float32], Any]:
    """Places of features as rows of x and y in pixels of the picture, and their descriptors or None."""
    import cv2
    import numpy as np

    scale = min(1.0, math.sqrt(_FEATURE_PIXELS / (picture.shape[0] * picture.shape[1])))
    grey = cv2.cvtColor(_resized(picture, scale), cv2.COLOR_RGB2GRAY)
    finder = cv2.SIFT.create(nfeatures=_MOST_FEATURES, contrastThreshold=0.02)
    points, marks = finder.detectAndCompute(grey, None)
    return np.array([point.pt for point in points], np.float32).reshape(-1, 2) / np.float32(scale), marks
