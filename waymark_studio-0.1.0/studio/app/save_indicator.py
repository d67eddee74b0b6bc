"""The save state in the status bar: saved and when, saving, or not saved and why."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from studio.bridge.save_status import SaveState, SaveStatus
from studio.widgets.window_frame.status_bar import StatusBar, StatusItem


class SaveIndicator(QObject):
    """Shows a :class:`~studio.bridge.save_status.SaveStatus` in every workspace."""

    def __init__(self, bar: StatusBar, status: SaveStatus, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        status.changed.connect(self._show)
        self._show(status.state)

    @Slot(object)
    def _show(self, state: SaveState) -> None:
        self._bar.set_item("saved", _item(state), right=True)


def _item(state: SaveState) -> StatusItem | None:
    if state.error:
        return StatusItem(_("not saved"), "state-err", "err", tip=state.error)
    if state.is_pending:
        return StatusItem(_("saving..."))
    if state.time is None:
        return None
    return StatusItem(_("saved {time}", time=state.time.toString("HH:mm:ss")), "done")
