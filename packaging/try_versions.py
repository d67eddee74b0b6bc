"""Run tests with the lowest and with the newest allowed versions of the direct dependencies, on each Python.

    python packaging/try_versions.py [--python 3.11]... [--resolution lowest]... [TEST...]

Without TEST the chosen tests of CORE run, since all tests eight times take two hours. Each environment is
kept in ``build/versions``. A Python that is not here and that uv cannot fetch is named and left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import bootstrap
import clean_install

ROOT = bootstrap.ROOT
PLACE = ROOT / "build" / "versions"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
# What uses each library once: numpy, OpenCV, Pillow, PyAV, lxml, YAML, SQLite, Arrow, Skia, click, rich, Qt
# and its plots, adb, and the official SDKs.
CORE = (
    "tests/collector/store",
    "tests/collector/located_yaml",
    "tests/collector/hierarchy",
    "tests/collector/pictures",
    "tests/collector/device/video",
    "tests/collector/device/transport",
    "tests/collector/device/test_session.py",
    "tests/collector/rules/evaluation",
    "tests/collector/metrics",
    "tests/collector/virtual/video",
    "tests/collector/virtual/ui",
    "tests/collector/exchange/training",
    "tests/collector/environment",
    "tests/collector/mcp_server",
    "tests/collector/agents/openai/test_keys.py",
    "tests/collector/agents/translators",
    "tests/collector/redaction_rules",
    "tests/collector/cli",
    "tests/collector/host/test_extras.py",
    "tests/rule_editor",
    "tests/studio/widgets/timeline",
    "tests/studio/widgets/metric_plots",
    "tests/studio/theme",
    "tests/studio/app/test_window.py",
)
# They check the sources, and not what the sources run with.
OF_DEVELOPERS = ("mypy", "ruff", "vulture", "import-linter", "pre-commit", "datasets")
LARGE = ("rerun", "wandb", "ray")


@dataclass(frozen=True)
class Result:
    """What came of one Python with one choice of versions."""

    python: str
    versions: str
    passed: bool
    words: str


def main(words: list[str]) -> int:
    """Try every combination, print a line each, and return 1 when one failed."""
    parser = argparse.ArgumentParser(prog="make test-versions", description=__doc__.partition("\n")[0])
    # Of several values one option would take the tests behind it for Pythons.
    parser.add_argument("--python", action="append", choices=PYTHONS)
    parser.add_argument("--resolution", action="append", choices=tuple(RESOLUTIONS))
    parser.add_argument("tests", nargs="*", default=CORE)
    chosen = parser.parse_args(words)
    results = [
        _try(python, versions, chosen.tests)
        for python in chosen.python or PYTHONS
        for versions in chosen.resolution or RESOLUTIONS
    ]
    for result in results:
        print(f"Python {result.python}, {result.versions} versions: {result.words}")
    return int(not all(result.passed for result in results))


def _try(version: str, versions: str, tests: list[str]) -> Result:
    python = clean_install.find_python(version) or _fetch_python(version)
    if python is None:
        return Result(version, versions, True, "left out: this Python is not here and cannot be fetched")
    began = time.monotonic()
    try:
        interpreter = _environment(python, version, versions)
    except clean_install.InstallError as error:
        return Result(version, versions, False, f"not installed: {error}")
    done = subprocess.run(
        [interpreter, "-m", "pytest", "--benchmark-disable", "-q", "-n", "2", "--dist", "loadfile", *tests],
        cwd=ROOT,
        env=bootstrap.uv_environment() | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout + done.stderr)
    last = done.stdout.strip().rpartition("\n")[2]
    return Result(version, versions, not done.returncode, f"{last}, {time.monotonic() - began:.0f} s in all")


def _fetch_python(version: str) -> Path | None:
    """A Python of uv's own; None where it cannot be fetched."""
    uv, folder = clean_install.private_uv(), ROOT / ".cache" / "pythons"
    environment = bootstrap.uv_environment() | {"UV_PYTHON_DOWNLOADS": "manual"}
    command = [
        uv,
        "python",
        "install",
        "--quiet",
        "--no-config",
        "--no-bin",
        "--install-dir",
        folder,
        version,
    ]
    done = subprocess.run([*map(str, command)], env=environment, capture_output=True, check=False)
    name = "python.exe" if os.name == "nt" else "bin/python"
    programs = sorted(folder.glob(f"cpython-{version}*/{name}"))
    return programs[-1] if programs and not done.returncode else None


def _environment(python: Path, version: str, versions: str) -> Path:
    """Install the chosen versions of the dependencies, and the newest tools of tests that fit them."""
    uv, folder = clean_install.private_uv(), PLACE / f"{version}-{versions}"
    PLACE.mkdir(parents=True, exist_ok=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = [name for name in project["project"]["optional-dependencies"] if name not in LARGE]
    pins, tools = PLACE / f"{version}-{versions}.txt", PLACE / "tools.txt"
    groups = project["dependency-groups"]
    listed = [line for group in ("dev", "clients") for line in groups[group]]
    tools.write_text("".join(f"{line}\n" for line in listed if not line.startswith(OF_DEVELOPERS)), "utf-8")
    compile_: list[str | Path] = [uv, "pip", "compile", "--quiet", ROOT / "pyproject.toml", "-o", pins]
    compile_ += [f"--extra={name}" for name in extras]
    # An old version that has no wheel for a new Python was never meant for it.
    compile_ += ["--only-binary", ":all:", "--resolution", RESOLUTIONS[versions], "--python-version", version]
    clean_install.run([*compile_, *clean_install.index_options()], ROOT)
    clean_install.run([uv, "venv", "--quiet", "--allow-existing", "--python", python, folder], ROOT)
    interpreter = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install: list[str | Path] = [uv, "pip", "install", "--quiet", "--python", interpreter]
    install += clean_install.index_options()
    clean_install.run([*install, "-r", pins, "-r", tools], ROOT)
    clean_install.run([*install, "--no-deps", "-e", ROOT], ROOT)
    return interpreter


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
