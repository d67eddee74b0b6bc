"""Change language and scale while the program runs: a new window goes on where the last one was."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from studio.app.language import use_language
from studio.settings import Settings
from studio.theme.scale import can_change_scale, set_scale

_LANGUAGE, _SCALE = "appearance.language", "appearance.scale"
# Typing 1.5, or clicking the arrow thrice, is one change.
_AFTER_MS = 300


class WindowRenewal(QObject):
    """Follows the settings of language and scale.

    ``replace`` is given a function to call while there is no window: it switches language and scale.
    """

    def __init__(
        self, settings: Settings, replace: Callable[[Callable[[], None]], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._replace = settings, replace
        self._timer = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._timer.timeout.connect(self._renew)
        self._shown = self._wanted()

    def follows(self, key: str) -> bool:
        """Whether a change of this setting is applied to the running program here."""
        return key == _LANGUAGE or (key == _SCALE and can_change_scale())

    def note_change(self) -> None:
        """A setting that this follows has another value; never at once: its editor is in the window."""
        self._timer.start()

    def close(self) -> None:
        """Apply nothing any more."""
        self._timer.stop()

    def _wanted(self) -> tuple[str, float]:
        return str(self._settings[_LANGUAGE]), float(self._settings[_SCALE])

    @Slot()
    def _renew(self) -> None:
        wanted = self._wanted()
        if wanted == self._shown:
            return
        (language, scale), (shown_language, shown_scale) = wanted, self._shown
        self._shown = wanted
        app = QApplication.instance()
        assert isinstance(app, QApplication)

        def switch() -> None:
            if language != shown_language:
                use_language(app, language)
            if scale != shown_scale:
                set_scale(scale)

        app.setQuitOnLastWindowClosed(False)
        try:
            self._replace(switch)
        finally:
            app.setQuitOnLastWindowClosed(True)
