"""What ``make`` can do, one function a target; run inside the environment, by the standard library alone."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = [sys.executable]
PYTEST = [*PYTHON, "-m", "pytest", "--benchmark-disable", "--ignore=tests/benchmarks", "-q"]
# One file stays on one worker, so what a module sets up is set up once.
PARALLEL = ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile"]
WITHOUT_QT = ["--no-qt", "-p", "no:pytest-qt"]
CORE_TESTS = (
    "tests/collector",
    "tests/protocol",
    "tests/rule_editor/document",
    "tests/studio/commands",
    "tests/studio/settings",
)


@dataclass(frozen=True)
class Step:
    """One command of a recipe, and what it shows when it succeeds."""

    title: str
    command: list[str]


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
    """Everything that can be said without running the product."""
    return [
        *linting(),
        Step("types", [tool("mypy")]),
        Step("arrows between rooms", [tool("lint-imports")]),
        Step("translations", [*PYTHON, "packaging/translations.py", "check"]),
        Step("documentation", [*PYTHON, "docs/generate.py", "--check"]),
    ]


def testing() -> list[Step]:
    """The checks, the core without Qt, then everything."""
    core = [folder for folder in CORE_TESTS if (ROOT / folder).is_dir()]
    return [
        *checking(),
        Step("core tests, PySide6 blocked", [*PYTEST, *PARALLEL, *WITHOUT_QT, *core]),
        Step("all tests", [*PYTEST, *PARALLEL, "--durations=10", "tests"]),
    ]


def benchmarks() -> list[Step]:
    """The single measurements, then the table of budgets, which is what a person wants to see last."""
    folder = ROOT / "tests" / "benchmarks"
    budgets = folder / "bench_budgets.py"
    single = [path for path in sorted(folder.glob("bench_*.py")) if path != budgets]
    micro = ["-m", "pytest", "-q", "--benchmark-only", "--benchmark-max-time=0.2", "--benchmark-min-rounds=3"]
    return [
        *(Step(path.stem, [*PYTHON, str(path)]) for path in single),
        Step("micro", [*PYTHON, *micro, "--benchmark-columns=median,max,rounds", str(folder)]),
        Step("budgets", [*PYTHON, str(budgets), "--json", str(ROOT / "build" / "bench.json")]),
    ]


def demonstration() -> list[Step]:
    """The window on the sample project, or its scripted tour where there is no screen."""
    on_screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    tour = [] if on_screen else ["--headless", str(ROOT / "build" / "demo")]
    return [Step("demo", [tool("waymark"), "demo", *tour])]


RECIPES: dict[str, tuple[str, Callable[[], list[Step]]]] = {
    "demo": ("open the sample project with a virtual phone; without a screen, take the tour", demonstration),
    "test": ("everything the pipeline runs: checks, core tests without Qt, all tests", testing),
    "bench": ("measure the budgets, beside the same work done by others", benchmarks),
    "kills": (
        "kill a recording window fifty times and see what is left",
        lambda: [Step("kills", [*PYTHON, "-m", "tests.benchmarks.kills"])],
    ),
    "check": ("style, types, arrows between rooms, translations and documentation", checking),
    "lint": ("style and format only", linting),
    "freeze": (
        "build dist/waymark-studio with PyInstaller, and start it",
        lambda: [Step("freeze", [*PYTHON, "packaging/freeze.py"])],
    ),
    "format": ("put the files into the one format", lambda: [Step("format", [tool("ruff"), "format", "."])]),
    "docs": ("write the generated parts of docs/", lambda: [Step("docs", [*PYTHON, "docs/generate.py"])]),
    "translations": (
        "bring the catalogues in step with the sources",
        lambda: [Step("translations", [*PYTHON, "packaging/translations.py", "update"])],
    ),
    "untranslated": (
        "list the texts a catalogue lacks",
        lambda: [Step("untranslated", [*PYTHON, "packaging/translations.py", "missing"])],
    ),
}


def follow(steps: list[Step]) -> int:
    """Run every step, even after a failure, and close with one line for each; 0 when all succeeded."""
    results: list[tuple[Step, int, float]] = []
    for step in steps:
        print(f"== {step.title}: {' '.join(Path(word).name for word in step.command[:1])}", flush=True)
        started = time.monotonic()
        status = subprocess.run(step.command, cwd=ROOT, env=environment(), check=False).returncode
        results.append((step, status, time.monotonic() - started))
    if len(steps) > 1:
        print("\n== summary")
        for step, status, seconds in results:
            print(f"{'ok    ' if status == 0 else 'FAILED'}  {seconds:7.1f} s  {step.title}")
        failed = sum(status != 0 for _, status, _ in results)
        total = sum(seconds for _, _, seconds in results)
        print(f"{len(results) - failed} of {len(results)} succeeded, {total:.0f} s")
    return max((abs(status) for _, status, _ in results), default=0)


def environment() -> dict[str, str]:
    """What the steps run in: the checkout importable, output not held back."""
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def main(words: list[str]) -> int:
    """Run one recipe; its steps' worst exit status."""
    lines = [f"  {name:13} {title}" for name, (title, _) in RECIPES.items()]
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
    return follow(RECIPES[chosen.recipe][1]())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
