"""Drive a virtual phone with clients that others wrote, unchanged, and write docs/compatibility.md from it.

The clients stand in an environment of their own, ``build/clients``: those of PyPI in one of Python, those of
npm in a folder of packages. Each has a script of checks in ``packaging/clients``, or its own tests, and a
phone that nobody used before. A client that cannot be installed is named and left out.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import bootstrap
import fetch_uv

ROOT = bootstrap.ROOT
PLACE = ROOT / "build" / "clients"
SCRIPTS = ROOT / "packaging" / "clients"
PAGE = ROOT / "docs" / "compatibility.md"
BEGIN, END = "<!-- clients begin -->\n", "<!-- clients end -->\n"
SECONDS = 600
"""A client that takes longer has failed."""
USUAL_PORT = "5037"
PIP, NPM = "pip", "npm"


@dataclass(frozen=True)
class Client:
    """A client: its package, the script of its checks, and what these do."""

    package: str
    script: str
    does: str
    registry: str = PIP
    extra: str = ""
    """What follows the package's name, such as ``[async]``."""
    on_emulator: bool = False
    """Whether the phone is one that runs as an emulator."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Why some of its own tests fail on every phone that is connected as this one is, by their names."""


@dataclass
class Outcome:
    """What a run of a client's checks gave: the number of checks that passed, and why others did not."""

    passed: int = 0
    differs: dict[str, list[str]] = field(default_factory=dict)
    """Names of checks by the reason for which the client behaves so on every phone."""
    failed: dict[str, str] = field(default_factory=dict)
    """Reasons by the names of checks."""

    @property
    def checks(self) -> int:
        return self.passed + sum(map(len, self.differs.values())) + len(self.failed)


E2E_TESTS = "e2etests"
CLIENTS = (
    Client(
        "adbutils", E2E_TESTS, "its own tests for a phone (`e2etests` of its sources)",
        known={"test_wait_for": "waits for a phone on USB"},
    ),
    Client(
        "uiautomator2", "uiautomator2_checks.py",
        "selectors, XPath, watchers, gestures, text, its input method, apps, clipboard, toasts, screenshots",
    ),
    Client("pure-python-adb", "ppadb_checks.py", "shell, files, forwards, packages, apps, input, measures"),
    Client(
        "adb-shell", "adb_shell_checks.py",
        "without an adb server: keys, shell, files, its asynchronous client, restart", extra="[async]",
    ),
    Client("androidtv", "androidtv_checks.py", "apps, keys, volume, screen, screenshot, over adb-shell"),
    Client("adb_pywrapper", "adb_pywrapper_checks.py", "packages, versions, files, state"),
    Client("airtest", "airtest_checks.py", "its commands with adb's ways to see and touch, finding pictures"),
    Client("mobly", "mobly_checks.py", "its controller with the log service, files, bug report, restart"),
    Client("androidviewclient", "androidviewclient_checks.py", "dump, search, touches, text, snapshot"),
    Client(
        "@devicefarmer/adbkit", "adbkit_checks.mjs",
        "tracking, shell, files, forwards, packages, log, processor, restart", NPM,
    ),
    Client(
        "appium-adb", "appium_adb_checks.mjs",
        "properties, settings, radios, apps, permissions, input methods, files, log, lock, recording", NPM,
    ),
    Client("@mobilenext/mobile-mcp", "mobile_mcp_checks.mjs", "every tool for a phone but installing", NPM),
    Client(
        "@mobilenext/mobile-mcp", "mobile_mcp_checks.mjs", "the same on an emulator", NPM, on_emulator=True
    ),
    Client(
        "appium-adb", "appium_adb_emulator_checks.mjs", "its commands for emulators", NPM, on_emulator=True
    ),
)  # fmt: skip


