"""Whether the phones that get the same input begin on the same screen."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.model.i18n import _
from studio.bridge.phones.phone import PhoneLink

_LOOK_MS = 100
PATIENCE_S = 4.0
"""How long a screen is awaited that is read; then the newest tree counts."""


class MirroredStart(QObject):
    """Compares app and activity: words and sizes differ between variants. GUI thread; nothing waits."""

    elsewhere = Signal(str, str)
    """The serial of a phone that does not begin where the one in front does, and what it shows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._front: PhoneLink | None = None
        self._others: list[PhoneLink] = []
        self._until_s = 0.0
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self._look)

    def compare(self, front: PhoneLink, others: Sequence[PhoneLink]) -> None:
        """Compare the screens of ``others`` with that of ``front``, as soon as both are read."""
        self._front, self._others = front, list(others)
        self._until_s = time.monotonic() + PATIENCE_S
        for link in (front, *others):
            if not link.tree_is_fresh:
                link.refresh_tree()
        self._looking.start()
        self._look()

    @Slot()
    def _look(self) -> None:
        is_late = time.monotonic() >= self._until_s
        front = self._front
        if front is None or not front.is_live:
            self._others = []
        elif front.tree_is_fresh or is_late:
            read = [link for link in self._others if link.tree_is_fresh or is_late or not link.is_live]
            self._others = [link for link in self._others if link not in read]
            for link in read:
                if link.is_live and (difference := _difference(front, link)):
                    self.elsewhere.emit(link.serial, difference)
        if not self._others:
            self._front = None
            self._looking.stop()


def _difference(front: PhoneLink, other: PhoneLink) -> str:
    """What another phone shows in place of what the one in front does; empty for the same."""
    wanted, shown = front.session.newest_tree(), other.session.newest_tree()
    if wanted is None or not wanted.package:
        return ""
    if shown is None or not shown.package:
        return _("Its screen could not be read")
    if shown.package != wanted.package:
        return _("It shows {app}, and the one in front {other}", app=shown.package, other=wanted.package)
    if shown.activity != wanted.activity and shown.activity and wanted.activity:
        return _("It shows {app}, and the one in front {other}", app=shown.activity, other=wanted.activity)
    return ""
