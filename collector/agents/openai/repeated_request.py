"""A request of a run that is sent again: its pictures are drawn anew from the files of the trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.agents.openai.chat_conversation import USER, ChatTurn
from collector.agents.openai.kept_request import messages_of, request_of
from collector.agents.openai.shown_picture import PictureOptions, draw_picture
from collector.agents.screen_elements import LIST_STYLES, ElementList, list_elements
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.comparison.alignment.reading import read_tree
from collector.device.frame import Frame
from collector.model.errors import UserError
from collector.model.geometry import Point, Size
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.store.trajectory.reader import StoredTrajectory

_LONGEST_SIDE = 10_000


@dataclass(frozen=True, slots=True)
class RepeatedRequest:
    """A kept request with its pictures, to be sent."""

    turns: tuple[ChatTurn, ...]
    screen: AgentScreen
    """What an answer will be about."""
    fields: Mapping[str, Any]


def repeat_request(stored: StoredTrajectory, index: int, dialect: Dialect) -> RepeatedRequest:
    """The request of a step of a run, as it was sent; ``dialect`` is what the model answers in.

    Raises UserError when it cannot be made again.
    """
    step = stored.steps[index]
    kept = request_of(step)
    if kept is None:
        raise UserError(
            _("Step {step} keeps no request", step=index + 1),
            _("no model was asked there, or by a program that keeps none"),
            _("Choose a step of a run of an agent of the kind openai"),
        )
    drawn = kept.get("drawn")
    drawing = _Drawing(stored, drawn if isinstance(drawn, Mapping) else {}, dialect)
    turns = tuple(map(drawing.turn, messages_of(kept)))
    fields = kept.get("fields")
    return RepeatedRequest(turns, drawing.screen(step, turns), fields if isinstance(fields, Mapping) else {})


class _Drawing:
    """Draws the pictures of a kept request anew."""

    def __init__(self, stored: StoredTrajectory, drawn: Mapping[str, Any], dialect: Dialect) -> None:
        self._stored, self._dialect = stored, dialect
        numbers = {name: drawn.get(name) for name in ("max_pixels", "quality")}
        whole = {name: value if type(value) is int else 0 for name, value in numbers.items()}
        self._options = PictureOptions(drawn.get("grid") is True, drawn.get("marks") is True, **whole)
        limit = drawn.get("tree_limit")
        self._tree, self._limit = str(drawn.get("tree") or ""), limit if type(limit) is int else 0

    def turn(self, message: Mapping[str, Any]) -> ChatTurn:
        role, text = str(message.get("role") or USER), str(message.get("text") or "")
        rest, picture = str(message.get("rest") or ""), message.get("picture")
        if not isinstance(picture, Mapping):
            return ChatTurn(role, text, rest=rest)
        number, size = self._named(picture)
        step = self._stored.steps[number - 1]
        data = self._stored.screenshot(step)
        try:
            frame = Frame(rgb_pixels(data or b""), sequence=0, received_ns=0)
        except PictureError as error:
            raise UserError(_("The picture of step {step} cannot be read", step=number), str(error)) from None
        screen = AgentScreen(step.state.size, size)
        elements = self._elements(step, screen).elements if self._options.marks else ()
        shown = draw_picture(frame, step.state.size, size, self._options, elements)
        return ChatTurn(role, text, shown, rest, number)

    def _named(self, picture: Mapping[str, Any]) -> tuple[int, Size]:
        """The step that a picture is of, from 1, and its size. Raises UserError."""
        number, size = picture.get("step"), picture.get("size")
        sides = [side for side in size if type(side) is int and 0 < side < _LONGEST_SIDE] if size else []
        if type(number) is not int or not 0 < number <= len(self._stored.steps) or len(sides) != 2:
            raise UserError(_("The request names a picture that the trajectory does not have"))
        return number, Size(*sides)

    def screen(self, step: Step, turns: Sequence[ChatTurn]) -> AgentScreen:
        """The screen of the step itself, in the size that the model saw it in."""
        own = next((turn.picture for turn in reversed(turns) if turn.picture is not None), None)
        size = step.state.size
        screen = AgentScreen(size, own.size if own is not None else size)
        return replace(screen, elements=self._elements(step, screen).rects)

    def _elements(self, step: Step, screen: AgentScreen) -> ElementList:
        def place(point: Point) -> list[int]:
            return self._dialect.place_of(point, screen)

        tree = read_tree(self._stored, step) if self._tree in LIST_STYLES else None
        return list_elements(tree, step.state.size, place, self._tree, self._limit)
