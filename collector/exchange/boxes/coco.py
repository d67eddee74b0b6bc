"""COCO: ``annotations/instances_SIDE.json`` with pictures, boxes and categories, and ``images/``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from collector.exchange.boxes.boxes_export import BOX_OPTIONS, HOLDS, write_boxes
from collector.exchange.boxes.boxes_sample import ReadBox, boxes_sample, read_small_json
from collector.exchange.boxes.class_names import CLASSES, ClassNames
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_BOXES, Format
from collector.model.geometry import Rect, Size
from collector.model.i18n import N_
from collector.trainer_files.card import CARD

if TYPE_CHECKING:
    from collector.exchange.boxes.boxed_screens import BoxedScreen, ScreenBox  # loads numpy

_IMAGES, _ANNOTATIONS = "images", "annotations"


class _Coco:
    """Lines of pictures and of boxes, which are put together in the end."""

    def __init__(self, path: Path, log: ExchangeLog) -> None:
        self._path, self._log = path, log
        self._classes = ClassNames(log.beside(path, CLASSES), log)
        self._counts: dict[Path, int] = {}

    def folder(self, side: str) -> Path:
        return self._path / _IMAGES / side

    def add(self, side: str, screen: BoxedScreen) -> None:
        image = self._append(
            self._log.beside(self._path, f"{_IMAGES}_{side}"),
            {"file_name": f"{side}/{screen.picture.name}", "width": screen.size.width,
             "height": screen.size.height, "source": screen.source},
        )  # fmt: skip
        annotations = self._log.beside(self._path, f"{_ANNOTATIONS}_{side}")
        for box in screen.boxes:
            self._append(annotations, self._annotation(image, box))

    def _annotation(self, image: int, each: ScreenBox) -> dict[str, Any]:
        box = each.box
        corners = [box.left, box.top, box.right, box.top, box.right, box.bottom, box.left, box.bottom]
        return {
            "image_id": image, "category_id": self._classes[each.name] + 1,
            "bbox": [box.left, box.top, box.width, box.height], "area": box.area, "iscrowd": 0,
            "segmentation": [corners], "attributes": {"text": each.text, **each.attributes},
        }  # fmt: skip

    def _append(self, file: Path, values: dict[str, Any]) -> int:
        """Add a line with the next number, which it returns."""
        if file not in self._counts:
            self._counts[file] = sum(1 for _line in _lines(file))
        self._counts[file] += 1
        number = self._counts[file]
        line = json.dumps({"id": number, **values}, ensure_ascii=False)
        self._log.append(file, f"{line}\n".encode("utf-8", "replace"))
        return number

    def finish(self, sides: Sequence[str]) -> None:
        (self._path / _ANNOTATIONS).mkdir(exist_ok=True)
        categories = [
            {"id": number, "name": name, "supercategory": ""}
            for number, name in enumerate(self._classes.names, start=1)
        ]
        for side in sides:
            with (self._path / _ANNOTATIONS / f"instances_{side}.json").open(
                "w", encoding="utf-8", newline="\n"
            ) as file:
                file.write('{"info": {"description": "Waymark Studio"}, "licenses": [],\n')
                for name in (_IMAGES, _ANNOTATIONS):
                    file.write(f'"{name}": [\n')
                    _copy(self._log.beside(self._path, f"{name}_{side}"), file)
                    file.write("],\n")
                file.write(f'"categories": {json.dumps(categories, ensure_ascii=False)}}}\n')


def _lines(file: Path) -> Iterator[str]:
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            yield from lines


def _copy(lines: Path, file: IO[str]) -> None:
    for number, line in enumerate(_lines(lines)):
        file.write(("," if number else "") + line)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    write_boxes(part, path, log, "COCO", _Coco)


def _boxes(folder: Path, picture: Path, _size: Size) -> Iterator[ReadBox]:
    side = picture.parent.name
    values = read_small_json(folder / _ANNOTATIONS / f"instances_{side}.json")
    (image,) = (each["id"] for each in values["images"] if each["file_name"] == f"{side}/{picture.name}")
    names = {each["id"]: each["name"] for each in values["categories"]}
    for each in values["annotations"]:
        if each["image_id"] == image:
            x, y, width, height = each["bbox"]
            text = each["attributes"]["text"]
            yield ReadBox(Rect(x, y, x + width, y + height), names[each["category_id"]], text)


FORMAT = Format(
    id="coco",
    title=N_("COCO boxes"),
    use=FOR_BOXES,
    holds=HOLDS,
    files=N_("annotations/instances_SIDE.json for each side, images/, and a card"),
    write=_write,
    entries=(CARD, _IMAGES, _ANNOTATIONS),
    divides=True,
    hides_passwords=True,
    options=BOX_OPTIONS,
    sample=boxes_sample(_boxes),
)
