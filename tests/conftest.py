"""Fixtures for all tests: each test runs silently or fails.

Unexpected log records, warnings of Python or Qt, threads and timers left running all fail the
test that caused them. Use the ``expected_log`` fixture or marker for a record a test provokes.
``--no-qt -p no:pytest-qt`` runs with PySide6 impossible to import.
"""

from __future__ import annotations

import gc
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from collector.model import i18n as words
from tests.helpers import cycles, examples, qt_leaks
from tests.helpers.fault_matrix import FaultResults
from tests.helpers.logs import Expectation, LogWatch
from tests.helpers.sandbox import Sandbox
from tests.helpers.threads import leaked_threads
from tests.helpers.without_qt import block_qt

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
_WAIT_MS = 20_000
LONG_TESTS_END = 0.6
"""The part of a run in which the last of the long tests begins."""
LONG_TESTS = tuple(ROOT / "tests" / name for name in ("docs", "harness", "journeys", "packaging", "soak"))
SANDBOX = pytest.StashKey[Sandbox]()
SAME_EXAMPLES = pytest.StashKey[bool]()
MARKERS = (
    "all_workspaces: the window of the test's room has all workspaces, and not only that of the room",
    "attack: the long form of an attack, for `make attack` alone",
    "fault(number): the test causes a fault of docs/reliability.md",
    "expected_log(pattern): log records whose message matches the pattern do not fail the test",
    "long_form(only=False): with --in-full the test tries more; with `only` it does not run otherwise",
    "shared_threads(*prefixes): threads so named belong to a fixture that outlives the test",
)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    parser.addoption("--attack", action="store_true", help="run the long forms of attacks too")
    parser.addoption("--in-full", action="store_true", help="run the long forms of tests, as `make in-full`")
    parser.addoption("--person", type=float, default=4, help="seconds of the person who acts at random")
    parser.addoption("--person-seed", type=int, default=1, help="what the person draws from")
    parser.addoption(
        "--reliability", metavar="PAGE", help="write the results of the tests of faults to a page"
    )
    parser.addoption("--no-qt", action="store_true", help="run with PySide6 blocked (add -p no:pytest-qt)")
    if not pluginmanager.hasplugin("pytest-qt"):
        # The settings file names them for every run, and strict-config knows only loaded plugins.
        for name in ("qt_api", "qt_log_level_fail"):
            parser.addini(name, "read by pytest-qt, which is not loaded")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take files of every folder in turn: tests of windows compute while those of phones wait.

    Long tests come in the first part: behind all others, one would keep one worker busy alone.
    """
    left_out = [item for item in items if _is_left_out(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not _is_left_out(item)]
    if config.stash[SAME_EXAMPLES]:
        examples.take_few(items)
    folders: dict[Path, dict[Path, None]] = {}
    for path in dict.fromkeys(item.path for item in items):
        folder = next((long for long in LONG_TESTS if path.is_relative_to(long)), None)
        folders.setdefault(folder or _part_of(path), {})[path] = None
    turn = {
        path: (number + 0.5) / len(paths) * (LONG_TESTS_END if folder in LONG_TESTS else 1)
        for folder, paths in folders.items()
        for number, path in enumerate(paths)
    }
    items.sort(key=lambda item: turn[item.path])


def _is_left_out(item: pytest.Item) -> bool:
    """Whether a test is a long form that this run was not asked for."""
    option, alone = item.config.getoption, item.get_closest_marker("long_form")
    is_long = alone is not None and alone.kwargs.get("only", False)
    return (is_long and not option("--in-full")) or (
        item.get_closest_marker("attack") is not None and not option("--attack")
    )


def pytest_collection(session: pytest.Session) -> None:
    gc.disable()  # what is collected stays: to visit it again and again finds nothing


def pytest_collection_finish(session: pytest.Session) -> None:
    if not session.config.getoption("collectonly"):
        cycles.freeze_tests()
        gc.enable()


def _part_of(path: Path) -> Path:
    """The folder of ``tests/`` that a file is in: that of the collector, of the studio, of the protocols."""
    tests = ROOT / "tests"
    return tests / path.relative_to(tests).parts[0] if path.is_relative_to(tests) else path.parent


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    if config.getoption("--no-qt"):
        if config.pluginmanager.hasplugin("pytest-qt"):
            raise pytest.UsageError("--no-qt needs -p no:pytest-qt, which would import Qt")
        block_qt()
    elif config.pluginmanager.hasplugin("pytest-qt"):
        from studio.bridge import module_sources

        module_sources.leave_unread()  # Qt is loaded, and so are 4,000 modules soon
        _wait_longer()
        _keep_one_style_sheet(config)
    if page := config.getoption("--reliability"):
        config.pluginmanager.register(FaultResults(Path(page)))
    config.stash[SANDBOX] = Sandbox()
    config.stash[SANDBOX].enter()
    config.stash[SAME_EXAMPLES] = examples.choose(config)


def _wait_longer() -> None:
    """Let qtbot wait four times as long as its 5 s: what a loaded machine does late is no fault."""
    from pytestqt.qtbot import QtBot

    for name in ("waitUntil", "waitSignal", "waitSignals", "waitCallback", "waitExposed", "waitActive"):
        vars(QtBot)[name].__kwdefaults__["timeout"] = _WAIT_MS


def _keep_one_style_sheet(config: pytest.Config) -> None:
    """Let all tests of a process have the pictures of the style sheet in one folder.

    Otherwise the sheet names a folder of each test, and Qt styles all anew for each.
    """
    from studio.theme import style_sheet

    vars(style_sheet)["cache_folder"] = lambda: config.stash[SANDBOX].home / "pictures"


@pytest.hookimpl(optionalhook=True)
def pytest_worker_begin(config: pytest.Config) -> None:
    """A forked worker has a home and an adb server of its own, too."""
    config.stash[SANDBOX] = Sandbox()
    config.stash[SANDBOX].enter()
    if "adbutils" in sys.modules:
        # Its client, which others have imported by now, took the port of the process that collected.
        sys.modules["adbutils"].adb.__init__()


def pytest_unconfigure(config: pytest.Config) -> None:
    if SANDBOX in config.stash:
        config.stash[SANDBOX].leave()


@pytest.fixture(autouse=True)
def _no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves threads or timers. Set up first, so that it checks after all other fixtures."""
    qt_leaks.watch()
    cycles.collect_due()
    before = set(threading.enumerate())
    yield
    tolerated = [prefix for mark in request.node.iter_markers("shared_threads") for prefix in mark.args]
    reports = qt_leaks.leaks() + leaked_threads(before, tuple(tolerated))
    if reports:
        pytest.fail("\n".join(reports), pytrace=False)


