"""YOLO: ``data.yaml`` with the classes, ``images/`` and ``labels/`` with a line for each box."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from collector.exchange.boxes.boxes_export import BOX_OPTIONS, HOLDS, write_boxes
from collector.exchange.boxes.boxes_sample import ReadBox, boxes_sample
from collector.exchange.boxes.class_names import CLASSES, ClassNames
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_BOXES, Format
from collector.located_yaml.safe_load import safe_load
from collector.model.dataset.split import TEST, TRAIN, VALIDATION
from collector.model.geometry import Rect, Size
from collector.model.i18n import N_, _
from collector.trainer_files.card import CARD

if TYPE_CHECKING:
    from collector.exchange.boxes.boxed_screens import BoxedScreen  # loads numpy

_IMAGES, _LABELS, _DATA = "images", "labels", "data.yaml"
_NAMES = {TRAIN: "train", VALIDATION: "val", TEST: "test"}
"""What Ultralytics calls the sides."""


class _Yolo:
    def __init__(self, path: Path, log: ExchangeLog) -> None:
        self._path, self._log = path, log
        self._classes = ClassNames(log.beside(path, CLASSES), log)

    def folder(self, side: str) -> Path:
        return self._path / _IMAGES / _NAMES[side]

    def add(self, side: str, screen: BoxedScreen) -> None:
        labels = self._path / _LABELS / _NAMES[side]
        labels.mkdir(parents=True, exist_ok=True)
        file = labels / f"{screen.picture.stem}.txt"
        self._log.makes(file)
        lines = (f"{self._classes[each.name]} {_shares(each.box, screen.size)}\n" for each in screen.boxes)
        file.write_text("".join(lines), "utf-8", newline="\n")

    def finish(self, sides: Sequence[str]) -> None:
        """Write ``data.yaml``; without a side to validate with, that to train with stands for it."""
        places = {_NAMES[side]: f"{_IMAGES}/{_NAMES[side]}" for side in sides}
        if "train" in places:
            places.setdefault("val", places.get("test", places["train"]))
        names = (f"  {number}: {json.dumps(name)}" for number, name in enumerate(self._classes.names))
        lines = ["path: .", *(f"{side}: {place}" for side, place in places.items()), "names:", *names]
        (self._path / _DATA).write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


def _shares(box: Rect, size: Size) -> str:
    """Middle and size of a box as shares of the picture."""
    numbers = (
        (box.left + box.right) / 2 / size.width, (box.top + box.bottom) / 2 / size.height,
        box.width / size.width, box.height / size.height,
    )  # fmt: skip
    return " ".join(f"{number:.6f}" for number in numbers)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    write_boxes(part, path, log, "YOLO", _Yolo)
    log.add("texts-lost", _("YOLO has classes alone: texts and attributes are not in it"), severity=NOTE)


def _boxes(folder: Path, picture: Path, size: Size) -> Iterator[ReadBox]:
    names = safe_load((folder / _DATA).read_bytes(), _DATA)["names"]
    labels = folder / _LABELS / picture.parent.name / f"{picture.stem}.txt"
    for line in labels.read_text("utf-8").splitlines():
        number, *shares = line.split()
        x, y, width, height = map(float, shares)
        left, top = (x - width / 2) * size.width, (y - height / 2) * size.height
        right, bottom = left + width * size.width, top + height * size.height
        yield ReadBox(Rect(round(left), round(top), round(right), round(bottom)), names[int(number)])


FORMAT = Format(
    id="yolo",
    title=N_("YOLO boxes"),
    use=FOR_BOXES,
    holds=HOLDS,
    files=N_("data.yaml, images/ and labels/ with the sides, and a card"),
    write=_write,
    entries=(CARD, _IMAGES, _LABELS, _DATA),
    divides=True,
    hides_passwords=True,
    options=BOX_OPTIONS,
    sample=boxes_sample(_boxes),
)
