"""Builds the frozen application and starts it: a build that does not run is no build.

The result is ``dist/waymark-studio``. PyInstaller runs in an environment of its own, so that
the one of the checkout stays what uv.lock's default groups make it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bootstrap
import fetch_uv

ROOT = bootstrap.ROOT
PROGRAM = ROOT / "dist" / "waymark-studio" / ("waymark.exe" if os.name == "nt" else "waymark")
SPEC = ROOT / "packaging" / "waymark.spec"


def build() -> None:
    """Freeze the checkout; raises CalledProcessError when PyInstaller fails."""
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.tell)
    environment = bootstrap.uv_environment() | {"UV_PROJECT_ENVIRONMENT": str(ROOT / "build" / "freeze")}
    command = [str(uv), "run", "--locked", "--all-extras", "--no-default-groups", "--group", "freeze"]
    command += ["--python", sys.executable, "--", "pyinstaller", "--noconfirm", "--log-level", "WARN"]
    subprocess.run([*command, str(SPEC)], cwd=ROOT, env=environment, check=True)


def smoke() -> None:
    """Start what was built, far from the checkout, and let it do something with a file."""
    with tempfile.TemporaryDirectory() as folder:
        project = str(Path(folder, "project"))
        for words in (["--version"], ["project", "new", project], ["project", "check", project]):
            done = subprocess.run(
                [str(PROGRAM), *words], cwd=folder, capture_output=True, text=True, timeout=60
            )
            if done.returncode or done.stderr:
                sys.exit(f"waymark {' '.join(words)} gave {done.returncode}: {done.stderr or done.stdout}")
            print(done.stdout, end="")


if __name__ == "__main__":
    build()
    smoke()
