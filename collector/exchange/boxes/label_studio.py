"""Label Studio: tasks with rectangles and their texts, the labeling configuration, and ``images/``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from collector.exchange.boxes.boxes_export import BOX_OPTIONS, HOLDS, write_boxes
from collector.exchange.boxes.boxes_sample import ReadBox, boxes_sample, read_small_json
from collector.exchange.boxes.class_names import CLASSES, ClassNames
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_BOXES, Format
from collector.model.dataset.split import SIDES
from collector.model.geometry import Rect, Size
from collector.model.i18n import N_
from collector.plugins.options import PluginOption
from collector.trainer_files.card import CARD

if TYPE_CHECKING:
    from collector.exchange.boxes.boxed_screens import BoxedScreen, ScreenBox  # loads numpy

_IMAGES, _CONFIG = "images", "config.xml"
_LOCAL_FILES = "/data/local-files/?d="


class _LabelStudio:
    def __init__(self, path: Path, log: ExchangeLog, address: str) -> None:
        self._path, self._log, self._address = path, log, address
        self._classes = ClassNames(log.beside(path, CLASSES), log)

    def folder(self, side: str) -> Path:
        return self._path / _IMAGES / side

    def add(self, side: str, screen: BoxedScreen) -> None:
        results = [
            result
            for number, box in enumerate(screen.boxes, start=1)
            for result in _results(str(number), box, screen.size)
        ]
        for box in screen.boxes:
            _number = self._classes[box.name]
        name = f"{_IMAGES}/{side}/{screen.picture.name}"
        task = {
            "data": {"image": self._address + name, "source": screen.source},
            "annotations": [{"result": results, "ground_truth": False}],
        }
        file = self._path / f"{side}.json"
        begin = ",\n" if file.exists() else "[\n"
        line = begin + json.dumps(task, ensure_ascii=False)
        self._log.append(file, line.encode("utf-8", "replace"))

    def finish(self, sides: Sequence[str]) -> None:
        """Close the lists of tasks, and write the configuration with the classes."""
        for side in sides:
            with (self._path / f"{side}.json").open("ab") as file:
                file.write(b"\n]\n")
        labels = "".join(f"    <Label value={quoteattr(name)}/>\n" for name in self._classes.names)
        (self._path / _CONFIG).write_text(
            '<View>\n  <Image name="image" value="$image"/>\n'
            '  <RectangleLabels name="label" toName="image">\n'
            f"{labels}  </RectangleLabels>\n"
            '  <TextArea name="text" toName="image" perRegion="true" editable="true"/>\n</View>\n',
            "utf-8",
            newline="\n",
        )


def _results(region: str, each: ScreenBox, size: Size) -> Iterator[dict[str, Any]]:
    """The rectangle of a box, in hundredths of the picture, and its text; both have one id."""
    box = each.box
    place = {
        "x": 100 * box.left / size.width, "y": 100 * box.top / size.height,
        "width": 100 * box.width / size.width, "height": 100 * box.height / size.height, "rotation": 0,
    }  # fmt: skip
    common = {
        "id": region, "to_name": "image", "original_width": size.width, "original_height": size.height,
        "image_rotation": 0,
    }  # fmt: skip
    yield {**common, "type": "rectanglelabels", "from_name": "label", "meta": dict(each.attributes),
           "value": {**place, "rectanglelabels": [each.name]}}  # fmt: skip
    if each.text:
        yield {**common, "type": "textarea", "from_name": "text", "value": {**place, "text": [each.text]}}


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    address = part.options["address"]
    write_boxes(part, path, log, "Label Studio", lambda folder, log: _LabelStudio(folder, log, address))


def _boxes(folder: Path, picture: Path, size: Size) -> Iterator[ReadBox]:
    side = picture.parent.name
    own = f"{_IMAGES}/{side}/{picture.name}"
    tasks = read_small_json(folder / f"{side}.json")
    (task,) = (each for each in tasks if each["data"]["image"].endswith(own))
    results = task["annotations"][0]["result"]
    texts = {each["id"]: each["value"]["text"][0] for each in results if each["type"] == "textarea"}
    for each in results:
        if each["type"] == "rectanglelabels":
            place = each["value"]
            across, down = size.width / 100, size.height / 100
            right, bottom = place["x"] + place["width"], place["y"] + place["height"]
            box = Rect(
                round(place["x"] * across), round(place["y"] * down), round(right * across),
                round(bottom * down),
            )  # fmt: skip
            yield ReadBox(box, place["rectanglelabels"][0], texts.get(each["id"], ""))


FORMAT = Format(
    id="label-studio",
    title=N_("Label Studio boxes"),
    use=FOR_BOXES,
    holds=HOLDS,
    files=N_("A JSON file of tasks for each side, config.xml, images/, and a card"),
    write=_write,
    entries=(CARD, _IMAGES, _CONFIG, *(f"{side}.json" for side in SIDES)),
    divides=True,
    hides_passwords=True,
    sample=boxes_sample(_boxes),
    options=(
        *BOX_OPTIONS,
        PluginOption(
            "address", str, _LOCAL_FILES, N_("What stands before the path of a picture"), title=N_("Address")
        ),
    ),
)
