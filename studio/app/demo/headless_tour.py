"""The scripted tour on a private screen, home folder and adb server; it leaves screenshots and a report."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from collector.device.transport.adb_server import AdbServer
from collector.host.sockets import free_port
from collector.model import i18n
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.checks.check import check_project
from collector.store.files.findings import ERROR
from collector.store.files.layout import CACHE
from collector.store.project.project import Project
from studio.app.demo import xserver
from studio.app.demo.errors import TourError
from studio.app.demo.qt_driver import QtDriver
from studio.app.demo.scenes.tour_sections import MAIN_JOB, WHOLE_TOUR, TourSection
from studio.app.demo.screenshots import Screenshots
from studio.app.demo.studio_process import StudioProcess
from studio.app.demo.tour import Tour
from studio.app.demo.xtest_driver import XTestDriver
from studio.app.logs import ENDED_LATE
from studio.settings import Settings

REPORT = "tour.json"
_STOP_S = 10
Report = Callable[[str], None]


class HeadlessTour:
    """Takes the tour and writes into ``folder``; ``report`` gets one line per scene.

    It shows the main job; ``whole`` shows every page, in two themes, two languages and two scales.
    """

    def __init__(self, folder: Path, report: Report, *, whole: bool = False, offscreen: bool = False) -> None:
        folder = folder.absolute()  # the window does not work in the current folder
        self._folder, self._report = folder, report
        self._parts = WHOLE_TOUR if whole else MAIN_JOB
        self._offscreen = offscreen or not xserver.is_available()
        self._screenshots = Screenshots(folder)
        self._project = folder / "project"
        self._work = folder / "work"
        self._tours: list[Tour] = []

    def run(self) -> None:
        """Run all parts, then check the recorded project. Raises TourError."""
        started = time.monotonic()
        self._prepare()
        shutil.copytree(
            asset("sample"),
            self._project,
            ignore=shutil.ignore_patterns(".gitkeep", CACHE),
            dirs_exist_ok=True,
        )
        with self._screen() as environment, _private_adb() as port:
            environment |= {"ANDROID_ADB_SERVER_PORT": str(port), "ADB_USB": "0"}
            x_driver = None if self._offscreen else XTestDriver(environment)
            self._report(_("Input by {how}", how=x_driver.name if x_driver else QtDriver.name))
            for part in self._parts:
                self._run_part(part, environment, x_driver)
        self._check()
        seconds = round(time.monotonic() - started, 1)
        self._write_report(seconds)
        self._report(
            _(
                "{count} pictures in {seconds} s: {folder}",
                count=len(self._screenshots.names),
                seconds=seconds,
                folder=self._folder,
            )
        )
        project = shlex.quote(str(self._project))
        self._report(
            _("Open the pictures, and the recorded project with `waymark studio {project}`", project=project)
        )

    def _prepare(self) -> None:
        """Empty the folder of an earlier tour. Raises TourError when it holds anything else."""
        self._folder.mkdir(parents=True, exist_ok=True)
        earlier = (self._folder / REPORT).is_file()
        if not earlier and any(self._folder.iterdir()):
            raise TourError(
                _("The folder {folder} is not empty", folder=self._folder),
                to_do=_("Name a new folder for the tour"),
            )
        (self._folder / REPORT).write_text("{}\n", encoding="utf-8", newline="\n")
        for screenshot in self._folder.glob("[0-9][0-9]-*.png"):
            screenshot.unlink()
        for folder in (self._project, self._work):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    @contextlib.contextmanager
    def _screen(self) -> Iterator[dict[str, str]]:
        if self._offscreen:
            yield {"QT_QPA_PLATFORM": "offscreen"}
            return
        with xserver.XServer(self._work) as server:
            yield {**server.environment, "QT_QPA_PLATFORM": "xcb"}

    def _run_part(self, part: TourSection, environment: dict[str, str], x_driver: XTestDriver | None) -> None:
        self._report(part.name)
        home = self._work / part.name
        _write_settings(home)
        i18n.use_language(part.language, asset("translations"))
        part_environment = environment | {
            "WAYMARK_HOME": str(home),
            "QT_SCALE_FACTOR": str(part.scale),
            "LC_ALL": "C.UTF-8",
        }
        module = "studio.app.demo.qt_driver_host" if self._offscreen else "collector.cli.main"
        project = [str(self._project)] if part.with_project else []
        command = ["-P", "-m", module, "studio", *project, "--theme", part.theme, "--language", part.language]
        try:
            with contextlib.ExitStack() as stack:
                program = stack.enter_context(StudioProcess(command, part_environment, home))
                driver = x_driver or stack.enter_context(contextlib.closing(QtDriver(home)))
                tour = Tour(program, driver, self._screenshots, part.language, part.scale)
                self._tours.append(tour)
                self._run_scenes(part, tour)
                self._check_log(home)
            if program.ended_late:
                self._report(f"  {_(ENDED_LATE)}")
        finally:
            i18n.use_language(i18n.SOURCE_LANGUAGE, asset("translations"))

    def _check_log(self, home: Path) -> None:
        """Raise TourError when the program wrote a crash report."""
        reports = sorted((home / "state" / "logs").glob("crash-*.txt"))
        if reports:
            raise TourError(_("Something went wrong in the studio"), to_do=_("See {path}", path=reports[0]))

    def _run_scenes(self, part: TourSection, tour: Tour) -> None:
        try:
            tour.take_keyboard()
            for scene in part.scenes:
                name = scene.__name__.replace("_", " ")
                with tour.scene(name):
                    scene(tour)
                done = tour.scenes[-1]
                picture = done.pictures[0] if len(done.pictures) == 1 else ""
                self._report(f"  {name:12} {done.seconds:5.1f} s  {picture}".rstrip())
        except TourError as error:
            with contextlib.suppress(TourError):
                tour.screenshot("failed")
                controls = json.dumps(tour.program.ask("controls"), ensure_ascii=False, indent=1)
                (self._work / "controls.json").write_text(controls, encoding="utf-8", newline="\n")
            last = self._folder / self._screenshots.names[-1] if self._screenshots.names else self._folder
            raise TourError(error.what, error.why, _("The last picture is {path}", path=last)) from error

    def _check(self) -> None:
        """Raise TourError when the recorded project does not pass its check."""
        project = Project.open(self._project)
        errors = [finding for finding in check_project(project) if finding.severity == ERROR]
        if errors:
            raise TourError(_("The recorded project does not pass its check"), errors[0].what)

    def _write_report(self, seconds: float) -> None:
        report = {
            "how": self._tours[0].driver.name,
            "seconds": seconds,
            "pictures": self._screenshots.names,
            "parts": [
                {
                    "language": tour.language,
                    "scale": tour.scale,
                    "scenes": [dataclasses.asdict(scene) for scene in tour.scenes],
                }
                for tour in self._tours
            ],
        }
        text = json.dumps(report, ensure_ascii=False, indent=1)
        (self._folder / REPORT).write_text(text + "\n", encoding="utf-8", newline="\n")


def _write_settings(home: Path) -> None:
    settings = Settings(home / "config" / "settings.yaml")
    settings.set("recording.author", "lin")
    settings.save()


@contextlib.contextmanager
def _private_adb() -> Iterator[int]:
    """A free port for a private adb server, which is stopped afterwards."""
    port = free_port()
    try:
        yield port
    finally:
        server = AdbServer(port)
        if server.is_running:
            server.run_program("kill-server", seconds=_STOP_S)
