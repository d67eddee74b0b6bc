"""The first sample of an export to train with: its messages, and the action or the box of its answer."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.exchange.format_sample import FormatSample, first_row, sample_by_text
from collector.exchange.training.sample_options import RECORDED
from collector.model.action import Action, Invalid
from collector.model.errors import UserError
from collector.model.geometry import Point, Rect, Size
from collector.pictures.formats import read_picture_file

if TYPE_CHECKING:
    from collector.agents.translators.coordinates import AgentScreen
    from collector.agents.translators.dialect import Dialect

_ANSWERS = ("assistant", "gpt", "chosen", "answer", "reward_model")


def training_sample(path: Path, options: Mapping[str, Any]) -> FormatSample | None:
    """The sample as its files have it; its answer is read in the dialect that it was written in."""
    found = sample_by_text(path)
    if found is None or found.picture is None or "dialect" not in options:
        return found
    from collector.agents.translators.registry import DIALECTS

    answers = [message.text for message in found.messages if message.who in _ANSWERS]
    try:
        size = read_picture_file(found.picture).size
    except UserError:
        return found
    if not answers:
        return found
    dialect = DIALECTS[options["dialect"]]
    screen = _screen(size, dialect, options)
    places = _places(first_row(path))
    boxes = [place for place in places if isinstance(place, Rect)]
    if (box := _box(answers[0], dialect, screen)) is not None:
        boxes.append(box)
    action = _action(answers[0], places, dialect, screen) if not boxes else None
    return replace(found, action=action, boxes=tuple(boxes))


def _screen(size: Size, dialect: Dialect, options: Mapping[str, Any]) -> AgentScreen:
    """The written picture: as the model is shown it, or as it was recorded, which the model resizes."""
    from collector.agents.openai.shown_picture import shown_size
    from collector.agents.translators.coordinates import AgentScreen

    image = size
    if options.get("pictures") == RECORDED:
        image = shown_size(size, dialect.image_size, options.get("image_max_pixels") or 0)
    return AgentScreen(size, image)


def _places(row: Mapping[str, Any]) -> list[Point | Rect]:
    """The places that stand beside the text, in pixels of the first picture."""
    objects = row.get("objects")
    if not isinstance(objects, Mapping):
        return []
    numbered = zip(objects.get("bbox") or (), objects.get("image_id") or (), strict=False)
    shown = [numbers for numbers, picture in numbered if picture == 0]
    return [Point(*numbers) if len(numbers) == 2 else Rect(*numbers) for numbers in shown]


def _action(
    answer: str, places: Sequence[Point | Rect], dialect: Dialect, screen: AgentScreen
) -> Action | None:  # fmt: skip
    """What the answer asks for, with the places put where they are in the text of the dialect."""
    from collector.exchange.training.written_answers import with_places

    points = [place for place in places if isinstance(place, Point)]
    read = dialect.read(with_places(dialect, answer, points, screen), screen).predicted
    return None if isinstance(read, Invalid) else read


def _box(answer: str, dialect: Dialect, screen: AgentScreen) -> Rect | None:
    """The box that an answer is; None for another answer."""
    with contextlib.suppress(ValueError, TypeError):
        numbers = json.loads(answer)
        if isinstance(numbers, list) and len(numbers) == 4:
            corners = [numbers[:2], numbers[2:]]
            pairs = [pair[::-1] if dialect.y_first else pair for pair in corners]
            first, last = (dialect.space.to_device(pair, screen) for pair in pairs)
            return Rect(first.x, first.y, last.x, last.y)
    return None
