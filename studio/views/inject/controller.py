"""Inject anomalies from the window: connect palette, badge and confirmations to the phone in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import ListedAnomaly, TrustRequest
from collector.anomalies.errors import CompanionMissing, PermissionMissing
from collector.anomalies.events import DISMISSED, FAILED, INJECTED, STALLED, UNCLEAR, AnomalyEvent
from collector.anomalies.injection_session import DangerQuestion, PhoneFront
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange
from collector.anomalies.model import Anomaly
from collector.anomalies.native import version_of
from collector.model.companion.how_text import how_text
from collector.model.i18n import _, ngettext
from studio.bridge.anomalies.anomaly_catalogue import AnomalyCatalogue
from studio.bridge.previews import PreviewKey, key_of
from studio.bridge.while_alive import while_alive
from studio.views.inject.companion_controller import CompanionController
from studio.views.services import WindowServices
from studio.widgets.inject.active_anomalies import ActiveBadge, ActivePopup
from studio.widgets.inject.anomaly_entries import AnomalyEntry, InjectTarget
from studio.widgets.inject.confirmation_dialogs import DangerDialog, TrustDialog
from studio.widgets.inject.palette import InjectPalette

_MOST_RECENT = 8
_POLL_MS = 200


class InjectController(QObject):
    """Handles ``record.inject``, ``rules.inject`` and ``anomaly.*`` for the whole window."""

    def __init__(
        self, services: WindowServices, host: QWidget, phone_rect: Callable[[], QRect] = QRect
    ) -> None:
        """``host`` is the widget that the palette floats over; ``phone_rect`` stays free there."""
        super().__init__(host)
        self._services, self._host, self._phone_rect = services, host, phone_rect
        self._anomalies = services.anomalies
        self.catalogue = AnomalyCatalogue(services.tasks, services.project_library, self)
        self.badge = ActiveBadge()
        self._palette: InjectPalette | None = None
        self._popup: ActivePopup | None = None
        self._front: PhoneFront | None = None
        self._preview_key: PreviewKey | None = None
        self._recent: list[str] = [str(setting) for setting in services.settings["anomalies.recent"]]
        services.status.insert_right(self.badge)
        self._companion = CompanionController(services, host)
        self._handle_commands()
        self._connect()
        self._active_changed(self._anomalies.active)

    def _handle_commands(self) -> None:
        handle = self._services.commander.handle
        for command in ("record.inject", "rules.inject"):
            handle(command, self.open)
        handle("anomaly.show", self.show_active)
        handle("anomaly.undo", self.undo)
        handle("anomaly.undo-all", self._undo_all)

    def _connect(self) -> None:
        anomalies = self._anomalies
        anomalies.active_changed.connect(self._active_changed)
        anomalies.happened.connect(self._report)
        anomalies.restored.connect(self._report_restored)
        anomalies.refused.connect(self._offer_companion)
        anomalies.failed.connect(self._show_error)
        anomalies.asked.connect(self._ask_danger)
        anomalies.trust_asked.connect(self._ask_trust)
        anomalies.front_known.connect(self._front_known)
        anomalies.lease_changed.connect(self._update_target)
        self._services.devices.current_changed.connect(self._phone_changed)
        self.catalogue.changed.connect(self._show_entries)
        self.catalogue.failed.connect(self._services.toasts.show_error)
        self._services.previews.arrived.connect(self._preview_arrived)
        self.badge.clicked.connect(self.show_active)

    # -- built on first use, because their fields would slow every start ------
    @property
    def palette(self) -> InjectPalette:
        """The palette in which anomalies are chosen."""
        if self._palette is None:
            self._palette = InjectPalette(self._host, self._phone_rect)
            self._palette.fired.connect(self._inject)
            self._palette.preview_wanted.connect(self._show_preview)
            self._show_entries(self.catalogue.entries)
        return self._palette

    @property
    def popup(self) -> ActivePopup:
        """The list of active anomalies."""
        if self._popup is None:
            self._popup = ActivePopup(self._host)
            self._popup.undo_asked.connect(self._undo_asked)
        return self._popup

    @Slot()
    def _update_target(self) -> None:
        """Show in the palette what can be injected into the phone now."""
        if self._palette is not None and self._palette.isVisible():
            self._palette.set_target(self._target())

    # -- the palette ---------------------------------------------------------
    def open(self, anomaly: str = "", **values: str) -> None:
        """Open the palette; with the id of an ``anomaly``, inject that one at once."""
        if anomaly:
            self._inject_by_id(anomaly, values)
            return
        self._front = None
        self.palette.set_recent(self._recent)
        self.palette.set_target(self._target())
        self.palette.open()
        self.catalogue.look()
        self._anomalies.look()

    def _inject_by_id(self, anomaly: str, values: Mapping[str, object]) -> None:
        def inject(_entries: object) -> None:
            entries = self.catalogue.entries
            known = next((entry.anomaly for entry in entries if entry.anomaly.id == anomaly), None)
            if known is not None:
                self._inject(known, values)
            else:
                self._services.toasts.show("err", _("There is no anomaly {id}", id=anomaly))

        self.catalogue.look().succeeded.connect(while_alive(self, inject))

    @Slot(object)
    def _show_entries(self, entries: tuple[ListedAnomaly, ...]) -> None:
        if self._palette is not None:
            self._palette.set_entries([AnomalyEntry(entry.anomaly, entry.installed) for entry in entries])

    def _target(self) -> InjectTarget:
        """Return what is known of the phone, with what it answered since the palette opened."""
        link = self._anomalies.link
        if link is None or link.is_lost:
            return InjectTarget()
        facts = link.info
        android = version_of(facts.sdk, facts.android) if facts.model else 0
        waiting = _("The dialog injected before") if self._anomalies.open is not None else ""
        busy = self._anomalies.leased_for or link.busy
        if self._front is None:
            return InjectTarget(True, android, obstacle=waiting, busy=busy)
        return InjectTarget(True, android, bool(self._front.companion), waiting or self._front.obstacle, busy)

    @Slot(object)
    def _front_known(self, front: PhoneFront) -> None:
        self._front = front
        if self._palette is not None:
            self._palette.set_dark(front.dark)
            self._update_target()

    @Slot(object)
    def _phone_changed(self, _link: object) -> None:
        self._front = None
        self._update_target()
        self._read_phone_again()

    def _read_phone_again(self) -> None:
        if self._palette is not None and self._palette.isVisible():
            self._anomalies.look()

    @Slot(object, object, bool)
    def _show_preview(self, anomaly: Anomaly, values: Mapping[str, object], dark: bool) -> None:
        package = self._package()
        self._preview_key = key_of(anomaly, values, dark=dark, package=package)
        known = self._services.previews.request(anomaly, values, dark=dark, package=package)
        self.palette.show_preview(known)

    @Slot(object)
    def _preview_arrived(self, key: PreviewKey) -> None:
        details = self._palette.details if self._palette is not None else None
        if key == self._preview_key and details is not None and details.entry is not None:
            self._show_preview(details.entry.anomaly, details.values(), details.dark)

    def _package(self) -> str:
        """Return the app of the chosen task; empty for the app in front."""
        snapshot, chosen = self._services.project_library.snapshot, self._services.selection.task_id
        task = snapshot.task(chosen) if snapshot is not None and chosen else None
        return task.package if task is not None else ""

    @Slot(object, object)
    def _inject(self, anomaly: Anomaly, values: Mapping[str, object]) -> None:
        self._recent = [anomaly.id, *(recent for recent in self._recent if recent != anomaly.id)][
            :_MOST_RECENT
        ]
        self._services.settings.set("anomalies.recent", self._recent)
        self._anomalies.fire(InjectionRequest(anomaly, self._package(), dict(values)))

    # -- what is on the phone ------------------------------------------------
    @Slot(object)
    def _active_changed(self, active: tuple[PendingChange, ...]) -> None:
        self.badge.show_active(active)
        if self._popup is not None:
            self._popup.show_active(active)
        self._services.commander.set_context(anomaly__active=bool(active))
        self._update_target()
        self._read_phone_again()

    @Slot()
    def show_active(self) -> None:
        """Open the list at the badge."""
        if self._anomalies.active:
            self.popup.show_active(self._anomalies.active)
            corner = QPoint(self.badge.width(), -4)
            self.popup.open_at(self.badge.mapToGlobal(corner))

    def undo(self, injection: str = "") -> None:
        """Undo an injection; the newest when ``injection`` is empty."""
        active = self._anomalies.active
        if active:
            self._anomalies.undo(injection or active[-1].id)

    def _undo_all(self) -> None:
        self._anomalies.undo()

    @Slot(str)
    def _undo_asked(self, injection: str) -> None:
        self._anomalies.undo(injection)

    # -- messages ------------------------------------------------------------
    @Slot(object)
    def _report(self, event: AnomalyEvent) -> None:
        """Report events that the phone does not show."""
        toasts = self._services.toasts
        if self._anomalies.leased_for:
            return  # the check that leased the phone reports the event
        if event.kind == UNCLEAR:
            toasts.show("warn", event.anomaly, event.reason)
        elif event.kind == INJECTED and event.reason:
            toasts.show("info", event.anomaly, event.reason)
        elif event.kind == STALLED:
            toasts.show("info", _("The phone's log does not answer; {id} is still watched", id=event.anomaly))
        elif event.kind == DISMISSED:
            closed = _("{id} was closed without a button", id=event.anomaly)
            toasts.show("info", closed, how_text(event.how))
        elif event.kind == FAILED and event.command and not event.native:
            toasts.show("warn", _("What follows {id} did not work", id=event.anomaly), event.reason)

    @Slot(int)
    def _report_restored(self, count: int) -> None:
        message = ngettext(
            "{count} change of an earlier session was undone",
            "{count} changes of an earlier session were undone",
            count,
        )
        self._services.toasts.show("ok", message, _("The phone is as it was before"))

    @Slot(object)
    def _show_error(self, error: Exception) -> None:
        if not isinstance(error, CompanionMissing | PermissionMissing):  # which are offered
            self._services.toasts.show_error(error)

    @Slot(object, object)
    def _offer_companion(self, request: InjectionRequest, error: Exception) -> None:
        again = partial(self._anomalies.fire, request)
        if isinstance(error, CompanionMissing):
            self._companion.offer(error, again)
        elif isinstance(error, PermissionMissing):
            self._companion.offer_permission(error, again)

    # -- confirmations -------------------------------------------------------
    @Slot(object)
    def _ask_danger(self, question: DangerQuestion) -> None:
        dialog = DangerDialog(question.effects, self._host.window())
        dialog.finished.connect(partial(_answer, question))
        poll = QTimer(dialog, interval=_POLL_MS)
        # The question is over when it timed out or the phone is gone; the command was not run.
        poll.timeout.connect(partial(_close_when_over, dialog, question))
        poll.start()
        dialog.open()

    @Slot(object)
    def _ask_trust(self, request: TrustRequest) -> None:
        dialog = TrustDialog(request, self._host.window())
        dialog.accepted.connect(partial(self._anomalies.trust, request))
        self._services.project_library.opened.connect(dialog.reject)  # the question is about another project
        dialog.open()


def _answer(question: DangerQuestion, result: int) -> None:
    """Answer as the dialog ended: 0 is no."""
    question.answer(bool(result))


def _close_when_over(dialog: DangerDialog, question: DangerQuestion) -> None:
    if question.is_over:
        dialog.reject()
