"""Export the sample project in the formats of others, and read each export with the program it is meant for.

The programs are large, so they stand in an environment of their own, ``build/loaders``. Each has a script in
``packaging/loaders`` that reads a whole export with it and ends with what it read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import bootstrap
import fetch_uv

ROOT = bootstrap.ROOT
PLACE = ROOT / "build" / "loaders"
SCRIPTS = ROOT / "packaging" / "loaders"


@dataclass(frozen=True)
class Loader:
    """The program that reads a format."""

    format: str
    script: str
    packages: tuple[str, ...]
    """What pip installs; the first one is the program itself."""


LOADERS = (
    Loader("atif", "atif_documents.py", ("atif",)),
    Loader("inspect", "inspect_logs.py", ("inspect-ai",)),
    Loader("androidcontrol-records", "androidcontrol_records.py", ("tfrecord", "android-env")),
    Loader("coco", "coco_boxes.py", ("pycocotools",)),
    Loader("hf-datasets", "training_data.py", ("datasets",)),
    Loader("trl", "training_data.py", ("datasets",)),
    Loader("llama-factory", "training_data.py", ("datasets",)),
    Loader("mlflow", "mlflow_store.py", ("mlflow-skinny",)),
    Loader("wandb", "wandb_runs.py", ("wandb",)),
    Loader("rerun", "rerun_recordings.py", ("rerun-sdk",)),
)


def environment() -> Path:
    """The Python of the loaders' environment, which has this checkout, too. Raises CalledProcessError."""
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.report)
    variables = bootstrap.uv_environment()
    venv = PLACE / "environment"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages = dict.fromkeys(package for loader in LOADERS for package in loader.packages)
    for command in (
        ["venv", "--quiet", "--allow-existing", "--python", sys.executable, str(venv)],
        ["pip", "install", "--quiet", "--python", str(python), "-e", f"{ROOT}", *packages],
    ):
        subprocess.run([str(uv), *command], cwd=ROOT, env=variables, check=True)
    return python


def version(python: Path, package: str) -> str:
    """The version of an installed package."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def export(python: Path, project: Path, format_id: str) -> Path:
    """Export the project anew, and return where. Exits when that fails."""
    target = PLACE / "exports" / format_id
    shutil.rmtree(target, ignore_errors=True)
    waymark = "from collector.cli.main import main; main()"
    words = ["project", "export", format_id, str(target), "--project", str(project), "--json"]
    done = subprocess.run(
        [python, "-c", waymark, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{format_id} could not be exported: {done.stderr}")
    return target


def main() -> int:
    """Return the exit status: 1 when a loader did not read its export."""
    python = environment()
    project = PLACE / "sample"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(ROOT / "assets" / "sample", project)
    (PLACE / "exports").mkdir(exist_ok=True)
    failed = 0
    for loader in LOADERS:
        target = export(python, project, loader.format)
        read = subprocess.run(
            [python, SCRIPTS / loader.script, target], capture_output=True, text=True, check=False
        )
        failed += read.returncode != 0
        said = read.stdout.strip().rpartition("\n")[2] if read.returncode == 0 else read.stderr.strip()
        name = f"{loader.packages[0]} {version(python, loader.packages[0])}"
        print(f"{loader.format:24} {name:24} {'FAILED' if read.returncode else 'read'}: {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
