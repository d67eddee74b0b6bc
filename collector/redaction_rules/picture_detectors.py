"""Find faces and QR codes in the picture of a screen by OpenCV, where a rule asks for them."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
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
        _face_detector()


def face_model_path() -> Path:
    """Where the model of the face detector is looked for."""
    return data_folder() / FACE_MODEL


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
    import cv2

    detector = _face_detector()
    height, width = rgb.shape[:2]
    detector.setInputSize((width, height))
    _status, faces = detector.detect(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))
    boxes = []
    for face in faces if faces is not None else ():
        left, top, across, down = (float(value) for value in face[:4])
        x_margin, y_margin = across * _MARGIN, down * _MARGIN
        boxes.append(
            Rect(
                int(left - x_margin), int(top - y_margin),
                int(left + across + x_margin) + 1, int(top + down + y_margin) + 1,
            )
        )  # fmt: skip
    return boxes


@functools.cache
def _face_detector() -> Any:
    import cv2

    path = face_model_path()
    if not path.is_file():
        raise UserError(
            _("Faces cannot be found"),
            _("the model of OpenCV's face detector is not there: {path}", path=path),
            _("Save a YuNet model of OpenCV's model zoo under that name, or take `detect: faces` out"),
        )
    try:
        return cv2.FaceDetectorYN.create(str(path), "", (320, 320), _SURE)
    except cv2.error as error:
        raise UserError(
            _("Faces cannot be found"),
            _("OpenCV cannot read {path}: {why}", path=path, why=str(error).strip().splitlines()[-1]),
            _("Save a YuNet model of OpenCV's model zoo under that name, or take `detect: faces` out"),
        ) from None
