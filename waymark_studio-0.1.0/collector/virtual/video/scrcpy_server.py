"""The scrcpy server of the virtual phone: what ``app_process / com.genymobile.scrcpy.Server`` runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from collector.adb.keys import CODES
from collector.adb.scrcpy.options import ServerOptions, parse_server_arguments
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.video.filtered_screen import CropError
from collector.virtual.video.phone import ScreenPhone
from collector.virtual.video.refusals import RefusalTime, video_refusal
from collector.virtual.video.scrcpy_session import ScrcpySession, Stop
from collector.virtual.video.server_lists import print_list
from collector.virtual.video.server_log import ServerLog

NEWEST = "3.3.4"
"""The version the server reports when it does not support the client's version."""
_JAVA_ERROR = "java.lang.IllegalArgumentException"


class ScrcpyServer:
    """One run of the server; ``run`` returns its exit status when the client or the shell ends.

    ``unlink`` deletes the file the client pushed.
    """

    def __init__(
        self,
        phone: ScreenPhone,
        sockets: DeviceSockets,
        log: ServerLog,
        stop: Stop,
        unlink: Callable[[], object] = lambda: None,
    ) -> None:
        self._phone = phone
        self._sockets = sockets
        self._log = log
        self._stop = stop
        self._unlink = unlink

    def run(self, words: Sequence[str]) -> int:
        """Run the server; ``words`` are the arguments after the class name, version first."""
        try:
            options = parse_server_arguments(tuple(words))
            if not options.version.spoken:
                raise ValueError(_mismatch(str(options.version)))
            self._log.set_level(options.log_level)
        except ValueError as error:
            message = self._parse_error(words, error)
            self._log.error(f"{message}\n{_JAVA_ERROR}: {message}")
            return 1
        self._greet(options)
        for key in options.unknown:
            self._log.warn(f"Unknown server option: {key}")
        if options.cleanup:
            self._unlink()
        if options.listing:
            print_list(self._phone, options.version, options.listing, self._log)
            return 0
        refusal = video_refusal(options, self._phone)
        if refusal and refusal.time is RefusalTime.BEFORE_CONNECTING:
            self._log.error(refusal.message)
            return 0
        return self._serve(options)

    def _serve(self, options: ServerOptions) -> int:
        """Run a session. As in the real server, only a failed connection is a failure of the process."""
        clean_up = CleanUp(self._phone, options)
        session = ScrcpySession(self._phone, self._sockets, options, self._log, self._stop)
        clean_up.apply()
        try:
            session.run()
        except CropError as error:
            if options.version.since(3):
                self._log.error(f"Exception on thread Thread[video,5,main]\n{_JAVA_ERROR}: {error}")
            else:
                self._log.warn(str(error))
                self._log.error("Video encoding error")
        except OSError as error:
            self._log.error(f"{error}\njava.io.IOException: {error}")
            return 1
        finally:
            session.close()
            clean_up.restore()
        return 0

    def _greet(self, options: ServerOptions) -> None:
        profile = self._phone.profile
        modern = options.version.has_codec_meta
        maker = f"[{profile.manufacturer}]" if modern else profile.manufacturer
        brand = f" {profile.manufacturer.lower()}" if modern else ""
        self._log.info(f"Device: {maker}{brand} {profile.model} (Android {profile.android})")

    def _parse_error(self, words: Sequence[str], error: ValueError) -> str:
        """The message for invalid arguments; an invalid version number is a mismatch."""
        try:
            ScrcpyVersion.parse(words[0] if words else "")
        except ValueError:
            if words:
                return _mismatch(words[0])
        return str(error)


def _mismatch(version: str) -> str:
    return f"The server version ({NEWEST}) does not match the client ({version})"


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
