"""Samples of where something is: the caption of an element or the instruction of a step, and its box."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from collector.agents.openai.chat_conversation import ASSISTANT, USER
from collector.agents.openai.shown_picture import ShownPicture
from collector.agents.screen_elements import screen_elements
from collector.agents.translators.errors import NotExpressible
from collector.exchange.boxes.node_boxes import BoxChoice, node_boxes
from collector.exchange.training.action_samples import facts, on_picture, picture_of
from collector.exchange.training.sample_options import GROUNDING, TAP
from collector.exchange.training.taught_steps import ShownScreen, TaughtTrajectory
from collector.exchange.training.written_answers import write_answer
from collector.model.action import Tap
from collector.model.geometry import Point, Rect
from collector.model.tree import Tree
from collector.trainer_files.conversation import (
    BOX,
    IMAGE,
    PlaceApart,
    Said,
    TrainingConversation,
    plain_words,
)  # fmt: skip

_REF = "<ref-object>"
CAPTIONS = "Find this element of the screen: {words}"
INSTRUCTIONS = "Find what has to be touched on the screen to do this: {words}"
_QUESTION = "\nAnswer with its box, the coordinates of two corners."


def grounding_samples(taught: TaughtTrajectory) -> Iterator[TrainingConversation]:
    """A sample of each caption that names one element of its screen, and of each instruction of a touch.

    What was asked of a screen before is not asked again.
    """
    known: set[tuple[str, str, Rect]] = set()
    for step in taught.screens():
        if step.picture is None:
            continue
        picture = picture_of(step.picture).name
        for question, words, box in _asked(step):
            if (picture, words, box) not in known:
                known.add((picture, words, box))
                if (sample := _sample(taught, step, step.picture, question, words, box)) is not None:
                    yield sample


def _asked(step: ShownScreen) -> Iterator[tuple[str, str, Rect]]:
    if step.tree is not None:
        for words, box in _captions(step, step.tree):
            yield CAPTIONS, words, box
    target, action = step.step.target, step.step.action
    point = action.point if action is not None else None
    words = step.step.intention or step.step.description
    bounds = target.bounds if target is not None else None
    if words and bounds is not None and point is not None and bounds.contains(point):
        whole = Rect(0, 0, step.screen.size.width, step.screen.size.height)
        if (shown := bounds.intersection(whole)) is not None:
            yield INSTRUCTIONS, words, shown


def _captions(step: ShownScreen, tree: Tree) -> Iterator[tuple[str, Rect]]:
    """Captions that only one element of the screen has, with what can be seen of it."""
    size = step.screen.size
    boxes = {each.node.order: each.box for each in node_boxes(tree, size, BoxChoice())}
    elements = [each for each in screen_elements(tree, size) if each.label]
    counts = Counter(each.label for each in elements)
    for element in elements:
        if counts[element.label] == 1 and element.node.order in boxes:
            yield element.label, boxes[element.node.order]


def _sample(
    taught: TaughtTrajectory, step: ShownScreen, picture: ShownPicture, question: str, words: str, box: Rect
) -> TrainingConversation | None:
    options, dialect = taught.options, taught.options.shown.dialect
    plain = plain_words(words)
    asked = f"{IMAGE}\n{question.format(words=plain)}"
    said_apart: list[Said] = []
    places: list[PlaceApart] = []
    if options.grounding_answer == TAP:
        try:
            answer = write_answer(dialect, Tap(box.center.x, box.center.y), step.screen).text
        except NotExpressible:
            return None
    else:
        asked += _QUESTION
        corners = (Point(box.left, box.top), Point(box.right, box.bottom))
        answer = json.dumps(
            [number for corner in corners for number in dialect.place_of(corner, step.screen)]
        )
        if options.places_apart:
            shown = f"{IMAGE}\n{question.format(words=_REF)}{_QUESTION}"
            said_apart = [Said(USER, shown), Said(ASSISTANT, BOX)]
            first, last = (on_picture(corner, step.screen.size, picture.size) for corner in corners)
            places = [PlaceApart((first.x, first.y, last.x, last.y), 0)]
    return TrainingConversation(
        said=[Said(USER, asked), Said(ASSISTANT, answer)], pictures=[picture_of(picture)],
        facts=facts(taught, GROUNDING, step, (box.left, box.top, box.right, box.bottom)),
        said_apart=said_apart, places=places, refs=[plain] if places else (),
    )  # fmt: skip
