"""What a rehearsal keeps of each state of the phone: the screen, and what every rule did there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

from collector.anomalies.model import Anomaly
from collector.anomalies.rehearsal import Rehearsal, RehearsalOutcome, RehearsedRule
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.model.geometry import Size
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import DEFAULT_SEED, InjectionRun
from collector.rules.grammar.model import WAYMARK, Rule

_WIDEST = 720
"""Pixels of a kept picture: the pane that shows it is narrower."""
_QUALITY = 82


@dataclass(frozen=True, slots=True)
class RehearsalSetup:
    """What a person chose."""

    live: bool = False
    """Whether what fires is injected; else it is a dry run."""
    rule_id: str = ""
    """The one rule that is rehearsed; empty for all."""
    seed: int = DEFAULT_SEED
    most: int = 1
    """So many anomalies an episode allows."""


@dataclass(frozen=True, slots=True)
class RehearsalInput:
    """What there is to rehearse at this moment, edits that are not saved yet included."""

    rules: Sequence[Rule] = ()
    """The injection rules."""
    anomalies: Mapping[str, Anomaly] = field(default_factory=dict)
    """By id."""
    semantics: str = WAYMARK
    folder: Path | None = None
    """Where the pictures rules name are; None when there is no project."""


@dataclass(frozen=True, slots=True)
class PhoneObservation:
    """A state of the phone that is to be judged."""

    snapshot: TreeSnapshot
    frame: Frame | None
    """None when there is no picture, or none may be taken."""
    size: Size
    """The screen in the pixels of the tree."""
    dialog_open: bool = False
    forced: str = ""
    """Id of the rule that fires here whatever it says; the others are not tried then."""


@dataclass(slots=True)
class RehearsedState:
    """A state of the phone that was judged. Belongs to the GUI thread once it was made."""

    number: int
    """From 1."""
    view: StateView
    size: Size
    picture: bytes = b""
    """A JPEG; empty when there is none."""
    cells: dict[str, RehearsedRule] = field(default_factory=dict)
    """By id of the rule, in the order they were tried."""

    def image(self) -> QImage:
        """The screen as it was; null when there is none."""
        return QImage.fromData(self.picture) if self.picture else QImage()


class RehearsalRun:
    """Follows one rehearsal from state to state. Not thread-safe: one call at a time, on any thread."""

    def __init__(self, setup: RehearsalSetup) -> None:
        self._run = InjectionRun((), seed=setup.seed, max_interferences=setup.most)
        self._before: StateView | None = None
        self._folder: Path | None = None
        self._count = 0

    def judged(self, shot: PhoneObservation, matter: RehearsalInput, setup: RehearsalSetup) -> RehearsedState:
        """What every rule does at the next state, nothing injected yet."""
        view = self._next_view(shot)
        rehearsal = self._prepared(matter, setup)
        told = rehearsal.state(view, dialog_open=shot.dialog_open)
        return self._kept(shot, view, told)

    def forced(
        self,
        shot: PhoneObservation,
        last: RehearsedState | None,
        matter: RehearsalInput,
        setup: RehearsalSetup,
    ) -> RehearsedState | None:
        """A state with one rule forced: ``last`` again when that is what the phone still shows.

        None when the rule is gone. That it is forced counts for no limit.
        """
        rule = next((rule for rule in matter.rules if rule.id == shot.forced), None)
        if rule is None:
            return None
        if last is None or last.view.xml != shot.snapshot.xml:
            view = self._next_view(shot)
            return self._kept(shot, view, [self._force(view, rule, matter, setup)])
        told = self._force(_copy(last.view), rule, matter, setup)
        return replace(last, cells={**last.cells, rule.id: told})

    def _force(
        self, view: StateView, rule: Rule, matter: RehearsalInput, setup: RehearsalSetup
    ) -> RehearsedRule:
        told = self._prepared(matter, setup).force(rule, view.step, view.package)
        shown = RehearsalOutcome.WOULD_FIRE if told.shown is RehearsalOutcome.FIRED else told.shown
        proof = evaluate(rule, view, matter.semantics, self._run.images)
        return replace(told, shown=shown, proof=proof)

    def _next_view(self, shot: PhoneObservation) -> StateView:
        self._count += 1
        one, frame = shot.snapshot, shot.frame
        view = StateView(one.tree, one.xml, one.package, one.activity, self._count, previous=self._before)
        if frame is not None:
            view.picture = frame.rgb
        return view

    def _prepared(self, matter: RehearsalInput, setup: RehearsalSetup) -> Rehearsal:
        run = self._run
        if run.images is None or matter.folder != self._folder:
            self._folder = matter.folder
            run.images = ImageFiles(matter.folder) if matter.folder is not None else None
        run.semantics, run.max_interferences = matter.semantics, setup.most
        run.rules = [rule for rule in matter.rules if setup.rule_id in ("", rule.id)]
        run.anomalies = frozenset(matter.anomalies)
        return Rehearsal(run, matter.anomalies.get)

    def _kept(self, shot: PhoneObservation, view: StateView, told: Sequence[RehearsedRule]) -> RehearsedState:
        view.previous = None  # else every state would keep all before it
        self._before = view
        cells = {one.rule.id: one for one in told}
        return RehearsedState(
            view.step, _copy(view), shot.size, _jpeg(shot.frame) if shot.frame else b"", cells
        )


def _copy(view: StateView) -> StateView:
    """The same screen for another thread."""
    return StateView(view.tree, view.xml, view.package, view.activity, view.step)


def _jpeg(frame: Frame) -> bytes:
    size = frame.size
    if size.width > _WIDEST:
        size = Size(_WIDEST, max(1, size.height * _WIDEST // size.width))
    pixels = frame.scaled_bgra(size)
    image = QImage(pixels.data, size.width, size.height, QImage.Format.Format_RGB32)
    kept = QByteArray()
    buffer = QBuffer(kept)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG", _QUALITY)  # type: ignore[call-overload]  # the stubs want bytes, Qt takes text
    buffer.close()
    return bytes(kept.data())
