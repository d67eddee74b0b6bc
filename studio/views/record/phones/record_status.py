"""The status bar of the Record workspace: phone, source, tree, skew, cursor and step."""

from __future__ import annotations

from PySide6.QtCore import QObject

from collector.model.geometry import Position
from collector.model.i18n import _, ngettext
from collector.model.phone.practice import Practice
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.practice_count import PracticeCount
from studio.views.record.session import RecordSession
from studio.widgets.captions.step_text import SKEWED_SHARE
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem

_LEFT = ("device", "practice", "source", "tree", "skew")
_RIGHT = ("cursor", "step")


class RecordStatus(QObject):
    """Writes facts into the status bar; :meth:`tick` updates the ones that change with time."""

    def __init__(
        self, bar: StatusBar, session: RecordSession, parent: QObject | None = None,
        practice: PracticeCount | None = None,
    ) -> None:  # fmt: skip
        """``practice`` knows how far the recordings are followed that the phone plays."""
        super().__init__(parent)
        self._practice = practice
        self._bar = bar
        self._session = session
        self._phone: PhoneLink | None = None
        self.shown = False

    def set_phone(self, phone: PhoneLink | None) -> None:
        self._phone = phone
        self.tick(None)

    def show(self) -> None:
        """Show all facts: the workspace came to the front."""
        self.shown = True
        self.show_cursor(None)
        self.show_steps()
        self.tick(None)

    def hide(self) -> None:
        """Remove all facts but the phone: another workspace came to the front."""
        self.shown = False
        for key in (*_LEFT[1:], *_RIGHT):
            self._bar.set_item(key, None, right=key in _RIGHT)

    def tick(self, latency_ms: float | None) -> None:
        """Update the measurements of the phone; ``latency_ms`` is measured by the view."""
        phone = self._phone
        self._bar.set_item("device", _device(phone))
        if not self.shown:
            return
        if phone is None:
            for key in _LEFT[1:]:
                self._bar.set_item(key, None)
            return
        practice = self._practice.practice if self._practice is not None else None
        self._bar.set_item("practice", _practice(practice) if practice is not None else None)
        source = phone.screen.frame_source
        self._bar.set_item(
            "source", StatusItem(_video(source, phone, latency_ms), rank=2) if source else None
        )
        self._bar.set_item("tree", _tree(phone))
        self._bar.set_item("skew", self._skew(phone))

    def _skew(self, phone: PhoneLink) -> StatusItem | None:
        if phone.screen.secure:
            return StatusItem(_("secure window"), "lock", "info")
        step = self._session.step or next(iter(reversed(self._session.steps)), None)
        skew = step.state.skew if step is not None else None
        if skew is None:
            return None
        if skew <= SKEWED_SHARE:
            return StatusItem(_("skew ok"), rank=2)
        return StatusItem(_("skew {percent} %", percent=round(skew * 100)), "state-warn", "warn")

    def show_cursor(self, position: Position | None) -> None:
        """Show the device pixel under the pointer; None while it is outside the screen."""
        if self.shown:
            fact = None
            if position is not None:
                fact = StatusItem(f"x {position.point.x}  y {position.point.y}", rank=5)
            self._bar.set_item("cursor", fact, right=True, lead=True)

    def show_steps(self) -> None:
        """Show the number of the current step and of all steps."""
        if not self.shown:
            return
        count = len(self._session.steps)
        number = min(self._session.current + 1, count)
        fact = StatusItem(_("step {number} / {count}", number=number, count=count)) if count else None
        self._bar.set_item("step", fact, right=True)


def _practice(practice: Practice) -> StatusItem:
    """Return how far the recording was followed that was followed furthest, and what was off the path."""
    done, steps = max(practice.followed.values(), default=(0, 0))
    off = ngettext("{count} off the path", "{count} off the path", practice.off_path)
    tip = _("Steps of the recording that were done, and actions off the path, since the phone was started")
    text = f"{done} / {steps}  ·  {off}"
    return StatusItem(text, "state-warn" if practice.off_path else "state-ok", tip=tip)


def _video(source: str, phone: PhoneLink, latency_ms: float | None) -> str:
    """Return source, frame rate and latency; a still screen sends no frames and has no figures."""
    if phone.is_still:
        return "  ·  ".join((source, _("still")))
    parts = [f"{source} {phone.stats.fps:.0f} fps"]
    if latency_ms is not None:
        parts.append(f"{latency_ms:.0f} ms")
    return "  ·  ".join(parts)


def _tree(phone: PhoneLink) -> StatusItem | None:
    """Return the age of the tree; an old tree of an unchanged screen counts as fresh."""
    age_ms = phone.stats.tree_age_ms
    if age_ms is None:
        return None
    if phone.tree_is_fresh:
        return StatusItem(_("tree fresh"), rank=2)
    seconds = f"{age_ms / 1000:.1f}"
    if phone.tree_is_stale:
        return StatusItem(_("tree stale, {seconds} s old", seconds=seconds), "state-warn", "warn")
    return StatusItem(_("tree {seconds} s old", seconds=seconds), rank=2)


def _device(phone: PhoneLink | None) -> StatusItem:
    """Return the name of the phone in use."""
    if phone is None:
        return StatusItem(_("no device"), "state-todo")
    if phone.is_lost:
        return StatusItem(_("{name} is gone", name=phone.name), "state-err")
    if phone.taken:
        return StatusItem(_("{name} is in use", name=phone.name), "state-warn", "warn", tip=phone.taken)
    return StatusItem(phone.name, "state-ok", tip=phone.whereabouts)
