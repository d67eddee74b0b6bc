"""The first picture of an export of boxes, with its boxes: for a preview."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.exchange.format_sample import FormatSample, SampleMessage, few_files, sample_by_text
from collector.exchange.source import files as source_files
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.i18n import ngettext
from collector.pictures.formats import read_picture_file
from collector.pictures.limits import MAX_BYTES

_LARGEST = 64 << 20
"""Bytes of a file with the boxes of a side that is read for a preview."""
_MOST_SAID = 40


@dataclass(frozen=True, slots=True)
class ReadBox:
    """A box as a file of an export says it."""

    box: Rect
    """In pixels of the picture."""
    name: str
    """Of its class."""
    text: str = ""


BoxesOf = Callable[[Path, Path, Size], Iterable[ReadBox]]
"""Reads the boxes of a picture of a size from the folder of an export; may raise what parsing raises."""


def boxes_sample(boxes_of: BoxesOf) -> Callable[[Path, Mapping[str, Any]], FormatSample | None]:
    """What :attr:`~collector.exchange.format.Format.sample` is for a form of boxes."""

    def sample(path: Path, _options: Mapping[str, Any]) -> FormatSample | None:
        pictures = (each for each in few_files(path) if each.suffix.lower() in source_files.PICTURES)
        picture = next(pictures, None)
        if picture is None:
            return sample_by_text(path)
        with contextlib.suppress(UserError, OSError, ValueError, TypeError, LookupError):
            data = source_files.read_start(picture, MAX_BYTES)
            found = list(boxes_of(path, picture, read_picture_file(data).size))
            lines = [f"{each.name}: {each.text}".removesuffix(": ") for each in found[:_MOST_SAID]]
            if len(found) > _MOST_SAID:
                lines.append("...")
            title = ngettext("{count} box", "{count} boxes", len(found))
            message = SampleMessage(title, "\n".join(lines))
            return FormatSample((message,), data, boxes=tuple(each.box for each in found))
        return sample_by_text(path)

    return sample


def read_small_json(file: Path) -> Any:
    """A file of JSON that is not too large for a preview. Raises ValueError for a larger one."""
    if file.stat().st_size > _LARGEST:
        raise ValueError(file.name)
    return json.loads(file.read_text("utf-8"))
