"""What to do when the phone is lost while recording: its steps are safe; wait for the phone, or finish."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, ngettext
from studio.views.services import WindowServices
from studio.widgets.dialogs.dialog import Dialog


class PhoneLostPrompt(QObject):
    """Opens once for each loss, beside the recording, and closes when the phone is back."""

    def __init__(self, services: WindowServices, window: QWidget) -> None:
        """``window`` is the parent of the dialog."""
        super().__init__(window)
        self._services, self._window = services, window
        self.dialog: Dialog | None = None
        """The open dialog."""
        self._was_lost = False
        services.recording.state_changed.connect(self.show)
        services.recording.front_changed.connect(self.show)

    @Slot()
    def show(self) -> None:
        """Open the dialog once the phone in front is lost; a phone that is being connected again is not."""
        phone = self._services.devices.current
        is_lost = self._services.recording.has_lost_phone and (phone is None or phone.is_lost)
        if is_lost and not self._was_lost:
            self._open()
        elif not is_lost and self.dialog is not None:
            self.dialog.close()
        self._was_lost = is_lost

    def _open(self) -> None:
        count = len(self._services.recording.steps)
        safe = ngettext(
            "{count} step is safe on the disk.", "{count} steps are safe on the disk.", count
        ) if count else _("Nothing is lost: no step was recorded yet.")  # fmt: skip
        goes_on = _("The recording goes on when the phone is back. Finished now, it has no final state.")
        self.dialog = dialog = Dialog(
            _("The phone is gone"),
            _("Wait for the phone"),
            self._window,
            sentence=f"{safe} {goes_on}",
            no=_("Finish now"),
        )
        dialog.setModal(False)  # the steps can be looked at meanwhile
        dialog.no.clicked.connect(self._finish)
        dialog.finished.connect(self._closed)
        dialog.show()

    @Slot()
    def _closed(self) -> None:
        self.dialog = None

    @Slot()
    def _finish(self) -> None:
        self._services.run_command("record.finish")