@pytest.fixture(autouse=True)
def _log_watch(request: pytest.FixtureRequest, _no_leaks: None) -> Iterator[LogWatch]:
    watch = LogWatch()
    for mark in request.node.iter_markers("expected_log"):
        watch.expect(*mark.args, **{"required": False, **mark.kwargs})
    root = logging.getLogger()
    root.addHandler(watch)
    yield watch
    root.removeHandler(watch)
    if complaint := watch.complaint():
        pytest.fail(complaint, pytrace=False)


@pytest.fixture(autouse=True)
def _source_language() -> Iterator[None]:
    yield
    words.use_language(words.SOURCE_LANGUAGE, Path())


@pytest.fixture(autouse=True)
def _no_consent_of_others(request: pytest.FixtureRequest) -> Iterator[None]:
    """What one test allowed is allowed in no other."""
    yield
    request.config.stash[SANDBOX].forget_consent()


@pytest.fixture(scope="session")
def is_fuzzing(pytestconfig: pytest.Config) -> bool:
    """Whether tests draw all examples, as in `make fuzz`, and not the same few."""
    return not pytestconfig.stash[SAME_EXAMPLES]


@pytest.fixture
def in_full(request: pytest.FixtureRequest) -> bool:
    """Whether a test takes its long form. `make in-full` finds it by its mark ``long_form``."""
    assert request.node.get_closest_marker("long_form"), "mark the test with long_form"
    return bool(request.config.getoption("--in-full"))


@pytest.fixture
def expected_log(_log_watch: LogWatch) -> Callable[..., Expectation]:
    """``expected_log(pattern, logger="")``: expect a record that the test causes; fail when it is missing."""
    return _log_watch.expect


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real dumps, texts and trajectories beside the checkout."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"real samples are not on this machine ({SHARED_DATA})")
    return SHARED_DATA


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests fill row by row: ``record_property("title", (cell, cell, ...))``."""
    tables: dict[str, list[tuple[str, ...]]] = {}
    for report in terminalreporter.getreports("passed"):
        for title, row in report.user_properties:
            if isinstance(row, (list, tuple)):
                tables.setdefault(title, []).append(tuple(map(str, row)))
    for title, rows in sorted(tables.items()):
        terminalreporter.section(title)
        for row in sorted(rows):
            terminalreporter.write_line(" | ".join(row))
