"""What a tile says about its worker: icons, words and tones. No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from collector.anomalies.events import ANSWERED, FOLLOWED, INJECTED, STALLED
from collector.hierarchy.captions import caption as action_caption
from collector.model.action import Action, DoubleTap, LongPress, Tap, action_from_dict
from collector.model.episode_text import condition_name, fault_text, verdict_text
from collector.model.i18n import N_, _
from collector.model.message import in_language
from collector.model.reasons.stored_reasons import shown_reason
from collector.run.events import EpisodeEnded
from collector.run.experiment.model import is_offline_cell
from collector.run.progress import LOST, WorkerProgress
from studio.widgets.captions.verdict_text import verdict_icon

STARTING, READY, RESTARTING, GONE, CLOSED = "starting", "ready", "restarting", "gone", "closed"
"""States of :class:`collector.run.events.WorkerChanged`."""
RUNNING, PAUSED, TAKEN_OVER, STOPPING = "running", "paused", "taken_over", "stopping"
"""States of :class:`collector.run.events.ControlChanged`."""
FOLLOW_UP = "follow_up"
RUNNING_ICON = "state-prog"
"""The icon of a worker whose agent acts."""
_WORKER_WORDS: Mapping[str, str] = {
    STARTING: N_("Starting the phone"),
    READY: N_("Waits for the next episode"),
    RESTARTING: N_("Restarting the phone"),
    GONE: N_("The phone is gone"),
    CLOSED: N_("Ended"),
    LOST: N_("The runner is gone"),
}
_WORKER_ICONS: Mapping[str, str] = {
    STARTING: "state-draft",
    READY: "state-todo",
    RESTARTING: "state-warn",
    GONE: "state-err",
    CLOSED: "state-todo",
    LOST: "state-err",
}
_STANDING = (STARTING, RESTARTING, GONE, CLOSED, LOST)
"""States in which a worker runs no episode."""
PHASE_WORDS: Mapping[str, str] = {
    "prepare": N_("resetting"),
    "observe": N_("observing"),
    "decide": N_("deciding"),
    "inject": N_("injecting"),
    "observe_again": N_("observing"),
    "think": N_("thinking"),
    "hold": N_("about to act"),
    "act": N_("acting"),
    "settle": N_("settling"),
    FOLLOW_UP: N_("checking the dialog"),
    "validate": N_("validating"),
    "end": N_("ending"),
}
"""By phase of the cycle."""


@dataclass(frozen=True, slots=True)
class TileHeader:
    """The first line of a tile."""

    icon: str
    name: str
    detail: str
    short_detail: str
    """For a small tile."""


@dataclass(frozen=True, slots=True)
class TileFooter:
    """The last line of a tile."""

    icon: str
    tone: str
    text: str
    right: str = ""
    counts: bool = False
    """Whether ``right`` changes with time."""


@dataclass(frozen=True, slots=True)
class TileBadge:
    """A badge at the foot of the text column."""

    text: str
    icon: str
    tone: str
    counts: bool = False


def predicted_action(worker: WorkerProgress) -> Action | None:
    """The action that the agent is about to do; None without one, and for one of a later version."""
    try:
        return action_from_dict(dict(worker.action)) if worker.action else None
    except (ValueError, TypeError):
        return None


def is_busy(worker: WorkerProgress) -> bool:
    """Whether an episode runs on it."""
    return bool(worker.cell) and worker.state not in (RESTARTING, GONE, CLOSED, LOST)


def is_taken_over(worker: WorkerProgress) -> bool:
    """Whether a person acts in the agent's place."""
    return is_busy(worker) and worker.control == TAKEN_OVER


def is_held(worker: WorkerProgress) -> bool:
    """Whether the agent waits for a person."""
    return is_busy(worker) and worker.control in (PAUSED, TAKEN_OVER)


