"""The wheel works by itself: built, installed in an empty environment and run far from the checkout.

`make wheel` installs it with pip on each Python here, for a new user's day and the demonstration. `make test`
does the first verbs, shows every workspace in a window, and connects a virtual phone.
"""

from __future__ import annotations

import contextlib
import filecmp
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from collector import __version__
from collector.anomalies.builtin_library import builtin_library
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer as DeviceServer
from collector.model.geometry import Point
from collector.model.resources import asset
from collector.store.checks.check import check_project
from collector.store.files.findings import ERROR
from collector.store.files.layout import CACHE
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_trajectory
from studio.app.demo import xserver
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from tests.helpers.on_device_touch import Hand
from tests.helpers.scripts import ROOT, script
from tests.helpers.traps import marks, set_traps
from tests.helpers.virtual import AdbServer, adb_server, read_line

clean_install = script("packaging", "clean_install")
guide_files = script("packaging", "guide_files")
scrcpy_server = script("packaging", "scrcpy_server")

PYTHONS = ("3.11", "3.12", "3.13")
FEWEST_STEPS = 8
LONGEST_S = 600
"""A command may take, of which the longest is the tour: with twenty others on two processors it took 150."""
_MOMENT_AT = 8
"""Where a file of bytecode has the moment and the size of its source."""
MAIN_JOB = ["record", "inject", "judge", "vary", "judges", "run", "review", "measure", "studies", "plot"]
# Building, and a first installation that fetches packages, take longer than a test may.
pytestmark = pytest.mark.timeout(900)


class InstalledWaymark:
    """The commands of one clean environment. They run in an empty folder and see nothing of the checkout."""

    def __init__(self, scripts: Path, folder: Path) -> None:
        self.scripts, self.folder = scripts, folder
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
        command = [str(self.scripts / "waymark"), *words]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *words: str, **environment: str) -> str:
        """Return what a command prints; fail the test when it fails."""
        process = self.start(*words, **environment)
        output, errors = process.communicate(timeout=LONGEST_S)
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
    if not with_pip:
        lend_bytecode(next(scripts.parent.rglob("site-packages")))
    return InstalledWaymark(scripts, folder / "elsewhere")


def lend_bytecode(packages: Path) -> None:
    """Give installed modules the bytecode of the same sources here: else the commands compile 2,500."""
    here = Path(pytest.__file__).parents[1]
    for source in packages.rglob("*.py"):
        name = source.relative_to(packages)
        same = next((place / name for place in (ROOT, here) if (place / name).is_file()), None)
        compiled = Path(importlib.util.cache_from_source(str(same))) if same else None
        if same is None or compiled is None or not compiled.is_file() or not filecmp.cmp(same, source, False):
            continue
        kept = source.parent / "__pycache__" / compiled.name
        kept.parent.mkdir(exist_ok=True)
        about = source.stat()
        told = (int(about.st_mtime) & 0xFFFFFFFF, about.st_size & 0xFFFFFFFF)
        head = b"".join(number.to_bytes(4, "little") for number in told)
        data = compiled.read_bytes()
        kept.write_bytes(data[:_MOMENT_AT] + head + data[_MOMENT_AT + len(head) :])


@pytest.fixture
def only_make_wheel(request: pytest.FixtureRequest) -> None:
    """A test that takes as long as all short ones of this module together."""
    if not request.config.getoption("--with-pip", default=False):
        pytest.skip("`make wheel` does so")


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
    assert {f"collector/pages/{file.as_posix()}" for file in guide_files.files(ROOT)} <= contents
    assert {name.partition("/")[0] for name in contents} == {"collector", "rule_editor", "studio"}


def test_scrcpys_server_and_its_licence_are_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        server = archive.read(f"collector/assets/scrcpy/{scrcpy_server.NAME}")
        assert any(".dist-info/licenses/" in name and name.endswith("scrcpy/NOTICE") for name in names)
    assert hashlib.sha256(server).hexdigest() == scrcpy_server.SHA256


