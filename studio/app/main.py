"""Start the window: options, settings, language, theme, single instance, event loop."""

from __future__ import annotations

import logging
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QPixmapCache
from PySide6.QtWidgets import QApplication

from collector.host.malloc import limit_malloc
from collector.host.programs import replace_process
from collector.host.quit_deadline import arm_quit_deadline
from collector.host.user_folders import log_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.app import single_instance
from studio.app.first_paint import FirstPaint
from studio.app.language import use_language
from studio.app.logs import ENDED_LATE, log_path, start_logging
from studio.app.signal_watcher import SignalWatcher
from studio.app.single_instance import WindowRequest
from studio.app.studio import Studio
from studio.app.window_requests import OPEN_PROJECT, WindowRequests
from studio.bridge import module_sources
from studio.bridge.crashes.hooks import CrashHooks, ProcessTrace
from studio.settings import Settings
from studio.theme import theme

_log = logging.getLogger(__name__)
_SWITCH_S = 0.0005
"""How long a thread running Python keeps another waiting; Python's own 5 ms are a third of a frame."""
_BEFORE_ARGUMENT = re.compile(r"\s+(?=[\w-]+=)")
_SCALED = "WAYMARK_SCALED"
"""Set when the scale of this run comes from the settings and not from the environment."""
_LANGUAGE = "WAYMARK_LANGUAGE"
"""Names the language of this run, also one of ``pseudo_language``, which no setting offers."""
_MAPPED_FROM = 1_500_000
"""Bytes of a block that malloc maps alone: screens come and go, and would fragment the memory of all else."""

_PIXMAPS_KB = 2_048
"""What Qt keeps of the pixmaps that it makes itself; by default it is 10 MB."""


@dataclass(frozen=True)
class Options:
    """Options of the command line; an empty one leaves the choice to the settings."""

    project: str = ""
    theme: str = ""
    language: str = ""
    commands: tuple[str, ...] = ()
    alone: bool = False
    rule_files: tuple[str, ...] = ()
    """Files to edit in a window that has the Rules workspace alone."""


def has_display() -> bool:
    """Return whether a window can be shown; without a display Qt aborts the process."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def parse_command(text: str) -> WindowRequest:
    """Return the request for a command written as ``id name=value ...``; a value may have spaces.

    Raises UserError for anything else.
    """
    name, *rest = _BEFORE_ARGUMENT.split(text.strip())
    if len(name.split()) != 1:
        raise UserError(
            _("{text} is no command with arguments", text=repr(text)),
            "",
            _("Write it as ID NAME=VALUE, such as {example}", example="review.open folder=PATH step=3"),
        )
    return {"run": name, "arguments": dict(argument.split("=", 1) for argument in rest)}


def open_studio(options: Options) -> int:
    """Run the window until it closes; 2 when there is no display."""
    if not has_display():
        sentence = _("There is no display for the window; set QT_QPA_PLATFORM=offscreen to run without one")
        sys.stderr.write(f"waymark: {sentence}\n")
        return 2
    limit_malloc(arenas=1, mapped_from=_MAPPED_FROM)
    settings = Settings()
    if settings["appearance.scale"] != 1.0 and "QT_SCALE_FACTOR" not in os.environ:
        os.environ["QT_SCALE_FACTOR"] = str(settings["appearance.scale"])
        os.environ[_SCALED] = "1"
    app = QApplication.instance() or QApplication(["waymark-studio"])
    assert isinstance(app, QApplication)
    app.setApplicationName("waymark-studio")
    app.setApplicationDisplayName("Waymark Studio")
    app.setDesktopFileName("waymark-studio")
    if not options.alone:
        answers = single_instance.send(_requests(options))
        if answers is not None:
            return _print_errors(answers)
    return _run(app, settings, options)


def _requests(options: Options) -> list[WindowRequest]:
    is_of_person = bool(options.project) or not options.commands
    first: list[WindowRequest] = [{"raise": True}] if is_of_person else []
    if options.project:
        first.append({"run": OPEN_PROJECT, "arguments": {"path": str(Path(options.project).resolve())}})
    first += [
        {"run": "rules.open-file", "arguments": {"path": str(Path(path).resolve())}}
        for path in options.rule_files
    ]
    return [*first, *(parse_command(command) for command in options.commands)]


def _print_errors(answers: list[WindowRequest]) -> int:
    errors = [str(answer["error"]) for answer in answers if "error" in answer]
    for error in errors:
        sys.stderr.write(f"waymark: {error}\n")
    return 1 if errors else 0


def _run(app: QApplication, settings: Settings, options: Options) -> int:
    module_sources.leave_unread()
    QPixmapCache.setCacheLimit(_PIXMAPS_KB)
    sys.setswitchinterval(_SWITCH_S)
    log_file = start_logging()
    trace = ProcessTrace(log_folder(), log_file)
    hooks = CrashHooks(log_folder(), log_file)
    hooks.install()
    for key, value in (("appearance.language", options.language), ("appearance.theme", options.theme)):
        if value:
            settings.use_for_this_run(key, value)
    use_language(app, os.environ.get(_LANGUAGE) or settings["appearance.language"])
    theme.install(app, settings["appearance.theme"], motion=settings["appearance.motion"])
    studio = Studio(settings, only="rules" if options.rule_files else "", load=False)
    hooks.happened.connect(studio.show_uncaught)
    studio.tasks.keep_report = hooks.keep
    requests = WindowRequests(studio)
    server = single_instance.InstanceServer(requests.answer)
    watcher = SignalWatcher(studio.close_window, _quit_soon)
    studio.closing.connect(_quit_soon)

    def go_on() -> None:
        if not studio.window.isVisible():
            return  # closed before it was filled
        studio.load()
        if not options.alone and not server.listen():
            _log.warning("a second start of the studio will not find this window")
        studio.start(options.project, reopen=not options.rule_files)
        requests.run([request for request in _requests(options) if "run" in request])

    FirstPaint(studio.window).done.connect(go_on)
    studio.show()
    try:
        status = app.exec()
    finally:
        _quit_soon()
        watcher.close()
        server.close()
        studio.close()
        hooks.remove()
        trace.close()
    if studio.restarts:
        start_again()
    return status


def _quit_soon() -> None:
    """From now on the process has seconds to end, whatever its threads do."""
    arm_quit_deadline(1, f"waymark: {_(ENDED_LATE)}", log_path())


def start_again() -> None:
    """Replace this process by a new run of the same command line, with the scale of the settings."""
    if os.environ.pop(_SCALED, None):
        del os.environ["QT_SCALE_FACTOR"]
    replace_process([sys.executable, *sys.orig_argv[1:]])
