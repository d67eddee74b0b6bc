"""The wheel works by itself: built, installed in an empty environment and run far from the checkout."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from collector import __version__
from collector.anomalies.builtin_library import builtin_library
from collector.model.resources import asset
from collector.store.checks.check import check_project
from collector.store.files.findings import ERROR
from collector.store.files.layout import CACHE
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_trajectory
from studio.app.demo import xserver
from tests.helpers.scripts import ROOT, script
from tests.helpers.traps import marks, set_traps
from tests.helpers.virtual import AdbServer, adb_server, read_line

clean_install = script("packaging", "clean_install")

PYTHONS = ("3.11", "3.12", "3.13")
FEWEST_STEPS = 8
MAIN_JOB = ["record", "inject", "judge", "vary", "judges", "run", "review", "measure", "studies", "plot"]
# Building, and a first installation that fetches packages, take longer than a test may.
pytestmark = pytest.mark.timeout(900)


class InstalledWaymark:
    """The commands of one clean environment. They run in an empty folder and see nothing of the checkout."""

    def __init__(self, scripts: Path, folder: Path) -> None:
        self._scripts, self.folder = scripts, folder
        folder.mkdir(parents=True)
        # The folder somebody works in may hold anything.
        self._marker = folder.with_name("marker")
        set_traps(folder, self._marker)
        hidden = ("PYTHON", "VIRTUAL_ENV", "DISPLAY", "WAYLAND_DISPLAY", "QT_", "LD_LIBRARY_PATH")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
        self.environment |= {
            "WAYMARK_HOME": str(folder / "home"),
            "PATH": os.pathsep.join([".", str(scripts), os.defpath, ""]),
        }

    def start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a command whose output is read as it comes."""
        command = [str(self._scripts / "waymark"), *words]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *words: str, **environment: str) -> str:
        """Return what a command prints; fail the test when it fails."""
        process = self.start(*words, **environment)
        output, errors = process.communicate(timeout=150)
        assert process.returncode == 0, f"waymark {' '.join(words)}: {output.decode()}{errors.decode()}"
        assert marks(self._marker) == []
        return output.decode()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution beside it."""
    return clean_install.build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    """A folder far from the checkout, not in memory: uv would copy to there what it links to on the disk."""
    place = Path("/var/tmp")
    with tempfile.TemporaryDirectory(prefix="waymark-", dir=place if place.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture(scope="module", params=PYTHONS)
def installed(request: pytest.FixtureRequest, wheel: Path, disk: Path) -> InstalledWaymark:
    with_pip = request.config.getoption("--with-pip", default=False)
    if request.param != f"{sys.version_info.major}.{sys.version_info.minor}" and not with_pip:
        pytest.skip("`make wheel` tries the other Pythons")
    python = clean_install.find_python(request.param)
    if python is None:
        pytest.skip(f"there is no Python {request.param} on this machine")
    folder = disk / f"python{request.param}"
    folder.mkdir()
    scripts = clean_install.install(wheel, python, folder / "environment", with_pip=with_pip)
    return InstalledWaymark(scripts, folder / "elsewhere")


@pytest.fixture
def adb() -> Iterator[AdbServer]:
    with adb_server() as server:
        yield server


def test_both_distributions_carry_every_asset(wheel: Path) -> None:
    files = [path.relative_to(ROOT) for path in (ROOT / "assets").rglob("*") if path.is_file()]
    # A catalogue of the sample is there once somebody has opened it in the checkout.
    assets = {path.as_posix() for path in files if CACHE not in path.parts}
    with tarfile.open(next(wheel.parent.glob("*.tar.gz"))) as source:
        packed = {name.partition("/")[2] for name in source.getnames()}
    assert assets <= packed
    with zipfile.ZipFile(wheel) as archive:
        contents = {name for name in archive.namelist() if ".dist-info/" not in name}
    # The application reads no file that starts with a dot.
    assert {f"collector/{name}" for name in assets if not Path(name).name.startswith(".")} <= contents
    assert {name.partition("/")[0] for name in contents} == {"collector", "rule_editor", "studio"}


def test_the_commands_find_what_the_wheel_carries(installed: InstalledWaymark) -> None:
    assert installed.run("--version") == f"waymark, version {__version__}\n"
    listed = json.loads(installed.run("anomaly", "list", "--json"))
    assert {row["id"] for row in listed["anomalies"]} == {
        anomaly.id for anomaly in builtin_library().anomalies
    }
    installed.run("project", "new", "tasks")
    assert installed.run("project", "check", "tasks") == "Everything is in order\n"


def test_a_virtual_phone_answers_adb(installed: InstalledWaymark, adb: AdbServer) -> None:
    server = {name: adb.environment[name] for name in ("ANDROID_ADB_SERVER_PORT", "ADB_USB")}
    with running(installed.start("device", "virtual", "--port", "0", **server)) as process:
        address = read_line(process).decode().split()[1]
        installed.run("device", "connect", address, **server)
        listed = json.loads(installed.run("device", "list", "--json", **server))
        assert {"serial": address, "state": "device", "words": "ready", "in_use_by": ""} in listed
        adb.run("disconnect", address)


def test_the_demonstration_shows_the_main_job_in_a_picture_a_step(installed: InstalledWaymark) -> None:
    printed = installed.run("demo", "--headless", "tour")
    folder = installed.folder / "tour"
    report = json.loads((folder / "tour.json").read_text(encoding="utf-8"))
    if xserver.is_available():
        assert "XTEST" in report["how"]
    for name in report["pictures"]:
        picture = QImage(str(folder / name))
        assert (picture.width(), picture.height()) == (1600, 1000), name
        (line,) = [line for line in printed.splitlines() if name in line]
        assert line.split()[0] == name.split("-")[1]
    assert [name.split("-")[1] for name in report["pictures"]] == MAIN_JOB
    assert f"waymark studio {folder / 'project'}" in printed
    project = Project.open(folder / "project")
    assert [finding for finding in check_project(project) if finding.severity == ERROR] == []
    shipped = {path.name for path in Project.open(asset("sample")).trajectory_folders()}
    recorded = [path for path in project.trajectory_folders() if path.name not in shipped]
    longest = max(len(read_trajectory(trajectory).steps) for trajectory in recorded)
    assert longest >= FEWEST_STEPS


@contextlib.contextmanager
def running(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is terminated at the end."""
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=20)
