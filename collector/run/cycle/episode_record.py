"""What an episode leaves and what it says: lines and steps in its run, and events for those who watch."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2

from collector.agents.agent import tool_of
from collector.anomalies.events import AnomalyEvent
from collector.hierarchy.captions import caption
from collector.model.action import Action, Type, action_to_dict
from collector.model.episode import AGENT_LOG_EVENT, AgentTurn, Outcome
from collector.model.geometry import Rect, Size
from collector.model.message import to_json
from collector.model.trajectory import TOOL
from collector.model.verdicts.judgement import Judgement
from collector.recorder.passwords.agent_secrets import hide_secrets
from collector.recorder.passwords.password_keys import password_character
from collector.recorder.passwords.text_destination import TextDestination, predicted_destination
from collector.recorder.ruled_screen import RecordingRules, RuledScreen, field_of, line_of
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.step_builder import CapturedAction, hidden_places
from collector.replay.recorded_anomalies import note_anomaly
from collector.run.cycle.phases import CyclePhase
from collector.run.events import (
    ActionPredicted,
    AnomalyChanged,
    ControlChanged,
    PhaseChanged,
    RunEvent,
    ScreenObserved,
    StatesReached,
    StepDone,
    TextsHidden,
    UserAsked,
)
from collector.store.redaction.screens import blacked_out
from collector.store.redaction.secret_text import SecretTexts, is_short

CYCLE_EVENT = "cycle"
"""Kind of the lines in ``events.jsonl`` that a cycle writes."""
_MOST_LOGGED, _ALWAYS_LOGGED = 200_000, 2_000
"""Characters of an agent's log that an episode keeps, and of each step when those are spent."""
PREVIEW_WIDTH = 360
"""Widest picture that is sent to people who watch."""
_QUALITY = 70
_log = logging.getLogger(__name__)


