"""labelme: a folder for each side with the pictures, and beside each a JSON file with rectangles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.exchange.boxes.boxes_export import BOX_OPTIONS, HOLDS, write_boxes
from collector.exchange.boxes.boxes_sample import ReadBox, boxes_sample, read_small_json
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_BOXES, Format
from collector.model.dataset.split import SIDES
from collector.model.geometry import Rect, Size
from collector.model.i18n import N_
from collector.trainer_files.card import CARD

if TYPE_CHECKING:
    from collector.exchange.boxes.boxed_screens import BoxedScreen, ScreenBox  # loads numpy

_VERSION = "5.5.0"
"""Of labelme, whose files these are like."""


class _Labelme:
    def __init__(self, path: Path, log: ExchangeLog) -> None:
        self._path, self._log = path, log

    def folder(self, side: str) -> Path:
        return self._path / side

    def add(self, _side: str, screen: BoxedScreen) -> None:
        file = screen.picture.with_suffix(".json")
        self._log.makes(file)
        values: dict[str, Any] = {
            "version": _VERSION, "flags": {}, "shapes": [_shape(box) for box in screen.boxes],
            "imagePath": screen.picture.name, "imageData": None, "imageHeight": screen.size.height,
            "imageWidth": screen.size.width,
        }  # fmt: skip
        text = json.dumps(values, ensure_ascii=False, indent=2)
        file.write_bytes(f"{text}\n".encode("utf-8", "replace"))

    def finish(self, sides: Sequence[str]) -> None:
        """Every picture has its file."""


def _shape(each: ScreenBox) -> dict[str, Any]:
    box = each.box
    return {
        "label": each.name, "points": [[box.left, box.top], [box.right, box.bottom]], "group_id": None,
        "description": each.text or each.attributes["resource_id"], "shape_type": "rectangle",
        "flags": {name: value for name, value in each.attributes.items() if isinstance(value, bool)},
        "mask": None,
    }  # fmt: skip


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    write_boxes(part, path, log, "labelme", _Labelme)


def _boxes(_folder: Path, picture: Path, _size: Size) -> Iterator[ReadBox]:
    for shape in read_small_json(picture.with_suffix(".json"))["shapes"]:
        (left, top), (right, bottom) = shape["points"]
        yield ReadBox(Rect(left, top, right, bottom), shape["label"], shape["description"])


FORMAT = Format(
    id="labelme",
    title=N_("labelme boxes"),
    use=FOR_BOXES,
    holds=HOLDS,
    files=N_("A folder for each side with pictures and their JSON files, and a card"),
    write=_write,
    entries=(CARD, *SIDES),
    divides=True,
    hides_passwords=True,
    options=BOX_OPTIONS,
    sample=boxes_sample(_boxes),
)
