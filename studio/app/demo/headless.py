"""The tour without a desk: a screen, a home and an adb server of its own; pictures and a report."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from collector.device.adb_server import AdbServer
from collector.model import i18n as words
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.check import ERROR, check_project
from collector.store.project import Project
from studio.app.demo import xserver
from studio.app.demo.album import Album
from studio.app.demo.errors import TourError
from studio.app.demo.program import Program
from studio.app.demo.qt_hands import QtHands
from studio.app.demo.scenes.parts import PARTS, QUICK, Part
from studio.app.demo.tour import Tour
from studio.app.demo.x_hands import XHands
from studio.settings import Settings

REPORT = "tour.json"
FEWEST_STEPS = 8
_STOP_S = 10
Tell = Callable[[str], None]


class Headless:
    """Performs the tour into ``folder``; ``tell`` gets one line for each thing done."""

    def __init__(self, folder: Path, tell: Tell, *, quick: bool = False, offscreen: bool = False) -> None:
        self._folder, self._tell, self._quick = folder, tell, quick
        self._offscreen = offscreen or not xserver.is_available()
        self._album = Album(folder)
        self._project = folder / "project"
        self._work = folder / "work"
        self._tours: list[Tour] = []

    def run(self) -> None:
        """All parts, then the check of what was recorded; raises TourError with the reason when one fails."""
        started = time.monotonic()
        self._prepare()
        shutil.copytree(
            asset("sample"),
            self._project,
            ignore=shutil.ignore_patterns(".gitkeep", ".cache"),
            dirs_exist_ok=True,
        )
        with self._screen() as environment, _own_adb() as port:
            environment |= {"ANDROID_ADB_SERVER_PORT": str(port)}
            eye = None if self._offscreen else XHands(environment)
            self._tell(_("Input by {how}", how=eye.name if eye else QtHands.name))
            for part in QUICK if self._quick else PARTS:
                self._perform(part, environment, eye)
        self._check()
        seconds = round(time.monotonic() - started, 1)
        self._write_report(seconds)
        self._tell(
            _("{count} pictures in {seconds} s: {folder}", count=len(self._album.names), seconds=seconds,
              folder=self._folder)
        )  # fmt: skip

    def _prepare(self) -> None:
        """Make room; what an earlier tour left is replaced, anything else is left alone."""
        self._folder.mkdir(parents=True, exist_ok=True)
        earlier = (self._folder / REPORT).is_file()
        if not earlier and any(self._folder.iterdir()):
            raise TourError(
                _("The folder {folder} is not empty", folder=self._folder),
                to_do=_("Name a new folder for the tour"),
            )
        (self._folder / REPORT).write_text("{}\n", encoding="utf-8")
        for picture in self._folder.glob("[0-9][0-9]-*.png"):
            picture.unlink()
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

    def _perform(self, part: Part, environment: dict[str, str], eye: XHands | None) -> None:
        self._tell(part.name)
        home = self._work / part.name
        _write_settings(home)
        words.use_language(part.language, asset("translations"))
        here = environment | {
            "WAYMARK_HOME": str(home),
            "QT_SCALE_FACTOR": str(part.scale),
            "LC_ALL": "C.UTF-8",
        }
        module = "studio.app.demo.host" if self._offscreen else "collector.cli.main"
        project = [str(self._project)] if part.with_project else []
        command = ["-m", module, "studio", *project, "--theme", part.theme, "--language", part.language]
        try:
            with contextlib.ExitStack() as stack:
                program = stack.enter_context(Program(command, here, home))
                hands = eye or stack.enter_context(contextlib.closing(QtHands(home)))
                tour = Tour(program, hands, self._album, part.language, part.scale)
                self._tours.append(tour)
                self._play(part, tour)
                self._check_log(home)
        finally:
            words.use_language(words.SOURCE_LANGUAGE, asset("translations"))

    def _check_log(self, home: Path) -> None:
        """A bug the window survived still ends the tour."""
        reports = sorted((home / "state" / "logs").glob("crash-*.txt"))
        if reports:
            raise TourError(_("Something went wrong in the studio"), to_do=_("See {path}", path=reports[0]))

    def _play(self, part: Part, tour: Tour) -> None:
        try:
            tour.attend()
            for scene in part.scenes:
                name = scene.__name__.replace("_", " ")
                with tour.scene(name):
                    scene(tour)
                self._tell(f"  {name} {tour.scenes[-1].seconds:.1f} s")
        except TourError as error:
            with contextlib.suppress(TourError):
                tour.shoot("failed")
                named = json.dumps(tour.program.ask("controls"), ensure_ascii=False, indent=1)
                (self._work / "controls.json").write_text(named, encoding="utf-8")
            last = self._folder / self._album.names[-1] if self._album.names else self._folder
            raise TourError(error.what, error.why, _("The last picture is {path}", path=last)) from error

    def _check(self) -> None:
        """What was recorded is whole, and long enough to be worth showing."""
        project = Project.open(self._project)
        problems = [problem for problem in check_project(project) if problem.severity == ERROR]
        if problems:
            raise TourError(_("The recorded project does not pass its check"), problems[0].text)

    def _write_report(self, seconds: float) -> None:
        report = {
            "how": self._tours[0].hands.name,
            "seconds": seconds,
            "pictures": self._album.names,
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
        (self._folder / REPORT).write_text(text + "\n", encoding="utf-8")


def _write_settings(home: Path) -> None:
    settings = Settings(home / "config" / "settings.yaml")
    settings.set("recording.author", "lin")
    settings.save()


@contextlib.contextmanager
def _own_adb() -> Iterator[int]:
    """A port for an adb server of the tour's own; the server is ended with the tour."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    try:
        yield port
    finally:
        server = AdbServer(port)
        if server.is_running:
            subprocess.run([server.program, "-P", str(port), "kill-server"], timeout=_STOP_S, check=False,
                           capture_output=True)  # fmt: skip