class Workshop:
    """The environment of the clients. Raises CalledProcessError when it cannot be made."""

    def __init__(self) -> None:
        self._uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.report)
        venv = PLACE / "environment"
        self.python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self._run_uv("venv", "--quiet", "--clear", "--python", sys.executable, str(venv))
        self._run_uv("pip", "install", "--quiet", "--python", str(self.python), "pip")
        self._pip("pytest", "adbutils", "opencv-python-headless")  # uiautomator2 gives pictures of OpenCV
        self.adb = self._adb()
        self.npm = PLACE / "npm"
        self.npm.mkdir(exist_ok=True)
        (self.npm / "package.json").write_text('{"name": "clients", "private": true}\n')

    def install(self, client: Client) -> str:
        """Why the client cannot be installed; empty when it is there."""
        try:
            if client.registry == PIP:
                self._pip(client.package + client.extra)
                return ""
            npm, node = shutil.which("npm"), shutil.which("node")
            if npm is None or node is None:
                return "node and npm are not installed"
            words = [
                npm,
                "install",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--silent",
                client.package,
            ]
            subprocess.run(words, cwd=self.npm, check=True)
        except subprocess.CalledProcessError as error:
            return f"{client.registry} ended with {error.returncode}"
        return ""

    def version(self, client: Client) -> str:
        """The version that is installed."""
        if client.registry == NPM:
            told = json.loads(
                (self.npm / "node_modules" / client.package / "package.json").read_text("utf-8")
            )
            return str(told["version"])
        code = f"from importlib.metadata import version; print(version({client.package!r}))"
        return subprocess.run(
            [self.python, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()

    def sources(self, client: Client) -> Path:
        """The folder of the client's sources, as its package index has them."""
        folder = PLACE / "sources"
        shutil.rmtree(folder, ignore_errors=True)
        name = f"{client.package}=={self.version(client)}"
        words = ["-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder), name]
        subprocess.run([self.python, *words], check=True)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        return next(path for path in folder.iterdir() if path.is_dir())

    def _pip(self, *packages: str) -> None:
        # By pip itself: uv asks for every package that a client's sources name, also for those of Windows.
        words = ["-m", "pip", "install", "--quiet", "--upgrade", *packages]
        subprocess.run([self.python, *words], env=bootstrap.uv_environment(), check=True)

    def _run_uv(self, *words: str) -> None:
        subprocess.run([str(self._uv), *words], cwd=ROOT, env=bootstrap.uv_environment(), check=True)

    def _adb(self) -> Path:
        """The adb that comes with adbutils, in a folder that looks like an SDK."""
        code = "import adbutils; print(adbutils.adb_path())"
        found = subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=True)
        source = Path(found.stdout.strip())
        tools = PLACE / "sdk" / "platform-tools"
        shutil.rmtree(tools, ignore_errors=True)
        shutil.copytree(source.parent, tools)
        return tools / source.name


@contextmanager
def phone(shop: Workshop, *, is_emulator: bool) -> Iterator[dict[str, str]]:
    """A new virtual phone at an adb server of its own: the variables that lead to it."""
    from collector.host.sockets import free_port

    home = PLACE / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    variables = os.environ | {
        "ANDROID_ADB_SERVER_PORT": str(free_port()),
        "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
        "ADB_USB": "0",
        "HOME": str(home),
        "ANDROID_HOME": str(shop.adb.parent.parent),
        "PATH": f"{shop.adb.parent}{os.pathsep}{os.environ['PATH']}",
        "CLIENTS_ADB": str(shop.adb),
        "CLIENTS_NPM": str(shop.npm / "node_modules"),
    }
    code = "import sys; from collector.cli.verb_groups import device; device(sys.argv[1:])"
    adb = str(shop.adb)
    subprocess.run([adb, "start-server"], env=variables, check=True, stderr=subprocess.DEVNULL)
    words = ["virtual", "--emulator"] if is_emulator else ["virtual"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        env=variables | {"PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            assert process.stdout is not None
            serial = process.stdout.readline().split()[1].decode()
            joins = [adb, "-s", serial, "wait-for-device"] if is_emulator else [adb, "connect", serial]
            subprocess.run(joins, env=variables, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS)
            yield variables | {"ANDROID_SERIAL": serial}
        finally:
            process.terminate()
            subprocess.run([adb, "kill-server"], env=variables, check=False)
            _end_daemon(home / ".mobilecli" / "daemon.pid")


def _end_daemon(file: Path) -> None:
    """End the process that mobile-mcp's mobilecli left, by the file it keeps its id in."""
    if file.exists():
        with contextlib.suppress(OSError, KeyError, ValueError):
            os.kill(int(json.loads(file.read_text("utf-8"))["pid"]), signal.SIGTERM)


def run_script(shop: Workshop, client: Client, variables: dict[str, str]) -> Outcome:
    """Run the script of a client's checks."""
    program = [str(shop.python), "-W", "ignore"] if client.registry == PIP else ["node"]
    outcome = Outcome()
    try:
        done = subprocess.run(
            [*program, str(SCRIPTS / client.script)],
            cwd=variables["HOME"], env=variables, timeout=SECONDS, check=False,
            capture_output=True, text=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        outcome.failed["all checks"] = f"they took more than {SECONDS} s"
        return outcome
    for line in done.stdout.splitlines():
        if not line.startswith('{"name":'):
            continue
        told = json.loads(line)
        if told["result"] == "passed":
            outcome.passed += 1
        elif told["result"] == "differs":
            outcome.differs.setdefault(told["why"], []).append(told["name"])
        else:
            outcome.failed[told["name"]] = told["why"]
    if done.returncode or not outcome.checks:
        outcome.failed["the script itself"] = done.stderr.strip().rpartition("\n")[2]
    return outcome


def run_own_tests(shop: Workshop, client: Client, variables: dict[str, str]) -> Outcome:
    """Run the tests of a client's sources against the phone; one that is skipped is not counted.

    They name the usual port of an adb server, which is replaced: another server may have that port.
    """
    sources = shop.sources(client)
    for path in (sources / client.script).glob("*.py"):
        text = path.read_text("utf-8")
        path.write_text(text.replace(USUAL_PORT, variables["ANDROID_ADB_SERVER_PORT"]), "utf-8")
    report = PLACE / "own_tests.xml"
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", client.script, f"--junit-xml={report}"]
    subprocess.run(
        [str(shop.python), *words],
        cwd=sources,
        env=variables,
        stdout=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    outcome = Outcome()
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
        broken = next((one for one in case if one.tag in ("failure", "error")), None)
        name = case.attrib["name"]
        if broken is not None and name in client.known:
            outcome.differs.setdefault(client.known[name], []).append(name)
        elif broken is not None:
            outcome.failed[name] = broken.attrib["message"]
        elif case.find("skipped") is None:
            outcome.passed += 1
    return outcome


def row(client: Client, version: str, outcome: Outcome) -> str:
    """The client's row of the table."""
    differs = [f"{', '.join(names)}: {why}" for why, names in outcome.differs.items()]
    failed = [f"{name} fails: a fault of the phone" for name in outcome.failed]
    name = client.package + (", on an emulator" if client.on_emulator else "")
    works = f"{outcome.passed} of {outcome.checks}: {client.does}"
    cells = (name, version, works, "; ".join((*failed, *differs)), f"`make clients`, {today()}")
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def today() -> str:
    """The date of the run."""
    return dt.datetime.now(dt.UTC).date().isoformat()


def write(rows: list[str]) -> None:
    """Put the rows in the place of the last run's."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = ["| Client | Version | Works | Does not | Checked |", "|---|---|---|---|---|", *rows]
    PAGE.write_text(before + BEGIN + "\n".join(table) + "\n" + END + after, encoding="utf-8")


def main() -> int:
    """Return the exit status: 1 when a check failed that was not known to."""
    PLACE.mkdir(parents=True, exist_ok=True)
    chosen = sys.argv[1:]
    shop = Workshop()
    rows: list[str] = []
    failures = 0
    for client in CLIENTS:
        if chosen and client.package not in chosen:
            continue
        if reason := shop.install(client):
            print(f"{client.package:24} skipped: it cannot be installed, {reason}", flush=True)
            continue
        version = shop.version(client)
        with phone(shop, is_emulator=client.on_emulator) as variables:
            check = run_own_tests if client.script == E2E_TESTS else run_script
            outcome = check(shop, client, variables)
        failures += len(outcome.failed)
        known = sum(map(len, outcome.differs.values()))
        print(
            f"{client.package:24} {version:12} {outcome.passed} of {outcome.checks}, {known} as known",
            flush=True,
        )
        for name, why in outcome.failed.items():
            print(f"    FAILED {name}: {why}", flush=True)
        rows.append(row(client, version, outcome))
    if not chosen:
        write(rows)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
