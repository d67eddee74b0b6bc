"""The events of a run in words, a line each."""

from __future__ import annotations

from collector.model.episode_text import fault_text, verdict_text
from collector.model.i18n import N_, _, ngettext
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.text.one_line import one_line
from collector.run.events import EpisodeEnded, RunBegan, RunChanged, RunEvent, WorkerChanged
from collector.run.experiment.model import is_offline_cell
from collector.run.progress import RunProgress

_LONGEST = 300


def line_of(event: RunEvent, progress: RunProgress) -> str:
    """What a log says of an event; empty for those that would only fill it."""
    match event:
        case RunBegan():
            return _("{done} of {total} episodes are finished", done=event.done, total=event.total)
        case RunChanged(state="paused"):
            return event.reason or _("The run is paused")
        case RunChanged(state="running"):
            return _("The run goes on")
        case RunChanged() if event.reason:
            return _("The run is stopping: {reason}", reason=one_line(event.reason, _LONGEST))
        case RunChanged():
            return _("The run is stopping; the episodes that are running will be run again")
        case WorkerChanged() if event.problem:
            state = _(_STATES.get(event.state, event.state))
            return f"{event.worker}: {state}: {one_line(event.problem, _LONGEST)}"
        case EpisodeEnded():
            return _line_of_end(event, progress)
        case _:
            return ""


_STATES = {"restarting": N_("restarting the phone"), "gone": N_("lost"), "closed": N_("closed")}


def _line_of_end(event: EpisodeEnded, progress: RunProgress) -> str:
    counted = f"[{progress.finished}/{progress.total}]"
    if event.infrastructure:
        what = _("stopped") if event.stopped else _("tried again") if event.will_retry else _("not run")
        return f"{counted} {event.cell}: {what}: {one_line(fault_text(event.infrastructure), _LONGEST)}"
    steps = ngettext("{count} step", "{count} steps", event.steps)
    words_of_end = shown_reason(event.reason) if is_offline_cell(event.cell) else verdict_text(event.status)
    words = [f"{counted} {event.cell}: {words_of_end}",
             steps, f"{event.seconds:.1f} s"]  # fmt: skip
    if event.early_stop:
        words.append(_("early stop"))
    left = progress.seconds_left
    if left is not None and progress.left:
        words.append(_("{time} left", time=duration(left)))
    return ", ".join(words)


def duration(seconds: float) -> str:
    """A time for people: ``45 s``, ``12 min`` or ``3 h 20 min``."""
    if seconds < 90:
        return _("{count} s", count=max(1, round(seconds)))
    minutes = round(seconds / 60)
    if minutes < 120:
        return _("{count} min", count=minutes)
    return _("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
