"""Build the frozen application in ``dist/waymark-studio`` and test that it starts.

PyInstaller runs in a separate environment, so that the environment of the checkout keeps only
the default groups of uv.lock.
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
    """Freeze the checkout. Raises CalledProcessError when PyInstaller fails."""
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.report)
    environment = bootstrap.uv_environment() | {"UV_PROJECT_ENVIRONMENT": str(ROOT / "build" / "freeze")}
    command = [str(uv), "run", "--locked", *bootstrap.EXTRAS, "--no-default-groups", "--group", "freeze"]
    command += ["--group", "scrcpy"]
    command += ["--python", sys.executable, "--", "pyinstaller", "--noconfirm", "--log-level", "WARN"]
    subprocess.run([*command, str(SPEC)], cwd=ROOT, env=environment, check=True)


def smoke() -> None:
    """Run the built program outside of the checkout, and let it create and check a project."""
    with tempfile.TemporaryDirectory() as folder:
        project = str(Path(folder, "project"))
        for arguments in (["--version"], ["project", "new", project], ["project", "check", project]):
            result = subprocess.run(
                [str(PROGRAM), *arguments],
                cwd=folder,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=60,
            )
            if result.returncode or result.stderr:
                output = result.stderr or result.stdout
                sys.exit(f"waymark {' '.join(arguments)} gave {result.returncode}: {output}")
            print(result.stdout, end="")


if __name__ == "__main__":
    build()
    smoke()