def test_the_bill_of_materials_names_the_wheel_and_all_that_it_needs_and_no_index(wheel: Path) -> None:
    text = next(wheel.parent.glob("*.cdx.json")).read_text("utf-8")
    assert "://" not in text
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", __version__)
    (digest,) = bill["metadata"]["component"]["hashes"]
    assert digest["content"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert {"numpy", "pyside6-essentials", "scrcpy-server"} <= {part["name"] for part in bill["components"]}


def test_another_build_elsewhere_gives_the_same_bytes(
    only_make_wheel: None, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "elsewhere" / "checkout"
    clean_install.reproducible.copy_sources(ROOT, clone)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(clean_install.reproducible.time_of_sources(ROOT)))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    clean_install.build(tmp_path / "dist", clone)
    for first in wheel.parent.glob("waymark*"):
        assert (tmp_path / "dist" / first.name).read_bytes() == first.read_bytes(), first.name


def test_the_commands_find_what_the_wheel_carries(installed: InstalledWaymark) -> None:
    assert installed.run("--version") == f"waymark, version {__version__}\n"
    listed = json.loads(installed.run("anomaly", "list", "--json"))
    assert {row["id"] for row in listed["anomalies"]} == {
        anomaly.id for anomaly in builtin_library().anomalies
    }
    assert "scrcpy-server 3.3.3: Apache-2.0" in installed.run("--licences")
    installed.run("project", "new", "tasks")
    assert installed.run("project", "check", "tasks") == "Everything is in order\n"


WINDOW = """
from pathlib import Path
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
from studio.app.studio import Studio
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.settings import Settings
from studio.theme import theme

app = QApplication([])
theme.install(app, "dark", motion=False)
studio = Studio(Settings(Path("settings.yaml")))
studio.show()
opening = QEventLoop()
studio.project_library.opened.connect(lambda *_: opening.quit())
studio.project_library.open(Path("{project}"))
opening.exec()
for workspace in AVAILABLE_WORKSPACES:
    studio.window.show_workspace(workspace.id)
    app.processEvents()
    print(workspace.id, not studio.window.grab().isNull())
studio.window.close()
studio.close()
"""


def test_a_project_is_begun_and_every_workspace_shows_it(installed: InstalledWaymark) -> None:
    """The short form of a new user's day: without a phone, and without the verbs one after the other."""
    installed.run("task", "new", "search", "--project", "tasks", "--instruction", "Open the search",
                  "--app", "Shop", "--success", "search-open")  # fmt: skip
    (installed.folder / "tasks" / "rules").mkdir()
    (installed.folder / "tasks" / "rules" / "success.yaml").write_text(RULE)
    assert installed.run("rules", "check", "--project", "tasks") == "Everything is in order\n"
    done = subprocess.run(
        [installed.scripts / "python", "-P", "-c", WINDOW.format(project=installed.folder / "tasks")],
        cwd=installed.folder,
        env=installed.environment | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert (done.returncode, told) == (0, [])
    shown = dict(line.split() for line in done.stdout.splitlines())
    assert shown == {workspace.id: "True" for workspace in AVAILABLE_WORKSPACES}


def test_a_phone_of_the_wheel_runs_in_adb(installed: InstalledWaymark, adb: AdbServer) -> None:
    server = {name: adb.environment[name] for name in ("ANDROID_ADB_SERVER_PORT", "ADB_USB")}
    with running(installed.start("device", "virtual", "--port", "0", **server)) as process:
        address = read_line(process).decode().split()[1]
        installed.run("device", "connect", address, **server)
        listed = json.loads(installed.run("device", "list", "--json", **server))
        assert {"serial": address, "state": "device", "words": "ready", "in_use_by": ""} in listed


RULE = """
search-open:
  description: The search of the shop is open
  conditions:
    - {type: element_exists, selector: "resource-id='com.waymark.shop:id/query'"}
"""
AGENT = """
    steps = ("Shop", "Search products")
    if len(screen["history"]) == len(steps):
        return {"kind": "complete"}
    for node in screen["nodes"]:
        left, top, right, bottom = node["bounds"]
        if node["label"] == steps[len(screen["history"])]:
            return {"kind": "tap", "x": (left + right) // 2, "y": (top + bottom) // 2}
    return {"kind": "wait", "ms": 300}
"""
IN_FRONT = "while ! dumpsys window | grep mCurrentFocus | grep -q com.waymark.shop; do sleep 0.05; done"
PROCESS = '{id: mine, kind: process, command: ["{python}", agents/mine.py], tree: nodes, screenshot: none}'


def test_a_new_user_records_judges_runs_reviews_exports_shares_and_leaves(
    only_make_wheel: None, installed: InstalledWaymark, adb: AdbServer
) -> None:
    """The tasks of a new user's first day, by the commands alone, each as the guide has it."""
    server = {name: adb.environment[name] for name in ("ANDROID_ADB_SERVER_PORT", "ADB_USB")}
    at_work = partial(installed.run, **server)
    installed.run("project", "new", "project")
    here = ("--project", "project")
    installed.run("task", "new", "search", "--instruction", "Open the search of the shop", "--app", "Shop",
                  "--package", "com.waymark.shop", "--success", "search-open", *here)  # fmt: skip
    project = installed.folder / "project"
    (project / "rules").mkdir()
    (project / "rules" / "success.yaml").write_text(RULE)
    size = ("--size", "480x1064", "--density", "210")
    with running(installed.start("device", "virtual", "--port", "0", *size, **server)) as process:
        address = read_line(process).decode().split()[1]
        at_work("device", "connect", address)
        listed = json.loads(at_work("device", "list", "--json"))
        assert {"serial": address, "state": "device", "words": "ready", "in_use_by": ""} in listed
        golden = record_golden(installed, adb, address, server)
        assert installed.run("rules", "check", *here) == "Everything is in order\n"
        tried = json.loads(installed.run("rules", "backtest", "project", "--json"))
        assert [(row["rule"], row["fires"]) for row in tried["rules"]] == [("search-open", 1)]
        installed.run("review", "submit", golden, "--verdict", "success", "--as", "lin", *here)

        installed.run("agent", "new", "mine", *here)
        program = project / "agents" / "mine.py"
        before, _start, rest = program.read_text().partition("    for node in")
        program.write_text(before + AGENT + "\n\ndef main" + rest.partition("def main")[2])
        installed.run("experiment", "new", "first", "--task", "search", "--agent", "golden", *here)
        experiment = project / "experiments" / "first.yaml"
        experiment.write_text(experiment.read_text().replace("[golden]", f"[{PROCESS}]"))
        installed.run("project", "trust", "project", "--yes")
        at_work("run", "first", "--devices", address, *here)
        adb.run("disconnect", address)
    listed = json.loads(installed.run("trajectory", "list", "kind:run", "--json", *here))
    (run,) = listed["trajectories"]
    assert [(verdict["judge"], verdict["verdict"]) for verdict in run["verdicts"]] == [("rules", "success")]
    installed.run("review", "submit", run["id"], "--confirm", "--as", "sara", *here)
    numbers = json.loads(installed.run("metrics", "project", "--json"))
    assert numbers
    installed.run("project", "export", "aitk", "exported", *here)
    assert list((installed.folder / "exported").iterdir())
    installed.run("review", "export", golden, run["id"], "--output", "shared.html", *here)
    assert "<html" in (installed.folder / "shared.html").read_text()[:500]
    # A loaded machine may have read a tree late, which is a notice and no error.
    assert [finding for finding in check_project(Project.open(project)) if finding.severity == ERROR] == []


def record_golden(installed: InstalledWaymark, adb: AdbServer, address: str, server: dict[str, str]) -> str:
    """Record two touches on the phone itself, and return the id of the golden trajectory."""
    phone = AdbDevice(address, DeviceServer(adb.port))
    hand = Hand(phone, 210)
    words = ("record", "search", "--project", "project", "--as", "lin", "--device", address)
    with running(installed.start(*words, **server)) as process:
        heard = iter(lambda: read_line(process).decode(), "")
        next(line for line in heard if "Recording search" in line)
        hand.tap(Point(294, 812))
        next(line for line in heard if "Next state captured" in line)
        phone.shell(IN_FRONT)
        hand.tap(Point(240, 155))
        next(line for line in heard if "Next state captured" in line)
        process.stdin.write(b"\n")
        process.stdin.flush()
        finished = next(line for line in heard if "Finished" in line)
        process.wait(timeout=60)
    return finished.split()[1].rstrip(":")


def test_the_demonstration_shows_the_main_job_in_a_picture_a_step(
    only_make_wheel: None, installed: InstalledWaymark
) -> None:
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


def test_uninstalling_takes_all_of_the_program_and_nothing_of_the_person(installed: InstalledWaymark) -> None:
    """The last test of the module: the environment is without the program then."""
    kept = sorted(installed.folder.rglob("*"))
    assert kept
    uninstall = ["pip", "uninstall", "--quiet", "--no-config", "--python", installed.scripts / "python"]
    subprocess.run([clean_install.private_uv(), *uninstall, "waymark-studio"], check=True, timeout=60)
    site = next(installed.scripts.parent.rglob("site-packages"))
    assert not [name for name in ("collector", "rule_editor", "studio") if (site / name).exists()]
    assert not list(installed.scripts.glob("waymark*"))
    assert sorted(installed.folder.rglob("*")) == kept


@contextlib.contextmanager
def running(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is terminated at the end."""
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=20)
