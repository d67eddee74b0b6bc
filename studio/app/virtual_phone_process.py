"""A virtual phone started from the window: its events as signals, its options from the settings."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from collector.virtual.fleet.phone_options import PhoneOptions, default_name
from collector.virtual.fleet.phone_process import PhoneProcess
from studio.settings import Settings

_log = logging.getLogger(__name__)


class VirtualPhoneProcess(QObject):
    """Starts and stops one process. The signals arrive on the GUI thread."""

    ready = Signal(str)
    """Address of the phone, once it answers."""
    failed = Signal(str)
    """Why the phone could not be started."""
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process = PhoneProcess()
        self._unsubscribe: list[Callable[[], None]] = []

    @property
    def address(self) -> str:
        """``127.0.0.1:PORT``, empty until the phone answers."""
        return self._process.address

    def start(self, settings: Settings, number: int = 1) -> None:
        """Start the phone that the settings describe; ``number`` tells it from others of the same seed."""
        seed = settings["virtual.seed"]
        options = PhoneOptions(
            name=f"{default_name(seed)}-{number}" if number > 1 else "",
            seed=seed,
            size=settings["virtual.size"],
            density=settings["virtual.density"],
            locale=settings["virtual.locale"],
        )
        self._process = PhoneProcess(options)
        self._unsubscribe = [
            self._process.ready.subscribe(self.ready.emit),
            self._process.ended.subscribe(self._report_end),
        ]
        try:
            self._process.start()
        except OSError as error:
            self.failed.emit(error.strerror or str(error))

    def close(self) -> None:
        """Stop the process; kill it when it does not end within three seconds."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._process.stop()

    def _report_end(self, report: str) -> None:
        """On the process's thread."""
        if report:
            _log.info("virtual phone: %s", report)
        if not self._process.address:
            self.failed.emit(report)
        self.ended.emit()
