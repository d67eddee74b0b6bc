"""Samples of what is done: a step with what was before it, or a whole trajectory as one conversation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collector.agents.agent import TREE
from collector.agents.openai.chat_conversation import ASSISTANT, SYSTEM, USER, ChatTurn
from collector.agents.openai.shown_picture import ShownPicture
from collector.agents.translators.coordinates import AgentScreen
from collector.exchange.exchange_log import NOTE
from collector.exchange.training.sample_options import STEPS, WHOLE, SampleOptions
from collector.exchange.training.taught_steps import ShownScreen, TaughtStep, TaughtTrajectory
from collector.exchange.training.written_answers import WrittenAnswer, has_places_apart, places_apart
from collector.model.action import action_to_dict
from collector.model.geometry import Point, Position, Size
from collector.model.i18n import _
from collector.trainer_files.conversation import (
    IMAGE,
    Picture,
    PlaceApart,
    Said,
    TrainingConversation,
    plain_words,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What a model is asked, as a sample holds it."""

    system: str
    said: tuple[Said, ...]
    pictures: tuple[Picture, ...]


def step_samples(taught: TaughtTrajectory) -> Iterator[TrainingConversation]:
    """A sample of each step that can be learnt."""
    for step in taught.steps():
        if step.written is not None and not step.is_elsewhere and _is_seen(step, taught):
            yield step_sample(taught, step, step.written)


def step_sample(
    taught: TaughtTrajectory,
    step: TaughtStep,
    written: WrittenAnswer,
    rejected: str = "",
    content: str = STEPS,
) -> TrainingConversation:
    """The sample of a step with an answer."""
    asked = asked_of(step.turns)
    said = (*asked.said, Said(ASSISTANT, written.text))
    apart = Apart(taught.options)
    apart.add_all(asked.said)
    apart.add(written, step.screen, step.picture, len(asked.pictures) - 1)
    return TrainingConversation(
        system=asked.system, said=said, pictures=asked.pictures, rejected=rejected,
        facts=facts(taught, content, step), said_apart=apart.said, places=apart.places,
    )  # fmt: skip


def whole_sample(taught: TaughtTrajectory) -> Iterator[TrainingConversation]:
    """The whole trajectory as one sample; none when a step of it cannot be learnt."""
    steps = list(taught.steps())
    if not steps:
        return
    if any(step.is_elsewhere for step in steps):
        text = _("A trajectory was left out, because an earlier side shows a screen of it")
        taught.log.add("trajectory-elsewhere", text, severity=NOTE)
        return
    written = [step.written for step in steps if step.written is not None and _is_seen(step, taught)]
    if len(written) < len(steps):
        text = _("A trajectory was left out, because a step of it cannot be learnt")
        taught.log.add("trajectory-unlearnable", text)
        return
    asked = asked_of(steps[-1].turns)
    if taught.options.sees == TREE:
        asked = _without_pictures(steps)
    apart, answers = Apart(taught.options), iter(enumerate(zip(steps, written, strict=True)))
    said: list[Said] = []
    for each in (*asked.said, Said(ASSISTANT, written[-1].text)):
        said.append(each)
        if each.role == USER:
            apart.add_all([each])
        else:
            number, (step, answer) = next(answers)
            apart.add(answer, step.screen, step.picture, number)
    yield TrainingConversation(
        system=asked.system, said=said, pictures=asked.pictures, facts=facts(taught, WHOLE, steps[-1]),
        said_apart=apart.said, places=apart.places,
    )  # fmt: skip


class Apart:
    """What is said, with the places beside it, for a form and a dialect that can have them so."""

    def __init__(self, options: SampleOptions) -> None:
        self._dialect = options.shown.dialect
        self._wanted = options.places_apart and has_places_apart(self._dialect)
        self.said: list[Said] = []
        self.places: list[PlaceApart] = []

    def add_all(self, said: Iterable[Said]) -> None:
        """Add messages without places."""
        if self._wanted:
            self.said += said

    def add(
        self, written: WrittenAnswer, screen: AgentScreen, picture: ShownPicture | None, number: int
    ) -> None:
        """Add an answer about picture ``number`` of the sample."""
        if not self._wanted:
            return
        if picture is None:
            self.said.append(Said(ASSISTANT, written.text))
            return
        text, points = places_apart(self._dialect, written, screen)
        self.said.append(Said(ASSISTANT, text))
        places = (on_picture(point, screen.size, picture.size) for point in points)
        self.places += (PlaceApart((place.x, place.y), number) for place in places)


def on_picture(point: Point, screen: Size, picture: Size) -> Point:
    """A pixel of the screen as a pixel of its picture."""
    return Position(point, screen).on(picture)


def asked_of(turns: Sequence[ChatTurn]) -> Asked:
    """A conversation without its answer."""
    system = "\n\n".join(turn.text for turn in turns if turn.role == SYSTEM)
    rest = [turn for turn in turns if turn.role != SYSTEM]
    pictures = tuple(picture_of(turn.picture) for turn in rest if turn.picture is not None)
    return Asked(plain_words(system, keeps_places=True), tuple(map(_said, rest)), pictures)


def _without_pictures(steps: Sequence[TaughtStep]) -> Asked:
    """Trees alone: every step has a message of its own with its elements."""
    first = asked_of(steps[0].turns)
    said: list[Said] = []
    for step in steps:
        if said:
            answer = steps[len(said) // 2].written
            assert answer is not None
            said.append(Said(ASSISTANT, answer.text))
        said.append(_said(step.turns[-1]))
    return Asked(first.system, tuple(said), ())


def _said(turn: ChatTurn) -> Said:
    parts = [plain_words(turn.text, keeps_places=True)]
    if turn.picture is not None:
        parts.append(IMAGE)
    parts.append(plain_words(turn.rest, keeps_places=True))
    return Said(turn.role, "\n".join(filter(None, parts)))


def picture_of(shown: ShownPicture) -> Picture:
    """A picture as a sample has it."""
    return Picture.of(shown.data, "jpg" if shown.media_type == "image/jpeg" else "png")


def facts(
    taught: TaughtTrajectory, content: str, step: ShownScreen, target: Sequence[int] = ()
) -> dict[str, Any]:
    """Where a sample comes from, the same keys for each."""
    header, task = taught.stored.header, taught.task
    episode = header.episode
    action = step.action if isinstance(step, TaughtStep) else None
    bounds = step.step.target.bounds if step.step.target is not None else None
    box = (bounds.left, bounds.top, bounds.right, bounds.bottom) if bounds is not None else ()
    return {
        "content": content, "task": header.task_id, "instruction": task.instruction,
        "app": task.package or task.app, "trajectory": header.id, "kind": header.shown_kind,
        "agent": episode.agent if episode is not None else "", "step": step.number,
        "width": step.screen.size.width, "height": step.screen.size.height,
        "action": json.dumps(action_to_dict(action), ensure_ascii=False) if action is not None else "",
        "target": list(target or box),
    }  # fmt: skip


FACTS = {
    "content": str, "task": str, "instruction": str, "app": str, "trajectory": str, "kind": str, "agent": str,
    "step": int, "width": int, "height": int, "action": str, "target": list,
}  # fmt: skip
"""The keys of :func:`facts` and their types; a list is of whole numbers."""


def _is_seen(step: TaughtStep, taught: TaughtTrajectory) -> bool:
    """Whether the model is shown what it has to answer about."""
    if step.picture is None and taught.options.sees != TREE:
        text = _("A step without a picture that can be shown was left out")
        taught.log.add("no-picture", text, step=step.number)
        return False
    return True
