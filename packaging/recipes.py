"""The targets of ``make``, one function each. Run inside the environment; uses only the standard library."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from steps import Place, Step, follow

ROOT = Path(__file__).resolve().parents[1]
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest and tempfile make private folders in it
MEMORY_BYTES = 2 << 30
"""Free bytes without which tests write to the disk."""
PYTHON = [sys.executable]
PYTEST = [*PYTHON, "-m", "pytest", "--benchmark-disable", "--ignore=tests/benchmarks", "-q"]
# Three workers more than there are processors: a third of the time a test waits for a phone or a process.
# One file stays on one worker, so what a module sets up is set up once. Files keep the order of
# tests/conftest.py.
WORKERS = str(min(4, os.cpu_count() or 1) + 3)
FORKED = ["-p", "tests.helpers.forked_workers", "--workers", WORKERS]
# Elsewhere Qt does not survive a fork. A worker that crashes is not replaced: pytest-xdist then names the
# test and ends, and otherwise may wait for ever (its issue 1378).
SPAWNED = ["-n", WORKERS, "--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart", "0"]
PARALLEL = FORKED if sys.platform == "linux" else SPAWNED
DOCUMENTATION = "documentation"
WITHOUT_QT = ["--no-qt", "-p", "no:pytest-qt"]
# These tests run a second time with PySide6 blocked. That every core module imports without Qt is
# proved by one test of tests/harness, and import-linter finds imports inside functions, too; what a
# name in a string loads shows only when the function runs, so this list takes each use case once:
# every group of verbs, a recording to disk, an import, and rules from text to verdict.
WITHOUT_QT_TESTS = (
    "tests/collector/cli/anomaly/test_fire.py",
    "tests/collector/cli/test_anomaly_verbs.py",
    "tests/collector/cli/device/test_list.py",
    "tests/collector/cli/test_project_verbs.py",
    "tests/collector/cli/test_replay_verbs.py::test_a_trajectory_is_replayed_step_by_step",
    "tests/collector/cli/rules/test_follow.py",
    "tests/collector/cli/test_rules_verbs.py",
    "tests/collector/recorder/test_recorder.py",
    "tests/collector/rules/evaluation/test_trajectory_run.py",
    "tests/collector/rules/evaluation/test_waymark_semantics.py",
    "tests/collector/store/trajectory/test_writer.py",
    "tests/rule_editor/document/project/test_rule_files.py",
)


def tool(name: str) -> str:
    """Path of a command installed beside this Python."""
    return str(Path(sys.executable).with_name(f"{name}.exe" if os.name == "nt" else name))


def linting() -> list[Step]:
    """Style and format of every Python file."""
    return [
        Step("ruff check", [tool("ruff"), "check", "."]),
        Step("ruff format", [tool("ruff"), "format", "--check", "."]),
    ]


def checking() -> list[Step]:
    """All static checks."""
    return [
        *linting(),
        Step("types", [tool("mypy")]),
        Step("imports between packages", [tool("lint-imports")]),
        Step("translations", [*PYTHON, "packaging/translations.py", "check"]),
        Step(DOCUMENTATION, [*PYTHON, "docs/generate.py", "--check"]),
    ]


def testing() -> list[Step]:
    """The checks, the chosen tests without Qt, and beside both all tests.

    That the documentation is fresh is one of the tests, too, which have its generators loaded already.
    To collect all tests keeps one processor busy for a quarter of a minute: the others need another one.
    """
    return [
        *(step for step in checking() if step.title != DOCUMENTATION),
        Step("core tests, PySide6 blocked", [*PYTEST, *WITHOUT_QT, *WITHOUT_QT_TESTS]),
        Step("all tests", [*PYTEST, *PARALLEL, "--durations=10", "tests"], lane=1),
    ]


def attacks() -> list[str]:
    """The tests that SECURITY.md names as proofs."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    return ["tests/attack", *sorted(set(re.findall(r"`(tests/[\w/.]+\.py)", text)))]


def benchmarks() -> list[Step]:
    """The single measurements, then the table of budgets at the end.

    What is over its budget fails; with BENCH_REPORT=1 it is reported, for machines that others load.
    """
    folder = ROOT / "tests" / "benchmarks"
    budgets = folder / "bench_budgets.py"
    single = [path for path in sorted(folder.glob("bench_*.py")) if path != budgets]
    report = ["--report"] if os.environ.get("BENCH_REPORT") else []
    micro = ["-m", "pytest", "-q", "--benchmark-only", "--benchmark-max-time=0.2", "--benchmark-min-rounds=3",
             "--benchmark-timer=time.process_time", "--benchmark-disable-gc"]  # fmt: skip
    return [
        *(Step(path.stem, [*PYTHON, str(path)]) for path in single),
        Step("micro", [*PYTHON, *micro, "--benchmark-columns=median,max,rounds", str(folder)]),
        Step("budgets", [*PYTHON, str(budgets), "--json", str(ROOT / "build" / "bench.json"), *report]),
    ]


def soaking(seconds: int) -> list[Step]:
    """The soak for so many seconds, with its report in build/."""
    report = str(ROOT / "build" / "soak.json")
    return [Step("soak", [*PYTHON, "-m", "tests.soak.soak", "--seconds", str(seconds), "--report", report])]


def demonstration() -> list[Step]:
    """The window on the sample project; on a machine without a screen, pictures of the main job."""
    on_screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    headless = [] if on_screen else ["--headless", str(ROOT / "build" / "demo")]
    return [Step("demo", [tool("waymark"), "demo", *headless])]


def wheel() -> list[Step]:
    """The distributions in dist/, and their test with pip on each supported Python of this machine."""
    return [
        Step("distributions", [*PYTHON, "packaging/clean_install.py"]),
        Step("installed by pip", [*PYTEST, "tests/packaging/test_clean_install.py", "--with-pip"]),
    ]


RECIPES: dict[str, tuple[str, Callable[[], list[Step]]]] = {
    "demo": (
        "open the sample project with a virtual phone; without a screen, take pictures of the main job",
        demonstration,
    ),
    "tour": (
        "take pictures of every page on a virtual screen, in build/tour; say which of docs/ are stale",
        lambda: [
            Step("tour", [tool("waymark"), "demo", "--tour", "--headless", str(ROOT / "build" / "tour")]),
            Step("pictures of the documentation", [*PYTHON, "packaging/pictures/doc_pictures.py", "--check"]),
            Step(
                "pictures of What is this?", [*PYTHON, "packaging/pictures/workspace_pictures.py", "--check"]
            ),
        ],
    ),
    "pictures": (
        "take the pictures of docs/ from the last tour",
        lambda: [Step("pictures", [*PYTHON, "packaging/pictures/doc_pictures.py"])],
    ),
    "test": ("everything CI runs: checks, core tests without Qt, all tests", testing),
    "sample": (
        "record the golden trajectories of the sample project anew",
        lambda: [
            Step("recordings", [*PYTHON, "packaging/sample/record_sample.py"]),
            Step("states and labels", [*PYTHON, "packaging/sample/author_sample.py"]),
            Step("verdicts of no real model", [*PYTHON, "packaging/sample/judge_sample.py"]),
        ],
    ),
    "sample-run": (
        "run the finished experiments of the sample project anew",
        lambda: [
            Step("run", [*PYTHON, "packaging/sample/run_sample.py"]),
            Step("states and labels", [*PYTHON, "packaging/sample/author_sample.py"]),
            Step("verdicts of no real model", [*PYTHON, "packaging/sample/judge_sample.py"]),
        ],
    ),
    "bench": ("measure the budgets, compared with other libraries; BENCH_REPORT=1 only reports", benchmarks),
    "kills": (
        "kill a recording window fifty times and check what is left",
        lambda: [Step("kills", [*PYTHON, "-m", "tests.benchmarks.kills"])],
    ),
    "workspace-pictures": (
        "take the pictures of What is this? of each workspace anew",
        lambda: [Step("workspace pictures", [*PYTHON, "packaging/pictures/workspace_pictures.py"])],
    ),
    "quirks": (
        "check virtual phones like those of makers, and find their quirks",
        lambda: [Step("quirks", [*PYTHON, "-m", "tests.benchmarks.checked_profiles"])],
    ),
    "reliability": (
        "cause every fault of docs/reliability.md, and write the page from the results",
        lambda: [
            Step(
                "faults",
                [
                    *PYTEST,
                    *PARALLEL,
                    "-m",
                    "fault",
                    "--reliability",
                    str(ROOT / "docs" / "reliability.md"),
                    "tests",
                ],
            ),
            Step("documentation", [*PYTHON, "docs/generate.py"]),
        ],
    ),
    "measurements": (
        "keep the last results of `make bench` and `make soak` for the pages of docs/ that show them",
        lambda: [
            Step("results", [*PYTHON, "packaging/keep_measurements.py"]),
            Step("documentation", [*PYTHON, "docs/generate.py"]),
        ],
    ),
    "soak": (
        "two windows with a person each, two phones, a run, and faults at random for half an hour",
        lambda: soaking(1800),
    ),
    "soak-short": ("the same for two minutes", lambda: soaking(120)),
    "fuzz": (
        "change what is read from others at random and keep what goes wrong; new random examples; a person",
        lambda: [
            Step("corpus", [*PYTHON, "-m", "tests.fuzz.fuzz"]),
            Step("shell", [*PYTHON, "-m", "tests.fuzz.shell_lines"]),
            Step("fuzz", [*PYTEST, *PARALLEL, "-m", "hypothesis", "--hypothesis-profile", "fuzz", "tests"]),
            Step(
                "person",
                [
                    *PYTEST,
                    "tests/journeys/test_random_person.py",
                    "--person",
                    "900",
                    "--person-seed",
                    str(int(time.time())),
                ],
            ),  # the seed repeats what was found
            Step("memory", [*PYTHON, "-m", "tests.soak.memory_walk", "--seed", str(int(time.time()))]),
        ],
    ),
    "loaders": (
        "export the sample project, and read each export with the program of others that it is meant for",
        lambda: [Step("loaders", [*PYTHON, "packaging/try_loaders.py"])],
    ),
    "clients": (
        "drive a virtual phone with clients of PyPI and npm, and write docs/compatibility.md from it",
        lambda: [Step("clients", [*PYTHON, "packaging/try_clients.py"])],
    ),
    "attack": (
        "try every attack of SECURITY.md, the long forms too",
        lambda: [Step("attacks", [*PYTEST, *PARALLEL, "--attack", *attacks()])],
    ),
    "dialogs": (
        "open every dialog in long and mirrored texts, in German and Chinese; paint on scaled screens",
        lambda: [Step("dialogs", [*PYTEST, "--in-full", "tests/studio/app/test_dialogs.py"])],
    ),
    "in-full": (
        "run the tests that `make test` runs in a short form, in their long one",
        lambda: [Step("in full", [*PYTEST, *PARALLEL, "--in-full", "-m", "long_form", "tests"])],
    ),
    "tutorials": (
        "run every command of the tutorials and of the papers' chapters",
        lambda: [Step("pages", [*PYTEST, "--every-line", "tests/docs/test_tutorials.py"])],
    ),
    "companion": (
        "build the companion app, and sign it or compare it with the one shipped",
        lambda: [Step("companion", [*PYTHON, "packaging/companion/build_companion.py"])],
    ),
    "companion-test": (
        "test the companion app on Android's own classes, and take pictures of its dialogs",
        lambda: [Step("companion", [*PYTHON, "packaging/companion/try_companion.py"])],
    ),
    "check": ("style, types, imports between packages, translations and documentation", checking),
    "lint": ("style and format only", linting),
    "freeze": (
        "build the application with PyInstaller, an AppImage and a .deb of it, and take their pictures",
        lambda: [Step("freeze", [*PYTHON, "packaging/freeze.py"])],
    ),
    "clean-systems": (
        "install in clean systems in each way, each up to the pictures of the main job; as root",
        lambda: [Step("clean systems", [*PYTHON, "packaging/clean_systems.py"])],
    ),
    "wheel": ("build the wheel, and try it in full with pip on each Python here", wheel),
    "test-versions": (
        "test the core with the lowest and the newest allowed dependencies, on Python 3.11 to 3.14",
        lambda: [Step("versions", [*PYTHON, "packaging/try_versions.py"])],
    ),
    "format": ("format every Python file", lambda: [Step("format", [tool("ruff"), "format", "."])]),
    "docs": (
        "write the generated parts of docs/, and build them as a site in build/site",
        lambda: [
            Step("generated parts", [*PYTHON, "docs/generate.py"]),
            Step("site", [*PYTHON, "packaging/build_site.py"]),
        ],
    ),
    "translations": (
        "update the translation catalogues from the sources",
        lambda: [Step("translations", [*PYTHON, "packaging/translations.py", "update"])],
    ),
    "untranslated": (
        "list the texts a catalogue lacks",
        lambda: [Step("untranslated", [*PYTHON, "packaging/translations.py", "missing"])],
    ),
}


def environment(recipe: str = "") -> dict[str, str]:
    """Environment of the steps: the checkout is importable, output not buffered, bytecode kept in build/.

    Tests start hundreds of processes: without bytecode each of them compiles every module again.
    """
    return (
        os.environ
        | temporary_files(recipe)
        | {
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(ROOT / "build" / "pycache"),
        }
    )


def temporary_files(recipe: str) -> dict[str, str]:
    """Have tests write to memory where Linux offers it: they write 100,000 small files, and keep none."""
    if recipe not in ("test", "in-full", "attack", "fuzz") or "TMPDIR" in os.environ or not MEMORY.is_dir():
        return {}
    place = os.statvfs(MEMORY)
    fits = place.f_bavail * place.f_frsize > MEMORY_BYTES and os.access(MEMORY, os.W_OK)
    # Programs that tests write have to start there.
    return {"TMPDIR": str(MEMORY)} if fits and not place.f_flag & os.ST_NOEXEC else {}


def main(words: list[str]) -> int:
    """Run one recipe and return the worst exit status of its steps."""
    lines = [f"  {name:15} {title}" for name, (title, _) in RECIPES.items()]
    parser = argparse.ArgumentParser(
        prog="recipes.py",
        usage="make TARGET",
        description="targets:\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("recipe", choices=RECIPES, nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("-h", "--help", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(words)
    if chosen.help or not chosen.recipe:
        parser.print_help()
        return 0
    return follow(RECIPES[chosen.recipe][1](), Place(ROOT, environment(chosen.recipe)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