class EpisodeRecord:
    """Writes one run and emits its events. Raises UserError once the disk refused something.

    ``number`` is that of the step that comes next, from 1; 0 while the phone is prepared.
    """

    def __init__(
        self, recorder: RunRecorder, emit: Callable[[RunEvent], None], worker: str, cell: str
    ) -> None:
        self.recorder = recorder
        self.number = 0
        self.steps = recorder.count
        """Steps recorded so far, with those before the agent's start."""
        self.packages: set[str] = set()
        """Packages that were in front."""
        self._emit, self._worker, self._cell = emit, worker, cell
        self._known_states: tuple[str, ...] = ()
        self._may_log = _MOST_LOGGED
        self._secrets, self._passwords = SecretTexts(), SecretTexts()
        """As the recorder's, for events; those are handled on another thread."""
        self._rules = RecordingRules(recorder.folder, recorder.header.task_id)

    def add_secrets(self, texts: Iterable[str]) -> None:
        """Neither write nor say these texts from now on, as passwords are not."""
        given = tuple(texts)
        self.recorder.add_secrets(given)
        self._secrets.add(*given)

    def hide(self, text: str, destination: TextDestination) -> None:
        """Neither write nor say a typed text, and mask it in what was written and said before.

        A password is hidden on screens too; a text whose field is not known may be shown there.
        """
        is_password = destination is TextDestination.PASSWORD
        self.recorder.hide_typed(text, on_screens=is_password)
        self._secrets.add_typed(text)
        if is_password:
            self._passwords.add_typed(text)
        typed = self._secrets.typed
        texts = (text,) if is_short(typed) else (text, typed)
        self.emit(TextsHidden(worker=self._worker, cell=self._cell, texts=texts))

    def masked_outcome(self, outcome: Outcome) -> Outcome:
        """The outcome as it is written and said."""
        return self._secrets.masked_outcome(outcome)

    def masked_judgement(self, judgement: Judgement) -> Judgement:
        """The judgement without what is hidden in its words."""
        return self._secrets.masked_judgement(judgement)

    def masked_text(self, text: str) -> str:
        """A text, as of a log, without what is hidden."""
        return self._secrets.masked(text)

    # -- lines ---------------------------------------------------------------
    def enter(self, phase: CyclePhase) -> None:
        """Say that a phase begins, to those who watch."""
        self.emit(PhaseChanged(worker=self._worker, cell=self._cell, step=self.number, phase=phase.value))

    def line(
        self, phase: CyclePhase, data: Mapping[str, Any] | None = None, screen: ScreenMoment | None = None
    ) -> None:
        """Write the line of a phase that is done; its ``number`` is that of the step.

        A ``screen`` that no step has is stored with it.
        """
        values = {"phase": phase.value, "number": self.number, **(data or {})}
        self.recorder.note_event(CYCLE_EVENT, time.monotonic_ns(), values, screen)

    def agent_log(self, lines: Sequence[str]) -> None:
        """Keep what the agent wrote beside its answers, of too much the end."""
        text = "\n".join(lines)
        if not text:
            return
        if len(text) > (most := max(self._may_log, _ALWAYS_LOGGED)):
            text = "… " + text[-most:]
        self._may_log -= len(text)
        self.recorder.note_event(AGENT_LOG_EVENT, time.monotonic_ns(), {"number": self.number, "text": text})

    def note_anomaly(self, event: AnomalyEvent) -> None:
        """Record what becomes of an injected anomaly."""
        note_anomaly(self.recorder, event)
        self.emit(
            AnomalyChanged(
                worker=self._worker, cell=self._cell, step=self.number, anomaly=event.anomaly,
                transition=event.kind, answer=event.answer, how=event.how, reason=event.reason,
            )
        )  # fmt: skip

    # -- steps ---------------------------------------------------------------
    def step(
        self, moment: ScreenMoment, action: Action, turn: AgentTurn | None, acted_ns: int,
        extra: Mapping[str, Any] | None = None, *, hides_text: bool = False,
    ) -> None:  # fmt: skip
        """Record the screen that was observed and the action executed on it."""
        if moment.package:
            self.packages.add(moment.package)
        if turn is not None and (tool := tool_of(turn)) and action.point is not None:
            extra = {**(extra or {}), TOOL: tool}
        self.recorder.step(moment, action, extra, agent=turn, acted_ns=acted_ns, hides_text=hides_text)
        self.steps += 1

    # -- events for those who watch ------------------------------------------
    def observed(self, moment: ScreenMoment, dialog: Rect | None, *, with_picture: bool) -> None:
        """Say which screen the next decision is about."""
        ruled = self._ruled(moment)
        size = moment.screen
        bounds = (dialog.left, dialog.top, dialog.right, dialog.bottom) if dialog is not None else ()
        self.emit(
            ScreenObserved(
                worker=self._worker, cell=self._cell, step=self.number,
                picture=preview(moment, self._passwords, ruled) if with_picture else b"",
                width=size.width, height=size.height,
                package=moment.package, activity=moment.activity,
                dialog=bounds,  # type: ignore[arg-type]  # empty for no dialog
            )
        )  # fmt: skip

    def _ruled(self, moment: ScreenMoment) -> RuledScreen | None:
        """The screen with what rules hide of it, whose words nobody is told from now on."""
        ruled, words = self._rules.look(moment, self.number, {})
        self._tell_nobody(words)
        return ruled

    def _tell_nobody(self, words: Sequence[str]) -> None:
        everywhere = tuple(word for word in words if self._rules.words.everywhere.finds(word))
        if everywhere:
            self._secrets.add(*everywhere)
            self.emit(TextsHidden(worker=self._worker, cell=self._cell, texts=everywhere))

    def predicted(self, moment: ScreenMoment, turn: AgentTurn, action: Action, hold_ms: int) -> None:
        """Say what the agent answered, before it is executed, without a text that may be a password."""
        shown = CapturedAction(moment, action, agent=turn)
        field = field_of(turn, moment)
        _ruled, words = self._rules.look(moment, self.number, line_of(action, turn, {}), action, field)
        self._tell_nobody(words)
        if _may_type_password(action, turn, moment):
            text = action.text if isinstance(action, Type) else ""
            shown = hide_secrets(replace(shown, hides_text=True), SecretTexts([text]))
        shown = hide_secrets(shown, self._secrets)
        assert shown.action is not None
        said = caption(shown.action, moment.tree)
        self.emit(
            ActionPredicted(
                worker=self._worker, cell=self._cell, step=self.number,
                thought=shown.agent.thought if shown.agent is not None else "",
                action=action_to_dict(shown.action), caption=str(said),
                caption_parts=to_json(said), executes_in_ms=hold_ms,
            )
        )  # fmt: skip

    def done(self, number: int, timings_ms: Mapping[str, int], person: str = "") -> None:
        """Say that step ``number`` was executed, and the screen came to rest."""
        self.emit(
            StepDone(worker=self._worker, cell=self._cell, step=number, timings_ms=timings_ms, person=person)
        )

    def reached(self, reached: tuple[str, ...], states: tuple[str, ...]) -> None:
        """Say which essential states are reached, when there are new ones."""
        if reached != self._known_states:
            self._known_states = reached
            self.emit(StatesReached(worker=self._worker, cell=self._cell, reached=reached, states=states))

    def control(self, state: str, person: str = "") -> None:
        """Say, and record, who moves: ``running``, ``paused``, ``taken_over`` or ``stopping``."""
        values = {"phase": CyclePhase.HOLD.value, "number": self.number, "control": state}
        data = {**values, "person": person} if person else values
        self.recorder.note_event(CYCLE_EVENT, time.monotonic_ns(), data)
        self.emit(ControlChanged(worker=self._worker, cell=self._cell, state=state, person=person))

    def asked(self, question: str, within_s: float, *, is_open: bool) -> None:
        """Say that the agent waits for a person's answer, or no longer."""
        self.emit(
            UserAsked(
                worker=self._worker, cell=self._cell, step=self.number,
                question=self._secrets.masked(question), is_open=is_open, within_s=within_s,
            )
        )  # fmt: skip

    def emit(self, event: RunEvent) -> None:
        """Emit an event; who fails to take it stops no episode."""
        try:
            self._emit(event)
        except Exception:  # noqa: BLE001 - the boundary to those who watch
            _log.exception("an event of a run could not be emitted: %r", event.kind)


def _may_type_password(action: Action, turn: AgentTurn, moment: ScreenMoment) -> bool:
    if isinstance(action, Type) and action.text:
        destination = predicted_destination(action.text, moment, turn.focus)
        return destination is not TextDestination.PLAIN
    return bool(password_character(action, moment))


def preview(
    moment: ScreenMoment, passwords: SecretTexts | None = None, ruled: RuledScreen | None = None
) -> bytes:
    """A small JPEG of a screen without password fields, ``passwords`` and what rules hide of it.

    Empty without a picture.
    """
    frame = moment.frame
    if frame is None or frame.size.is_empty:
        return b""
    width = min(PREVIEW_WIDTH, frame.size.width)
    small = frame.scaled_bgra(Size(width, max(1, frame.size.height * width // frame.size.width)))[:, :, :3]
    if hidden := hidden_places(moment, passwords):
        small = blacked_out(small, hidden, moment.screen)
    if ruled is not None and ruled.regions:
        small = ruled.covered(small)
    encoded, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return bytes(data) if encoded else b""
