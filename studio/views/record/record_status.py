"""What the status bar says while the Record workspace is in front."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QObject

from collector.model.geometry import Position
from collector.model.i18n import _
from studio.bridge.phone import PhoneLink
from studio.views.record.session import RecordSession
from studio.widgets.status_bar import StatusBar, StatusItem
from studio.widgets.step_text import SKEWED_SHARE

_LEFT = ("device", "source", "tree", "skew")
_RIGHT = ("cursor", "step", "author", "saved")


class RecordStatus(QObject):
    """Told what changed; :meth:`tick` renews what ages by itself."""

    def __init__(self, bar: StatusBar, document: RecordSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar = bar
        self._document = document
        self._phone: PhoneLink | None = None
        self._saved = ""
        self.shown = False

    def set_phone(self, phone: PhoneLink | None) -> None:
        self._phone = phone
        self.tick(None)

    def show(self, author: str) -> None:
        """The workspace came to the front."""
        self.shown = True
        self.show_cursor(None)
        self.show_steps()
        self._bar.set_fact("author", StatusItem(author, "user") if author else None, right=True)
        self._show_saved()
        self.tick(None)

    def hide(self) -> None:
        """Another workspace came: only the phone stays named."""
        self.shown = False
        for key in (*_LEFT[1:], *_RIGHT):
            self._bar.set_fact(key, None, right=key in _RIGHT)

    def tick(self, latency_ms: float | None) -> None:
        """Renew what the phone measures; ``latency_ms`` is the view's own figure."""
        phone = self._phone
        self._bar.set_fact("device", _device(phone))
        if not self.shown:
            return
        if phone is None:
            for key in _LEFT[1:]:
                self._bar.set_fact(key, None)
            return
        source = phone.screen.frame_source
        self._bar.set_fact("source", StatusItem(_video(source, phone, latency_ms)) if source else None)
        self._bar.set_fact("tree", _tree(phone))
        self._bar.set_fact("skew", self._skew(phone))

    def _skew(self, phone: PhoneLink) -> StatusItem | None:
        if phone.screen.secure:
            return StatusItem(_("secure window"), "lock", "info")
        step = self._document.step or next(iter(reversed(self._document.steps)), None)
        skew = step.state.skew if step is not None else None
        if skew is None:
            return None
        if skew <= SKEWED_SHARE:
            return StatusItem(_("skew ok"))
        return StatusItem(_("skew {percent} %", percent=round(skew * 100)), "state-warn", "warn")

    def show_cursor(self, position: Position | None) -> None:
        if self.shown:
            fact = StatusItem(f"x {position.point.x}  y {position.point.y}") if position is not None else None
            self._bar.set_fact("cursor", fact, right=True, lead=True)

    def show_steps(self) -> None:
        if not self.shown:
            return
        count = len(self._document.steps)
        place = min(self._document.current + 1, count)
        words = _("step {number} / {count}", number=place, count=count) if count else ""
        self._bar.set_fact("step", StatusItem(words) if words else None, right=True)

    def just_saved(self) -> None:
        """Something reached the disk now."""
        self._saved = QDateTime.currentDateTime().toString("HH:mm:ss")
        self._show_saved()

    def _show_saved(self) -> None:
        if self.shown and self._saved:
            self._bar.set_fact("saved", StatusItem(_("saved {time}", time=self._saved), "done"), right=True)


def _video(source: str, phone: PhoneLink, latency_ms: float | None) -> str:
    """Figures only while pictures move: a still screen sends none."""
    if phone.is_still:
        return "  ·  ".join((source, _("still")))
    words = [f"{source} {phone.stats.fps:.0f} fps"]
    if latency_ms is not None:
        words.append(f"{latency_ms:.0f} ms")
    return "  ·  ".join(words)


def _tree(phone: PhoneLink) -> StatusItem | None:
    """On a screen that has not changed an old tree is as good as a new one."""
    age_ms = phone.stats.tree_age_ms
    if age_ms is None:
        return None
    if phone.tree_is_fresh:
        return StatusItem(_("tree fresh"))
    seconds = f"{age_ms / 1000:.1f}"
    if phone.tree_is_stale:
        return StatusItem(_("tree stale, {seconds} s", seconds=seconds), "state-warn", "warn")
    return StatusItem(_("tree {seconds} s", seconds=seconds))


def _device(phone: PhoneLink | None) -> StatusItem:
    """The phone in use, named in every workspace."""
    if phone is None:
        return StatusItem(_("no device"), "state-todo")
    if phone.is_lost:
        return StatusItem(_("{name} is gone", name=phone.name), "state-err")
    return StatusItem(phone.name, "state-ok", tip=phone.serial)
