"""What a scrcpy session changes on the phone while it lasts, and restores when its server ends."""

from __future__ import annotations

from collector.adb.keys import CODES
from collector.adb.scrcpy.options import ServerOptions
from collector.virtual.video.phone import ScreenPhone

_STAY_ON = 1 | 2 | 4
"""Plugged into a charger, a computer or a wireless charger."""


class CleanUp:
    """Change settings with ``apply``; ``restore`` puts them back, also after a client was killed."""

    def __init__(self, phone: ScreenPhone, options: ServerOptions) -> None:
        self._phone = phone
        self._options = options
        self._restored: list[tuple[str, str, str]] = []
        """Namespace, key and the value before."""

    def apply(self) -> None:
        """Change the settings that the options ask for; nothing when they forbid the cleanup."""
        options = self._options
        if not options.cleanup:
            return
        if options.show_touches:
            self._put("system", "show_touches", "1", missing="0")
        if options.stay_awake:
            self._put("global", "stay_on_while_plugged_in", str(_STAY_ON))
        if options.screen_off_timeout != -1:
            self._put("system", "screen_off_timeout", str(options.screen_off_timeout))

    def restore(self) -> None:
        """Restore the settings and switch the screen off if the options ask for it."""
        for namespace, key, value in self._restored:
            self._phone.settings.put(namespace, key, value)
        self._restored.clear()
        if self._options.cleanup and self._options.power_off_on_close and self._phone.awake:
            self._phone.key(CODES["POWER"])

    def _put(self, namespace: str, key: str, value: str, missing: str = "") -> None:
        settings = self._phone.settings
        before = settings.get(namespace, key) or missing
        if before and before != value:
            self._restored.append((namespace, key, before))
        settings.put(namespace, key, value)
