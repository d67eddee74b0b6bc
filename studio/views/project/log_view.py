"""A live view of the last lines of the log."""

from __future__ import annotations

import logging

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from studio.bridge import EventBridge

_LINES = 500
_FORMAT = logging.Formatter("%(asctime)s  %(levelname)-7s  %(name)s: %(message)s", "%H:%M:%S")


class _LogHandler(logging.Handler):
    """Emits formatted lines from any thread."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: EventEmitter[str] = EventEmitter()
        self.setFormatter(_FORMAT)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.emit(self.format(record))


class LogView(QPlainTextEdit):
    """Read-only text that follows the end until the person scrolls up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setMaximumBlockCount(_LINES)
        self.setProperty("role", "code")
        self.setProperty("plain", "true")
        self.setAccessibleName(_("Log"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._handler = _LogHandler()
        self._bridge = EventBridge(self)
        self._bridge.listen(self._handler.lines)
        self._bridge.happened.connect(self._add)
        logging.getLogger().addHandler(self._handler)

    def stop(self) -> None:
        """Stop following the log."""
        logging.getLogger().removeHandler(self._handler)
        self._bridge.close()

    @Slot(object)
    def _add(self, line: str) -> None:
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        self.appendPlainText(line)
        if at_end:
            bar.setValue(bar.maximum())
