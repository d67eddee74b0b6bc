"""The dialog about the companion app: what it can do and cannot, whether the phone has it, what it may do."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from collector.model.companion.activities import NOTIFICATIONS, OVERLAY
from collector.model.companion.status import ABILITIES, LIMITS, CompanionStatus
from collector.model.i18n import N_, _
from studio.widgets.controls import Label, Switch
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.theme_icon import ThemeIcon

_PERMISSIONS = {
    OVERLAY: (N_("Draw over other apps"), N_("for windows over the app in front")),
    NOTIFICATIONS: (N_("Notifications"), N_("for notifications and messages")),
}


class CompanionDialog(Dialog):
    """Shows what it is given, and emits what the person wants; it stays open until it is closed."""

    install_asked = Signal(bool)
    """Whether the app that the phone has is removed before."""
    remove_asked = Signal()
    permission_asked = Signal(str, bool)

    def __init__(self, phone: str, parent: QWidget) -> None:
        sentence = _(
            "An app of Waymark Studio on the phone shows the dialogs of anomalies. It is installed only when "
            "you say so, and removed here. Anomalies that change the phone itself need no app."
        )
        title, no = _("Companion app"), _("Close")
        super().__init__(title, _("Install"), parent, no=no, width=560, sentence=sentence)
        self._status: CompanionStatus | None = None
        self._add_list(_("It can"), "check", ABILITIES)
        self._add_list(_("It cannot"), "x", LIMITS)
        self.state = Label("", "name", wrap=True)
        self.reason = Label("", "body", "err", wrap=True)
        self.body.addSpacing(6)
        self.body.addWidget(Label(phone, "caption", "text-2", cut=True))
        self.body.addWidget(self.state)
        self.body.addWidget(self.reason)
        self.switches = {name: self._add_switch(name, *words) for name, words in _PERMISSIONS.items()}
        self.body.addStretch(1)
        self.remove = QPushButton(_("Remove it"))
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self.remove_asked)
        self.add_left(self.remove)
        self.yes.clicked.disconnect(self.accept)
        self.yes.clicked.connect(self._install)
        self.show_busy(_("Looking at the phone"))

    # -- built ---------------------------------------------------------------
    def _add_list(self, title: str, icon: str, sentences: Iterable[str]) -> None:
        self.body.addWidget(Label(title, "heading"))
        for sentence in sentences:
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(ThemeIcon(icon), alignment=Qt.AlignmentFlag.AlignTop)
            row.addWidget(Label(_(sentence), "body", wrap=True), 1)
            self.body.addLayout(row)

    def _add_switch(self, permission: str, title: str, purpose: str) -> Switch:
        switch = Switch(_(title))
        switch.clicked.connect(partial(self._ask_permission, permission))
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(Label(_(title), "body"))
        texts.addWidget(Label(_(purpose), "caption", "text-2"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(switch, alignment=Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self.body.addLayout(row)
        return switch

    def _ask_permission(self, permission: str) -> None:
        self.permission_asked.emit(permission, self.switches[permission].isChecked())

    # -- what is shown -------------------------------------------------------
    def show_busy(self, words: str) -> None:
        """Say what is being done; nothing else can be asked for meanwhile."""
        self.state.setText(words)
        self.reason.hide()
        self._enable(enabled=False)

    def show_status(self, status: CompanionStatus) -> None:
        """Show what the phone has now."""
        self._status = status
        self.state.setText(status.sentence)
        self.reason.hide()
        self._dress(status)

    def show_error(self, what: str, why: str) -> None:
        """Say why nothing changed."""
        self.reason.setText(f"{what}: {why}" if why else what)
        self.reason.show()
        status = self._status or CompanionStatus()
        self.state.setText(status.sentence if self._status is not None else "")
        self._dress(status)
        self.grow()

    def _dress(self, status: CompanionStatus) -> None:
        self._enable(enabled=True)
        if not status.is_installed:
            self.yes.setText(_("Install"))
        elif not status.is_ours:
            self.yes.setText(_("Remove it and install this app"))
        else:
            self.yes.setText(_("Install it again") if status.is_current else _("Update"))
        self.yes.setDefault(not status.is_current)
        self.no.setDefault(status.is_current)
        self.remove.setVisible(status.is_installed)
        for permission, switch in self.switches.items():
            switch.setEnabled(status.is_ours)
            switch.setChecked(permission in status.allowed)

    def _enable(self, *, enabled: bool) -> None:
        for part in (self.yes, self.remove, *self.switches.values()):
            part.setEnabled(enabled)

    def _install(self) -> None:
        status = self._status
        self.install_asked.emit(status is not None and status.is_installed and not status.is_ours)
