"""Who and what reached each essential state of the open trajectory, in one list: rules, people, models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.evaluation.steps_evaluation import LiveVerdicts
from collector.judge.registry import RULES_JUDGE
from collector.model.essential_state import labels
from collector.model.i18n import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.task import Task
from collector.model.trajectory import RECORDING
from collector.model.verdicts.judgement import JUDGE_KINDS, MISSED, PERSON, REACHED, RULE, STATE, Judgement
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.bridge.review.stored_verdicts import StoredVerdicts
from studio.views.record.achieved_states import AchievedStates
from studio.views.record.session import RecordSession
from studio.views.record.verdict_controller import VerdictController
from studio.views.services import WindowServices
from studio.widgets.recording_cards.task_card import StateMark
from studio.widgets.timeline.lanes import LaneMark, MarkPart, state_mark


@dataclass(frozen=True, slots=True)
class StateTick:
    """One judge's answer on one state."""

    who: str
    kind: str
    """rule, model or person."""
    step: int | None
    """Index of the step that reaches the state; None when the judge says that none does."""
    reason: str = ""

    @property
    def line(self) -> str:
        """The tick in a line, as in ``rules: step 4. The activity is .Cart``."""
        name = _("rules") if self.kind == RULE and self.who == RULES_JUDGE else self.who
        where = _("step {number}", number=self.step + 1) if self.step is not None else _("not reached")
        return f"{name}: {where}" + (f" · {self.reason}" if self.reason else "")


