"""Injection rules tried on the states of a live phone, one state after another, as an episode meets them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from collector.anomalies.model import Anomaly
from collector.anomalies.rehearsal import (
    RehearsalOutcome,
    RehearsedRule,
    rehearse_decision,
    rehearse_forced,
)
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.model.geometry import Size
from collector.model.seeds import DEFAULT_SEED
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import InjectionRun
from collector.rules.grammar.model import WAYMARK, Rule


@dataclass(frozen=True, slots=True)
class RehearsalSetup:
    """What a person chose for a rehearsal."""

    live: bool = False
    """Inject what fires; otherwise it is a dry run."""
    rule_id: str = ""
    """The one rule that is rehearsed; empty for all."""
    seed: int = DEFAULT_SEED
    most: int = 1
    """The most anomalies of one episode."""


@dataclass(frozen=True, slots=True)
class RehearsalInput:
    """The rules and anomalies to rehearse, unsaved edits included."""

    rules: Sequence[Rule] = ()
    """The injection rules."""
    anomalies: Mapping[str, Anomaly] = field(default_factory=dict)
    """By id."""
    semantics: str = WAYMARK
    folder: Path | None = None
    """Folder of the pictures that rules name; None when there is no project."""
    missing_fails: bool = False
    """A rule whose anomaly is missing fails when it fires; otherwise it is suppressed."""


@dataclass(frozen=True, slots=True)
class PhoneObservation:
    """A state of the phone on which the rules are to be tried."""

    snapshot: TreeSnapshot
    frame: Frame | None = None
    """None when there is no picture, or none may be taken."""
    size: Size = field(default=Size(0, 0))
    """The screen in the pixels of the tree."""
    dialog_open: bool = False
    forced: str = ""
    """Id of the one rule that fires here whatever it says; empty to try them all."""


@dataclass(slots=True)
class RehearsedState:
    """A state of the phone and what every rule did there. Its reader owns it once it is made."""

    number: int
    """From 1."""
    view: StateView
    size: Size
    picture: bytes = b""
    """The compressed screen; empty when there is none."""
    cells: dict[str, RehearsedRule] = field(default_factory=dict)
    """By id of the rule, in the order they were tried."""


class RehearsalRun:
    """Tries rules on each new state of one phone; draws, limits and ``once`` count over all of them.

    The command line and the window both rehearse with it. Not thread-safe: one call at a time, on any
    thread. It injects nothing: see :func:`collector.anomalies.rehearsal.inject`.
    """

    def __init__(self, setup: RehearsalSetup, compress: Callable[[Frame], bytes] | None = None) -> None:
        """``compress`` makes the picture that is kept of a state; without it none is kept."""
        self._run = InjectionRun((), seed=setup.seed, max_interferences=setup.most)
        self._compress = compress
        self._before: StateView | None = None
        self._folder: Path | None = None
        self._count = 0

    def judge(
        self, observation: PhoneObservation, given: RehearsalInput, setup: RehearsalSetup
    ) -> RehearsedState:
        """Try every rule on the next state."""
        view = self._next_view(observation)
        self._prepare(given, setup)
        decisions = self._run.step(view, dialog_open=observation.dialog_open)
        return self._state(
            observation, view, [rehearse_decision(decision, view, given.anomalies) for decision in decisions]
        )

    def force(
        self, observation: PhoneObservation, last: RehearsedState | None,
        given: RehearsalInput, setup: RehearsalSetup,
    ) -> RehearsedState | None:  # fmt: skip
        """Force one rule on a state: on ``last`` when the phone still shows it, otherwise on a new one.

        None when the rule does not exist any more. A forced rule counts for no limit.
        """
        rule = next((rule for rule in given.rules if rule.id == observation.forced), None)
        if rule is None:
            return None
        self._prepare(given, setup)
        if last is None or last.view.xml != observation.snapshot.xml:
            view = self._next_view(observation)
            return self._state(observation, view, [self._forced(view, rule, given)])
        forced = self._forced(_copy(last.view), rule, given)
        return replace(last, cells={**last.cells, rule.id: forced})

    def _forced(self, view: StateView, rule: Rule, given: RehearsalInput) -> RehearsedRule:
        proof = evaluate(rule, view, given.semantics, self._run.images)
        return replace(rehearse_forced(rule, view.step, given.anomalies), proof=proof)

    def _next_view(self, observation: PhoneObservation) -> StateView:
        self._count += 1
        snapshot, frame = observation.snapshot, observation.frame
        view = StateView(
            snapshot.tree, snapshot.xml, snapshot.package, snapshot.activity, self._count,
            previous=self._before, apps=snapshot.apps,
        )  # fmt: skip
        if frame is not None:
            view.picture = frame.rgb
        return view

    def _prepare(self, given: RehearsalInput, setup: RehearsalSetup) -> None:
        run = self._run
        if run.images is None or given.folder != self._folder:
            self._folder = given.folder
            run.images = ImageFiles(given.folder) if given.folder is not None else None
        run.semantics, run.max_interferences = given.semantics, setup.most
        run.rules = [rule for rule in given.rules if setup.rule_id in ("", rule.id)]
        run.anomalies = None if given.missing_fails else frozenset(given.anomalies)

    def _state(
        self, observation: PhoneObservation, view: StateView, rules: Sequence[RehearsedRule]
    ) -> RehearsedState:
        view.previous = None  # otherwise every state would keep all before it
        self._before = view
        frame, compress = observation.frame, self._compress
        picture = compress(frame) if frame is not None and compress is not None else b""
        cells = {rehearsed.rule.id: rehearsed for rehearsed in rules}
        return RehearsedState(view.step, _copy(view), observation.size, picture, cells)


def would_fire(state: RehearsedState) -> list[RehearsedRule]:
    """The rules of a state whose anomalies are to be injected in a live rehearsal."""
    return [cell for cell in state.cells.values() if cell.shown is RehearsalOutcome.WOULD_FIRE]


def _copy(view: StateView) -> StateView:
    """Copy a screen for another thread, without what was worked out of it."""
    return StateView(view.tree, view.xml, view.package, view.activity, view.step, apps=view.apps)