def has_open_dialog(worker: WorkerProgress) -> bool:
    """Whether an injected anomaly is not answered yet."""
    return is_busy(worker) and bool(worker.anomaly) and worker.transition in (INJECTED, STALLED)


def name_of(worker: WorkerProgress) -> str:
    """The phone for a person, or the worker while its phone is not known."""
    return worker.phone or worker.serial or worker.name


def header_of(worker: WorkerProgress) -> TileHeader:
    """The state as a shape, the phone, the task and the step."""
    if not worker.task:
        return TileHeader(_state_icon(worker), name_of(worker), "", "")
    step = f"{worker.step} / {worker.budget}" if worker.budget else str(worker.step)
    detail = _("{task} · step {step}", task=worker.task, step=step)
    return TileHeader(_state_icon(worker), name_of(worker), detail, step.replace(" ", ""))


def _state_icon(worker: WorkerProgress) -> str:
    if worker.state in _STANDING:
        return _WORKER_ICONS[worker.state]
    if not worker.cell:
        return _ended_icon(worker.ended) if worker.ended is not None else _WORKER_ICONS[READY]
    if worker.control == TAKEN_OVER:
        return "state-ok"
    if has_open_dialog(worker) or worker.question:
        return "state-warn"
    return "pause" if worker.control == PAUSED else RUNNING_ICON


def _ended_icon(ended: EpisodeEnded) -> str:
    if ended.stopped:
        return "stop"
    if not (ended.infrastructure or ended.status) and is_offline_cell(ended.cell):
        return "check"
    return "state-warn" if ended.infrastructure else verdict_icon(ended.status)


def state_words(worker: WorkerProgress) -> str:
    """The state that the shape in the header stands for, for people who do not see it."""
    if worker.state in _STANDING:
        return _(_WORKER_WORDS[worker.state])
    if not worker.cell:
        return _ended_words(worker.ended) if worker.ended is not None else _(_WORKER_WORDS[READY])
    if worker.control == TAKEN_OVER:
        return _("{person} is in control", person=worker.person or _("A person"))
    if worker.question:
        return _("The agent waits for an answer")
    if worker.control == PAUSED:
        return _("Paused")
    if has_open_dialog(worker):
        return _("The dialog of {anomaly} is open", anomaly=worker.anomaly)
    return _("Running")


def facts_of(worker: WorkerProgress) -> list[tuple[str, str]]:
    """Agent and condition, each with its title, for the text column; empty before an episode."""
    if not worker.task:
        return []
    agent = worker.agent
    if is_taken_over(worker):
        agent = _("{person}, for {agent}", person=worker.person or _("a person"), agent=worker.agent)
    return [(_("Agent"), agent), (_("Condition"), condition_name(worker.condition))]


def thought_of(worker: WorkerProgress) -> tuple[str, str]:
    """A title and the text under it: the thought, what a person's control means, or a problem."""
    ended = worker.ended
    if worker.problem:
        return _("Problem"), worker.problem
    if is_taken_over(worker):
        words = _(
            "Paused by {person} at step {step}. The agent sees your actions as its own history.",
            person=worker.person or _("a person"),
            step=worker.step,
        )
        return _("Control"), words
    if ended is not None and ended.infrastructure:
        return _("Stopped") if ended.stopped else _("Fault of the machine"), fault_text(ended.infrastructure)
    if ended is not None and ended.reason:
        return _("Outcome"), shown_reason(ended.reason)
    if worker.question:
        return _("Question to the user"), worker.question
    if worker.thought:
        return _("Thought"), worker.thought
    return (_("Task"), worker.instruction) if worker.instruction else ("", "")


def seconds_left(until: float, now: float) -> int:
    """Whole seconds that a person may still take, the last one begun included."""
    return max(0, math.ceil(until - now))