class StateTicks(QObject):
    """Follows the session: what rules say live, what the person marked, and what others judged."""

    changed = Signal()

    def __init__(
        self,
        session: RecordSession,
        marks: AchievedStates,
        verdicts: VerdictController,
        services: WindowServices,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._marks, self._stored_verdicts = session, marks, verdicts
        self._library, self._recording = services.project_library, services.recording
        self.stored = StoredVerdicts(services.tasks, self)
        self._rules_of: object = None
        session.trajectory_changed.connect(self._open)
        session.steps_changed.connect(self._follow)
        for signal in (
            self.stored.changed, marks.changed, verdicts.changed, self._recording.verdicts_changed,
        ):  # fmt: skip
            signal.connect(self.changed)
        self._library.changed.connect(self._project_changed)
        self._library.reload_asked.connect(self._rules_changed)
        self._library.edits.saved.connect(self._rules_changed)

    # -- following ---------------------------------------------------------------
    @Slot()
    def _open(self) -> None:
        session, header = self._session, self._session.header
        is_stored = session.editor is not None and header is not None
        self.stored.open(session.folder if is_stored else None, header.task_id if header is not None else "")

    @Slot()
    def _follow(self) -> None:
        self.stored.follow(self._session.steps)

    @Slot(object)
    def _project_changed(self, snapshot: ProjectSnapshot) -> None:
        """Another program may have written states."""
        if snapshot.states != self._rules_of:
            self._rules_of = snapshot.states
            self._rules_changed()

    @Slot()
    def _rules_changed(self) -> None:
        self.stored.reload_rules()
        self._recording.reload_rules()

    # -- what is shown -----------------------------------------------------------
    @property
    def verdicts(self) -> LiveVerdicts:
        """What the rules say of the open trajectory now."""
        return self.stored.verdicts if self._session.editor is not None else self._recording.verdicts

    def of(self, state: str) -> list[StateTick]:
        """The ticks of a state: the person's own first, then rules, models, and other people."""
        return [*self._own(state), *self._by_rules(state), *self._by_others(state)]

    def _own(self, name: str) -> list[StateTick]:
        """The person's marks of a state, or of a sentence that the project defines no state for."""
        marks = (mark for mark in self._marks.reached if mark.name == name)
        return [StateTick(self._session.author, PERSON, mark.step) for mark in marks]

    def _by_rules(self, state: str) -> list[StateTick]:
        """What the rules say now. That a state was missed is known at the end alone."""
        verdicts, header = self.verdicts, self._session.header
        if (at := verdicts.states.get(state)) is not None:
            return [StateTick(RULES_JUDGE, RULE, at.step, at.reason)]
        is_over = self._session.editor is not None and header is not None and header.status != RECORDING
        if not is_over or state not in verdicts.judged:
            return []
        stored = [tick for tick in self._stored(state) if tick.who == RULES_JUDGE and tick.step is None]
        return [StateTick(RULES_JUDGE, RULE, None, stored[0].reason if stored else "")]

    def _by_others(self, state: str) -> list[StateTick]:
        """The stored verdicts; those of the rules only where they cannot judge now."""
        is_live = state in self.verdicts.judged
        return [tick for tick in self._stored(state) if not (is_live and tick.who == RULES_JUDGE)]

    def _stored(self, state: str) -> list[StateTick]:
        return [
            StateTick(judgement.judge, judgement.kind, _step_of(judgement), shown_reason(judgement.reason))
            for judgement in sorted(self._stored_verdicts.shown, key=_by_kind)
            if (judgement.subject.kind, judgement.subject.state) == (STATE, state)
            and judgement.verdict in (REACHED, MISSED)
        ]

    def task_states(self, task: Task) -> list[StateMark]:
        """The states of a task for its card, and its success rule, each with what was seen of it."""
        sentences = labels(task.essential_states, self._library.edits.states)
        shown = [
            self._task_state(state, sentence)
            for state, sentence in zip(task.essential_states, sentences, strict=True)
        ]
        verdicts = self.verdicts
        if verdicts.has_success_rule:
            done = verdicts.done
            lines = (StateTick(RULES_JUDGE, RULE, done.step, done.reason).line,) if done is not None else ()
            shown.append(
                StateMark(_("The task is done"), done.step + 1 if done is not None else 0,
                          ticks=lines, is_goal=True)
            )  # fmt: skip
        return shown

    def _task_state(self, state: str, sentence: str) -> StateMark:
        ticks = self.of(state)
        steps = [tick.step for tick in ticks if tick.step is not None]
        missed = not steps and bool(ticks)
        lines = tuple(tick.line for tick in ticks)
        return StateMark(sentence, steps[0] + 1 if steps else 0, missed, lines, len(set(steps)) > 1)

    def lane_marks(self, task: Task | None) -> list[LaneMark]:
        """The marks of the timeline's lane of states: one a step, with all that was seen there.

        These are the person's own and what the rules say now; stored verdicts have a lane for each judge.
        """
        sentences = {name: state.label for name, state in self._library.edits.states.items()}
        known = task.essential_states if task is not None else ()
        marked = (mark.name for mark in self._marks.reached)
        at: dict[int, dict[str, list[StateTick]]] = {}
        for name in dict.fromkeys([*known, *self.verdicts.states, *marked]):
            for tick in (*self._own(name), *self._by_rules(name)):
                if tick.step is not None:
                    at.setdefault(tick.step, {}).setdefault(sentences.get(name, name), []).append(tick)
        done = self.verdicts.done
        if done is not None:
            tick = StateTick(RULES_JUDGE, RULE, done.step, done.reason)
            at.setdefault(done.step, {})[_("done")] = [tick]
        return [_lane_mark(step, seen) for step, seen in sorted(at.items())]


def _lane_mark(step: int, seen: Mapping[str, Sequence[StateTick]]) -> LaneMark:
    """The mark of a step; ``seen`` has the ticks of each state by what it says."""
    first, *others = seen
    tip = "\n".join(f"{name}\n  {tick.line}" for name, ticks in seen.items() for tick in ticks)
    parts = tuple(MarkPart("flag", name) for name in others)
    return replace(state_mark(step, first), parts=parts, tip=tip)


def _step_of(judgement: Judgement) -> int | None:
    if judgement.verdict != REACHED:
        return None
    return judgement.subject.last if judgement.subject.last is not None else 0


def _by_kind(judgement: Judgement) -> int:
    """Rules first, then models, then people."""
    return JUDGE_KINDS.index(judgement.kind)
