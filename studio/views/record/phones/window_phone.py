"""What is said of each phone of the window, on its tab and on its tile."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.device_entry import DeviceEntry
from collector.model.geometry import Size
from collector.model.i18n import _, join_sentences, ngettext
from collector.recorder.events import Phase
from studio.bridge.phone_recording import PhoneRecording
from studio.bridge.phones.phone import PhoneLink


@dataclass(frozen=True, slots=True)
class WindowPhone:
    """One phone of the window."""

    serial: str
    name: str
    kind: str = ""
    """What tells it from other phones of the same app: size and language of its screen."""
    icon: str = "state-todo"
    """A state icon."""
    state: str = ""
    """What it does now, in a few words."""
    tone: str = ""
    """Colour of ``state``: err, warn, ok or empty."""
    problem: str = ""
    """What of the mirrored input did not reach it, in one sentence."""
    brief: str = ""
    """``kind`` in a word: its language, or its size."""

    @property
    def sentence(self) -> str:
        """All of it, for a tooltip and for screen readers."""
        words = ", ".join(filter(None, (self.name, self.kind, self.state)))
        return join_sentences(words, self.problem)


def window_phone(
    serial: str, name: str, link: PhoneLink | None, entry: DeviceEntry | None, recording: PhoneRecording,
    problem: str = "",
) -> WindowPhone:  # fmt: skip
    """Describe a phone; ``link`` is None while the window does not look at it."""
    icon, state, tone = _state(link, recording)
    size, info = Size(0, 0), None
    if link is not None and link.info.model:
        size, info = link.screen.screen_size, link.info
    elif entry is not None:
        size, info = entry.display.size if entry.display is not None else size, entry.info
    shown = f"{size.width} x {size.height}" if not size.is_empty else ""
    language = info.language if info is not None else ""
    kind = "  ·  ".join(filter(None, (shown, language)))
    return WindowPhone(serial, name, kind, icon, state, tone, problem, language or shown)


def _state(link: PhoneLink | None, recording: PhoneRecording) -> tuple[str, str, str]:
    """Icon, words and colour of what a phone does."""
    count = len(recording.steps)
    steps = ngettext("{count} step", "{count} steps", count)
    if recording.is_active and (link is None or link.is_lost):
        return "state-err", _("gone, {steps} kept", steps=steps), "err"
    if recording.is_active:
        paused = recording.phase is Phase.PAUSED
        icon, words = ("pause", _("paused")) if paused else ("state-rec", _("recording"))
        if not recording.is_running or recording.phase in (Phase.FINISHING, Phase.FINISHED):
            icon, words = "state-prog", _("being saved") if recording.phase is not None else _("starting")
        return icon, f"{words}  ·  {steps}", "" if paused else "err"
    if link is None:
        return "state-todo", _("at rest"), ""
    if link.is_lost:
        return "state-err", _("gone"), "err"
    if link.taken:
        return "state-warn", _("in use"), "warn"
    return ("state-ok", _("live"), "") if link.is_live else ("state-prog", _("starting"), "")