def badge_of(worker: WorkerProgress, now: float) -> TileBadge | None:
    """What is special now; ``now`` in seconds since the epoch."""
    if not is_busy(worker):
        return None
    if worker.control == TAKEN_OVER:
        return TileBadge(_("taken over"), "hand", "ok")
    if worker.question:
        return TileBadge(
            _("asks, {seconds} s left", seconds=seconds_left(worker.answer_by, now)),
            "help",
            "warn",
            counts=True,
        )
    if worker.phase == FOLLOW_UP and worker.transition in (ANSWERED, FOLLOWED):
        return TileBadge(_("follow-up running"), "refresh", "info")
    if has_open_dialog(worker):
        seconds = f"{max(0.0, now - worker.anomaly_since):.1f}"
        return TileBadge(_("open {seconds} s", seconds=seconds), "zap", "warn", counts=True)
    return TileBadge(_("paused"), "pause", "") if worker.control == PAUSED else None


def footer_of(worker: WorkerProgress, now: float, me: str = "") -> TileFooter:
    """The next action and when it happens, or who is in control, or how it ended."""
    if worker.state in _STANDING:
        return TileFooter("phone", "text-2", _(_WORKER_WORDS[worker.state]))
    if not worker.cell:
        ended = worker.ended
        if ended is None:
            return TileFooter("phone", "text-2", _(_WORKER_WORDS[READY]))
        seconds = _("{seconds} s", seconds=f"{ended.seconds:.1f}") if ended.seconds else ""
        return TileFooter(_ended_icon(ended), "text", _ended_words(ended), seconds)
    if worker.control == TAKEN_OVER:
        is_me = not worker.person or worker.person == me
        words = _("You are in control") if is_me else _("{person} is in control", person=worker.person)
        return TileFooter("target", "accent", words)
    if worker.control == STOPPING:
        return TileFooter("stop", "text-2", _("Stopping"))
    return _next_footer(worker, now)


def _next_footer(worker: WorkerProgress, now: float) -> TileFooter:
    if worker.question:
        return TileFooter("help", "warn", _("Waits for an answer"))
    phase = _(PHASE_WORDS.get(worker.phase, worker.phase))
    right = _("paused") if worker.control == PAUSED else phase
    if not worker.action:
        words = in_language(worker.caption)
        return TileFooter("thought", "text-2", words or _capital(right), right if words else "")
    words = action_words(predicted_action(worker), worker.caption)
    remaining = worker.acts_at - now
    if remaining > 0 and worker.control != PAUSED:
        # Rounded up: 0.0 would be shown before anything happens.
        seconds = f"{math.ceil(remaining * 10 - 0.01) / 10:.1f}"
        return TileFooter("target", "accent", words, _("in {seconds} s", seconds=seconds), counts=True)
    return TileFooter("target", "accent", words, right)


def action_words(action: Action | None, caption: str) -> str:
    """An action in words, in the person's language as far as the run says it in parts."""
    if action is None:
        return in_language(caption) or _("An action that this version does not know")
    touches = isinstance(action, Tap | DoubleTap | LongPress) and caption
    return in_language(caption if touches else action_caption(action, None))


def _ended_words(ended: EpisodeEnded) -> str:
    if ended.stopped:
        return _("Stopped")
    if ended.infrastructure:
        return _("Fault, is tried again") if ended.will_retry else _("Fault of the machine")
    if not ended.status and is_offline_cell(ended.cell):
        return _("Answered")
    words = _capital(verdict_text(ended.status))
    return _("{outcome}, stopped early", outcome=words) if ended.early_stop else words


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def accessible_text(worker: WorkerProgress, now: float, me: str = "") -> str:
    """The whole tile in words."""
    header, (title, thought) = header_of(worker), thought_of(worker)
    facts = [f"{name}: {value}" for name, value in facts_of(worker)]
    parts = (
        header.name, header.detail, state_words(worker), *facts, f"{title}: {thought}" if title else "",
        footer_of(worker, now, me).text,
    )  # fmt: skip
    return ", ".join(filter(None, parts))
