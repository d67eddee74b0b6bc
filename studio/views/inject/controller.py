"""Wires the palette of anomalies, the badge and the questions to the phone in use."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, QTimer, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import ListedAnomaly, TrustRequest
from collector.anomalies.events import DISMISSED, FAILED, INJECTED, STALLED, UNCLEAR, AnomalyEvent
from collector.anomalies.injection_session import DangerQuestion, PhoneFront
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange
from collector.anomalies.model import Anomaly
from collector.anomalies.native import version_of
from collector.model.i18n import _, ngettext
from studio.bridge.anomaly_catalogue import AnomalyCatalogue
from studio.bridge.previews import PreviewKey, key_of
from studio.views.services import WindowServices
from studio.widgets.inject.active_anomalies import ActiveBadge, ActivePopup
from studio.widgets.inject.anomaly_entries import AnomalyEntry, InjectTarget
from studio.widgets.inject.confirmation_dialogs import DangerDialog, TrustDialog
from studio.widgets.inject.palette import InjectPalette

_MOST_RECENT = 8
_LOOK_EVERY_MS = 200


class InjectController(QObject):
    """One for the window; handles ``record.inject``, ``rules.inject`` and ``anomaly.*``."""

    def __init__(self, shell: WindowServices, host: QWidget) -> None:
        """``host`` is what the palette floats over."""
        super().__init__(host)
        self._shell, self._host = shell, host
        self._anomalies = shell.anomalies
        self.shelf = AnomalyCatalogue(shell.tasks, shell.library, self)
        self.badge = ActiveBadge()
        self._palette: InjectPalette | None = None
        self._popup: ActivePopup | None = None
        self._front: PhoneFront | None = None
        self._picture: PreviewKey | None = None
        self._recent: list[str] = [str(setting) for setting in shell.settings["anomalies.recent"]]
        shell.status.insert_right(self.badge)
        self._handle()
        self._connect()
        self._active_changed(self._anomalies.active)

    def _handle(self) -> None:
        handle = self._shell.commander.handle
        for command in ("record.inject", "rules.inject"):
            handle(command, self.open)
        handle("anomaly.show", self.show_active)
        handle("anomaly.undo", self.undo)
        handle("anomaly.undo-all", self._undo_all)

    def _connect(self) -> None:
        anomalies = self._anomalies
        anomalies.active_changed.connect(self._active_changed)
        anomalies.happened.connect(self._happened)
        anomalies.restored.connect(self._restored)
        anomalies.failed.connect(self._shell.toasts.show_error)
        anomalies.asked.connect(self._ask)
        anomalies.trust_asked.connect(self._ask_trust)
        anomalies.front_known.connect(self._front_known)
        anomalies.lease_changed.connect(self._renew_place)
        self._shell.devices.current_changed.connect(self._phone_changed)
        self.shelf.changed.connect(self._shelved)
        self.shelf.failed.connect(self._shell.toasts.show_error)
        self._shell.previews.arrived.connect(self._picture_arrived)
        self.badge.clicked.connect(self.show_active)

    # -- built when first wanted: their fields would slow every start ----------
    @property
    def palette(self) -> InjectPalette:
        """Where anomalies are chosen."""
        if self._palette is None:
            self._palette = InjectPalette(self._host)
            self._palette.fired.connect(self._fire)
            self._palette.picture_wanted.connect(self._draw)
            self._shelved(self.shelf.entries)
        return self._palette

    @property
    def popup(self) -> ActivePopup:
        """The list of what is on the phone."""
        if self._popup is None:
            self._popup = ActivePopup(self._host)
            self._popup.undo_asked.connect(self._undo_asked)
        return self._popup

    @Slot()
    def _renew_place(self) -> None:
        """The phone is another one or another way: what suits it may be else now."""
        if self._palette is not None and self._palette.isVisible():
            self._palette.set_place(self._place())

    # -- the palette ---------------------------------------------------------
    def open(self, anomaly: str = "", **values: str) -> None:
        """Open the palette; with the id of an ``anomaly`` inject that one at once."""
        if anomaly:
            self._fire_named(anomaly, values)
            return
        self._front = None
        self.palette.set_recent(self._recent)
        self.palette.set_place(self._place())
        self.palette.open()
        self.shelf.look()
        self._anomalies.look()

    def _fire_named(self, anomaly: str, values: Mapping[str, object]) -> None:
        def found() -> None:
            known = next((entry.anomaly for entry in self.shelf.entries if entry.anomaly.id == anomaly), None)
            if known is not None:
                self._fire(known, values)
            else:
                self._shell.toasts.show("err", _("There is no anomaly {id}", id=anomaly))

        self.shelf.look().succeeded.connect(found)

    @Slot(object)
    def _shelved(self, entries: tuple[ListedAnomaly, ...]) -> None:
        if self._palette is not None:
            self._palette.set_entries([AnomalyEntry(entry.anomaly, entry.installed) for entry in entries])

    def _place(self) -> InjectTarget:
        """What is known without asking, and what was asked since the palette opened."""
        link = self._anomalies.link
        if link is None or link.is_lost:
            return InjectTarget()
        facts = link.info
        android = version_of(facts.sdk, facts.android) if facts.model else 0
        waiting = _("The dialog injected before") if self._anomalies.open is not None else ""
        busy = self._anomalies.leased_for
        if self._front is None:
            return InjectTarget(True, android, obstacle=waiting, busy=busy)
        return InjectTarget(True, android, bool(self._front.companion), waiting or self._front.obstacle, busy)

    @Slot(object)
    def _front_known(self, front: PhoneFront) -> None:
        self._front = front
        if self._palette is not None:
            self._palette.set_dark(front.dark)
            self._renew_place()

    @Slot(object)
    def _phone_changed(self, _link: object) -> None:
        self._front = None
        self._renew_place()
        self._look_again()

    def _look_again(self) -> None:
        if self._palette is not None and self._palette.isVisible():
            self._anomalies.look()

    @Slot(object, object, bool)
    def _draw(self, anomaly: Anomaly, values: Mapping[str, object], dark: bool) -> None:
        package = self._package()
        self._picture = key_of(anomaly, values, dark=dark, package=package)
        known = self._shell.previews.request(anomaly, values, dark=dark, package=package)
        self.palette.show_picture(known)

    @Slot(object)
    def _picture_arrived(self, key: PreviewKey) -> None:
        details = self._palette.details if self._palette is not None else None
        if key == self._picture and details is not None and details.entry is not None:
            self._draw(details.entry.anomaly, details.values(), details.dark)

    def _package(self) -> str:
        """The app of the task the person works on; empty means the one in front."""
        snapshot, chosen = self._shell.library.snapshot, self._shell.library.chosen
        task = snapshot.task(chosen) if snapshot is not None and chosen else None
        return task.package if task is not None else ""

    @Slot(object, object)
    def _fire(self, anomaly: Anomaly, values: Mapping[str, object]) -> None:
        self._recent = [anomaly.id, *(one for one in self._recent if one != anomaly.id)][:_MOST_RECENT]
        self._shell.settings.set("anomalies.recent", self._recent)
        self._anomalies.fire(InjectionRequest(anomaly, self._package(), dict(values)))

    # -- what is on the phone ------------------------------------------------
    @Slot(object)
    def _active_changed(self, active: tuple[PendingChange, ...]) -> None:
        self.badge.show_active(active)
        if self._popup is not None:
            self._popup.show_active(active)
        self._shell.commander.set_context(anomaly__active=bool(active))
        self._renew_place()
        self._look_again()

    @Slot()
    def show_active(self) -> None:
        """Open the list at the badge."""
        if self._anomalies.active:
            self.popup.show_active(self._anomalies.active)
            corner = QPoint(self.badge.width(), -4)
            self.popup.open_at(self.badge.mapToGlobal(corner))

    def undo(self, injection: str = "") -> None:
        """Take one back: the newest when none is named."""
        active = self._anomalies.active
        if active:
            self._anomalies.undo(injection or active[-1].id)

    def _undo_all(self) -> None:
        self._anomalies.undo()

    @Slot(str)
    def _undo_asked(self, injection: str) -> None:
        self._anomalies.undo(injection)

    # -- what is told --------------------------------------------------------
    @Slot(object)
    def _happened(self, event: AnomalyEvent) -> None:
        """What shows on the phone needs no message; what does not, does."""
        toasts = self._shell.toasts
        if self._anomalies.leased_for:
            return  # who injects it says what became of it
        if event.kind == UNCLEAR:
            toasts.show("warn", event.anomaly, event.reason)
        elif event.kind == INJECTED and event.reason:
            toasts.show("info", event.anomaly, event.reason)
        elif event.kind == STALLED:
            toasts.show("info", _("The phone's log does not answer; {id} is still watched", id=event.anomaly))
        elif event.kind == DISMISSED:
            toasts.show("info", _("{id} was closed without a button", id=event.anomaly))
        elif event.kind == FAILED and event.command and not event.native:
            toasts.show("warn", _("What follows {id} did not work", id=event.anomaly), event.reason)

    @Slot(int)
    def _restored(self, count: int) -> None:
        words = ngettext(
            "{count} change of an earlier session was taken back",
            "{count} changes of an earlier session were taken back",
            count,
        )
        self._shell.toasts.show("ok", words, _("The phone is as it was before"))

    # -- what is asked -------------------------------------------------------
    @Slot(object)
    def _ask(self, question: DangerQuestion) -> None:
        dialog = DangerDialog(question.effects, self._host.window())
        dialog.finished.connect(lambda result: question.answer(bool(result)))
        waiting = QTimer(dialog, interval=_LOOK_EVERY_MS)
        # Nobody answered for too long, or the phone is gone: the command was not run.
        waiting.timeout.connect(lambda: dialog.reject() if question.is_over else None)
        waiting.start()
        dialog.open()

    @Slot(object)
    def _ask_trust(self, wanted: TrustRequest) -> None:
        dialog = TrustDialog(wanted, self._host.window())
        dialog.accepted.connect(lambda: self._anomalies.trust(wanted))
        self._shell.library.opened.connect(dialog.reject)  # it is about a project that is no more in front
        dialog.open()
