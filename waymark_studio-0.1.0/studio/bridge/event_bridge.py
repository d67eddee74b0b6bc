"""Turn events of the core into Qt signals on the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from collector.model.event_emitter import EventEmitter


class EventBridge(QObject):
    """Emits the events of any number of ``EventEmitter`` as ``happened(object)``, in order.

    Lives on the GUI thread; connect bound methods of QObjects only. Never for frames: see Wake.
    """

    happened = Signal(object)
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._subscriptions: list[Callable[[], None]] = []
        self._emitting = threading.Lock()
        self._closed = False
        self._arrived.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    def listen(self, emitter: EventEmitter[Any]) -> None:
        """Subscribe; may be called for several sources."""
        self._subscriptions.append(emitter.subscribe(self._from_any_thread))

    def close(self) -> None:
        """Unsubscribe from all sources; what is still queued is dropped.

        Afterwards no thread is inside an emission of this object, so that it may be deleted.
        """
        for remove in self._subscriptions:
            remove()
        self._subscriptions.clear()
        with self._emitting:
            self._closed = True

    def _from_any_thread(self, event: object) -> None:
        with self._emitting:
            if not self._closed:
                self._arrived.emit(event)

    @Slot(object)
    def _pass_on(self, event: object) -> None:
        if not self._closed:
            self.happened.emit(event)


class Wake(QObject):
    """Tells the GUI that a mailbox has something, at most one pending signal at a time.

    The producer calls ``ring()`` after each put; the receiver of ``rung`` takes the newest.
    """

    rung = Signal()
    _crossed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pending = self._closed = False
        self._lock = threading.Lock()
        self._crossed.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def ring(self, _event: object = None) -> None:
        """Any thread."""
        with self._lock:
            if self._pending or self._closed:
                return
            self._pending = True
            self._crossed.emit()

    def close(self) -> None:
        """Ring no more. Afterwards no thread is inside an emission, so that the object may be deleted."""
        with self._lock:
            self._closed = True

    @Slot()
    def _answer(self) -> None:
        # Cleared before the receiver takes: a frame put after this rings again.
        with self._lock:
            self._pending = False
        self.rung.emit()
