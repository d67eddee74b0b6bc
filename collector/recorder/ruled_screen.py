"""Hide on the screens of a recording what the redaction rules of its project hide, before they are stored."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.password_fields import field_at
from collector.model.action import Action, action_to_dict
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.message import _
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.recorder.screen_moment import ScreenMoment
from collector.redaction_rules.covering import covered
from collector.redaction_rules.hidden_screen import HiddenRegion, HiddenScreen
from collector.redaction_rules.trajectory_redaction import (
    HIDDEN_REGIONS,
    ScreenMask,
    TrajectoryRedaction,
    as_kept,
    without_hidden_target,
)
from collector.redaction_rules.word_masking import HiddenWords
from collector.rules.evaluation.state_view import StateView
from collector.store.trajectory.episode_codec import turn_to_dict


class RuledScreen:
    """A screen of a recording and what the rules hide of it."""

    def __init__(self, view: StateView, screen: Size, hidden: HiddenScreen, words: HiddenWords) -> None:
        self._view, self._screen, self._words = view, screen, words
        self._hidden = hidden
        self._mask = ScreenMask(hidden, words)
        self.regions: list[HiddenRegion] = self._mask.regions(view)

    @property
    def places(self) -> list[Rect]:
        """The covered places, in pixels of the screen."""
        return [region.bounds for region in self.regions]

    def covered(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A copy of uint8 RGB pixels of shape (h, w, 3) with the hidden places covered."""
        return covered(pixels, self.regions, self._screen)

    def masked_tree(
        self, xml: bytes | None, tree: Tree | None, problems: list[str]
    ) -> tuple[bytes | None, Tree | None]:
        """The dump and its tree without what is hidden; none, with a problem, where that cannot be done."""
        if xml is None or tree is None:
            return xml, tree
        masked = self._mask.dump(xml, self._view)
        if masked is None:
            problems.append(_("The UI tree was left out: what is private in it could not be masked"))
            return None, None
        return (xml, tree) if masked == xml else (masked, parse_tree(masked, source=tree.source))

    def masked_step(self, step: Step) -> Step:
        """The step without the words, with the places that are hidden of its screen."""
        step = without_hidden_target(self._words.masked_step(step), self._hidden)
        if not self.regions:
            return step
        return dataclasses.replace(
            step, redacted=True, extra={**step.extra, HIDDEN_REGIONS: as_kept(self.regions)}
        )


class RecordingRules:
    """The redaction rules along a recording, for the thread that writes it."""

    def __init__(self, folder: Path, task_id: str) -> None:
        """Of the trajectory in ``folder``. Raises UserError when the rules cannot be read."""
        self._redaction = TrajectoryRedaction.of(folder, task_id)
        self._last: Action | None = None
        self.problem = ""
        """Why the rules as they are now cannot be read: those from before go on to count."""

    @property
    def words(self) -> HiddenWords:
        """The words that are hidden in the trajectory so far."""
        return self._redaction.words

    def look(
        self,
        moment: ScreenMoment,
        number: int,
        step: dict[str, Any],
        action: Action | None = None,
        *fields: Node | None,
    ) -> tuple[RuledScreen | None, list[str]]:
        """The screen with what is hidden of it, and the words that are hidden from now on.

        ``number`` is that of the step, from 1; ``step`` has what is typed and said in it, and ``action`` is
        taken on it. ``fields`` are those that may take its text.
        """
        self._read_again()
        if not self._redaction and not self.words:
            return None, []
        view = self._view(moment, number)
        hidden = self._redaction.look(view, moment.screen)
        new = self._redaction.learn(hidden)
        places = [field.bounds for field in fields if field is not None]
        new += self._redaction.learn_typed(action, moment.tree, hidden, *places)
        new += self._redaction.learn_from_line(step, hidden)
        self._last = action or self._last
        return RuledScreen(view, moment.screen, hidden, self.words), new

    def learn_from_event(self, line: dict[str, Any]) -> list[str]:
        """The words that are new in the line of an event."""
        self._read_again()
        return self._redaction.learn_from_line(line)

    def learn_from_texts(self, *texts: str) -> list[str]:
        """The words that are new in texts of no screen, as an instruction."""
        return self._redaction.learn_from_texts(*texts)

    def _read_again(self) -> None:
        try:
            self._redaction.read_again()
            self.problem = ""
        except UserError as error:
            self.problem = str(error)

    def _view(self, moment: ScreenMoment, number: int) -> StateView:
        frame = moment.frame
        return StateView(
            moment.tree, moment.xml, moment.package, moment.activity, number, self._last,
            apps=moment.apps, picture=frame.rgb if frame is not None else lambda: None,
        )  # fmt: skip


def field_of(turn: AgentTurn | None, moment: ScreenMoment) -> Node | None:
    """The field that an agent taps before it types; None where it names none."""
    if turn is None or turn.focus is None or moment.tree is None:
        return None
    return field_at(moment.tree, turn.focus)


def line_of(action: Action | None, agent: Any, extra: dict[str, Any]) -> dict[str, Any]:
    """What is typed and said in a step, as its line has it."""
    line: dict[str, Any] = dict(extra)
    if action is not None:
        line["action"] = action_to_dict(action)
    if agent is not None:
        line["agent"] = turn_to_dict(agent)
    return line
