"""Hide by the redaction rules of a project what a source has, before any of it is written there."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source.checks import SourceScreenshot, convert_tree, extent, read_picture, read_tree
from collector.exchange.source.model import SourceStep, SourceTrajectory
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, action_to_dict
from collector.model.geometry import Size
from collector.model.message import _
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.tree import Tree
from collector.model.verdicts.judgement import Judgement
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.redaction_rules.covering import covered_picture
from collector.redaction_rules.hidden_screen import HiddenScreen
from collector.redaction_rules.trajectory_redaction import (
    HIDDEN_REGIONS,
    ScreenMask,
    TrajectoryRedaction,
    as_kept,
    without_hidden_target,
)
from collector.redaction_rules.word_masking import HiddenWords
from collector.rules.evaluation.state_view import StateView, main_package
from collector.store.project.project import Project
from collector.store.redaction.step_redaction import with_removal
from collector.store.trajectory.codec import Line
from collector.store.trajectory.episode_codec import turn_to_dict

RULES_HID = "rules-hid"
"""Code of the finding that rules of redaction hid something."""


@dataclasses.dataclass(slots=True)
class MaskedScreen:
    """The picture and the tree of a source's state without what is hidden, and its places."""

    picture: SourceScreenshot | None
    data: bytes | None
    tree: Tree | None
    hidden: HiddenScreen
    kept: list[dict[str, object]]
    had_picture: bool
    had_tree: bool

    def step(self, ready: Step, words: HiddenWords) -> Step:
        """The step on this screen, without the words."""
        picture = self.picture.data if self.picture is not None else None
        claimed = dataclasses.replace(
            ready.state,
            screenshot="x" if self.had_picture else "",
            tree="x" if self.had_tree else "",
        )
        said = with_removal(dataclasses.replace(ready, state=claimed), picture, self.data)
        bare = dataclasses.replace(said.state, screenshot="", tree="")
        step = without_hidden_target(words.masked_step(dataclasses.replace(said, state=bare)), self.hidden)
        if not self.kept:
            return step
        return dataclasses.replace(step, redacted=True, extra={**step.extra, HIDDEN_REGIONS: self.kept})


class ImportRedaction:
    """The redaction rules over one trajectory of a source. Without rules it changes nothing."""

    def __init__(self, project: Project, task_id: str, source: SourceTrajectory) -> None:
        """Look at all screens and texts first: a word is hidden before it was seen. Raises UserError."""
        self._redaction = TrajectoryRedaction(project.folder, task_id)
        if self:
            self._learn(source)

    def __bool__(self) -> bool:
        return bool(self._redaction)

    @property
    def words(self) -> HiddenWords:
        """The words that are hidden."""
        return self._redaction.words

    def _learn(self, source: SourceTrajectory) -> None:
        last: Action | None = None
        unheard = ExchangeLog()  # what cannot be read is noticed when it is written
        for number, step in enumerate(source.steps, start=1):
            picture = read_picture(step.screenshot, unheard, step.name) if step.screenshot else None
            tree = _tree_of(step, unheard)
            hidden = self._look(step, picture, tree, number, last)
            self._redaction.learn(hidden)
            self._redaction.learn_typed(
                step.action, tree, hidden, step.target.bounds if step.target is not None else None
            )
            self._redaction.learn_from_line(_said_in(step), hidden)
            last = step.action
        for event in source.events:
            self._redaction.learn_from_line({"kind": event.kind, **event.data})
        self._redaction.learn_from_texts(source.task.instruction, source.note)
        self._redaction.learn_from_line({"text": [source.annotations]})

    def _look(
        self, step: SourceStep, picture: SourceScreenshot | None, tree: Tree | None, number: int,
        last: Action | None,
    ) -> HiddenScreen:  # fmt: skip
        size = picture.size if picture is not None and not picture.size.is_empty else Size(0, 0)
        if size.is_empty and tree is not None:
            size = extent(tree)
        return self._redaction.look(_view(step, picture, tree, number, last), size)

    def masked(
        self, step: SourceStep, picture: SourceScreenshot | None, data: bytes | None, tree: Tree | None,
        number: int, last: Action | None,
    ) -> MaskedScreen:  # fmt: skip
        """The screen of a source's step without what is hidden."""
        hidden = self._look(step, picture, tree, number, last)
        view = _view(step, picture, tree, number, last)
        mask = ScreenMask(hidden, self.words)
        regions = mask.regions(view)
        masked = mask.dump(data, view) if data is not None else None
        new_tree = tree if masked == data else _parsed(masked)
        shown = picture
        if picture is not None and regions:
            covered = covered_picture(picture.data, regions, picture.size)
            shown = dataclasses.replace(picture, data=covered) if covered is not None else None
        return MaskedScreen(
            shown, masked, new_tree, hidden, as_kept(regions), picture is not None, data is not None
        )

    def event(self, kind: str, data: Line) -> Line:
        """What an event says without the words."""
        masked = self.words.masked_line({"kind": kind, **data})
        return {key: value for key, value in masked.items() if key != "kind" or key in data}

    def header(self, header: TrajectoryHeader) -> TrajectoryHeader:
        """The header without the words."""
        captions = self.words.captions
        if not captions:
            return header
        outcome = header.outcome
        return dataclasses.replace(
            header,
            instruction=captions.masked(header.instruction),
            note=captions.masked(header.note),
            extra=captions.masked(header.extra),
            outcome=captions.masked_outcome(outcome) if outcome is not None else None,
        )

    def annotations(self, values: dict[str, Any]) -> dict[str, Any]:
        """What people wrote, without the words."""
        return self.words.captions.masked(values)

    def judgements(self, judgements: list[Judgement]) -> list[Judgement]:
        """What judges said, without the words."""
        return [self.words.captions.masked_judgement(judgement) for judgement in judgements]

    def report(self, steps: tuple[Step, ...], log: ExchangeLog) -> None:
        """Say in how many steps something was hidden."""
        redacted = [step for step in steps if step.redacted]
        for step in redacted:
            log.add(
                RULES_HID,
                _("The redaction rules of the project hid something"),
                step=str(step.extra.get("source_step", step.index + 1)),
                severity=NOTE,
            )


def _view(
    step: SourceStep, picture: SourceScreenshot | None, tree: Tree | None, number: int, last: Action | None
) -> StateView:
    package = step.package or main_package(node.package for node in tree or ())
    return StateView(tree, b"", package, step.activity, number, last, picture=partial(_pixels, picture))


def _pixels(picture: SourceScreenshot | None) -> Any:
    try:
        return rgb_pixels(picture.data) if picture is not None else None
    except PictureError:
        return None


def _tree_of(step: SourceStep, log: ExchangeLog) -> Tree | None:
    if step.tree is None:
        return None
    read = (
        convert_tree(step.convert, log, step.name) if step.convert else read_tree(step.tree, log, step.name)
    )
    return read[1]


def _parsed(dump: bytes | None) -> Tree | None:
    try:
        return parse_tree(dump) if dump else None
    except HierarchyError:
        return None


def _said_in(step: SourceStep) -> Line:
    """What is typed, said and written in a step, as its line has it."""
    line: Line = {
        **step.extra,
        "description": step.description,
        "note": step.note,
        "intention": step.intention,
    }
    if step.action is not None:
        line["action"] = action_to_dict(step.action)
    if step.agent is not None:
        line["agent"] = turn_to_dict(step.agent)
    return line
