"""Find faces and QR codes in the picture of a screen by OpenCV, where a rule asks for them."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from collector.host.user_folders import data_folder
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.redaction_rules.redaction_rule import FACES, QR_CODES
from collector.rules.evaluation.state_view import StateView

FACE_MODEL = "face_detection_yunet.onnx"
"""Name of the model file of OpenCV's face detector in the folder of the user's data."""
_NAMED_BY = "WAYMARK_FACE_MODEL"
_PUBLISHED = "face_detection_yunet_2026may.onnx"
_MODEL_ZOO = "github.com/opencv/opencv_zoo (models/face_detection_yunet)"
_SMALL_PX = 640
_SURE = 0.6
"""Score of a face from 0 to 1, from which it counts; a face too many is hidden sooner than one too few."""
_MARGIN = 0.15
"""Of the size of a face, by which its place is widened: hair and chin tell too."""


def detected(detector: str, view: StateView, screen: Size) -> Sequence[Rect]:
    """The places that a detector finds on a screen, in its pixels; none without a picture.

    Raises UserError when the detector cannot be used here.
    """
    rgb = view.picture()
    if rgb is None:
        return ()
    found = _qr_codes(rgb) if detector == QR_CODES else _faces(rgb)
    height, width = rgb.shape[:2]
    if screen.is_empty or screen == Size(width, height):
        return found
    x_scale, y_scale = screen.width / width, screen.height / height
    return [
        Rect(
            math.floor(box.left * x_scale), math.floor(box.top * y_scale),
            math.ceil(box.right * x_scale), math.ceil(box.bottom * y_scale),
        )
        for box in found
    ]  # fmt: skip


def require_detector(detector: str) -> None:
    """Raise UserError where a detector cannot be used."""
    if detector == FACES:
        _face_detector(face_model_path())


def face_model_path() -> Path:
    """The model file of the face detector: where the environment says, else in the user's data."""
    named = os.environ.get(_NAMED_BY)
    return Path(named).expanduser() if named else data_folder() / FACE_MODEL


def _qr_codes(rgb: Any) -> list[Rect]:
    import cv2

    found, corners = cv2.QRCodeDetector().detectMulti(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))
    boxes = []
    for code in corners if found and corners is not None else ():
        xs, ys = code[:, 0], code[:, 1]
        # The corners lie on the outer modules, whose blur reaches a little further.
        margin = max(2, round(0.04 * float(max(xs.max() - xs.min(), ys.max() - ys.min()))))
        boxes.append(
            Rect(
                int(xs.min()) - margin, int(ys.min()) - margin,
                int(xs.max()) + 1 + margin, int(ys.max()) + 1 + margin,
            )
        )  # fmt: skip
    return boxes


def _faces(rgb: Any) -> list[Rect]:
    """Faces in the picture as it is, and in a small copy: the detector knows those of 10 to 300 pixels."""
    import cv2

    bgr = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    longest = max(bgr.shape[:2])
    scales = [1.0, *([_SMALL_PX / longest] if longest > _SMALL_PX else ())]
    boxes: dict[Rect, None] = {}
    for scale in scales:
        small = bgr if scale == 1 else cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for left, top, across, down in _found_in(_face_detector(face_model_path()), small):
            x_margin, y_margin = across * _MARGIN, down * _MARGIN
            box = Rect(
                int((left - x_margin) / scale), int((top - y_margin) / scale),
                int((left + across + x_margin) / scale) + 1, int((top + down + y_margin) / scale) + 1,
            )  # fmt: skip
            boxes[box] = None
    return list(boxes)


def _found_in(detector: Any, bgr: Any) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each face. Raises UserError where the model does not fit OpenCV."""
    import cv2

    height, width = bgr.shape[:2]
    try:
        detector.setInputSize((width, height))
        _status, faces = detector.detect(bgr)
    except cv2.error as error:
        raise _unusable(error) from None
    boxes = faces[:, :4].tolist() if faces is not None else ()
    return [(left, top, across, down) for left, top, across, down in boxes]


@contextlib.contextmanager
def _without_warnings(cv2: Any) -> Iterator[None]:
    """OpenCV 5 warns of a target that nobody asked for; OpenCV 4 does not, and has no such switch."""
    logging = getattr(cv2.utils, "logging", None)
    if logging is None:
        yield
        return
    level = logging.setLogLevel(logging.LOG_LEVEL_ERROR)
    try:
        yield
    finally:
        logging.setLogLevel(level)


@functools.cache
def _face_detector(path: Path) -> Any:
    import cv2
    import numpy as np

    if not path.is_file():
        raise UserError(
            _("Faces cannot be found"),
            _("the model of OpenCV's face detector is not there: {path}", path=path),
            _what_to_save(),
        )
    try:
        with _without_warnings(cv2):
            detector = cv2.FaceDetectorYN.create(str(path), "", (320, 320), _SURE)
    except cv2.error as error:
        raise _unusable(error) from None
    # A model of fixed size is read by OpenCV 5, and fails with the first picture.
    _found_in(detector, np.zeros((96, 64, 3), np.uint8))
    return detector


def _unusable(error: Exception) -> UserError:
    return UserError(
        _("Faces cannot be found"),
        _(
            "OpenCV cannot use {path}: {why}",
            path=face_model_path(), why=str(error).strip().splitlines()[-1],
        ),
        _what_to_save(),
    )  # fmt: skip


def _what_to_save() -> str:
    return _(
        "Save {model} of {place} under that name, name the file by {variable}, or take `detect: faces` out",
        model=_PUBLISHED, place=_MODEL_ZOO, variable=_NAMED_BY,
    )  # fmt: skip
