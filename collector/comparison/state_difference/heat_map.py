"""Paint a picture difference as heat: the more differs around a pixel, the redder and the more opaque."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from collector.comparison.state_difference.picture_difference import PictureDifference

_REACH = 1 / 24
"""Half the width of the area around a pixel that counts for it, as a share of the screen's width."""
_COOL, _HOT = np.array((64, 196, 250), np.float32), np.array((36, 44, 214), np.float32)
"""Blue, green and red where little differs around a pixel, and where everything does."""
_FAINT, _STRONG = 0.35, 0.85
"""Opacity where little differs around a pixel, and where everything does."""


def heat_map(difference: PictureDifference) -> NDArray[np.uint8]:
    """Blue, green, red (multiplied by alpha) and alpha of each pixel: height x width x 4."""
    mask = difference.mask.astype(np.float32)
    reach = max(3, round(mask.shape[1] * _REACH)) | 1
    density = cv2.blur(mask, (reach, reach))
    hottest = float(density.max()) or 1.0
    heat = np.clip(density / hottest, 0, 1)
    # What differs shows by itself, and its surroundings as far as they are hot.
    alpha = np.where(difference.mask, _FAINT + (_STRONG - _FAINT) * heat, 0.6 * heat * heat)
    whole = np.empty((*mask.shape, 4), np.uint8)
    for channel, (cool, hot) in enumerate(zip(_COOL, _HOT, strict=True)):
        whole[..., channel] = (cool + (hot - cool) * heat) * alpha
    whole[..., 3] = 255 * alpha
    return whole
