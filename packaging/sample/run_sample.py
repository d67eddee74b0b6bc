"""Run finished experiments of the sample project anew, on one virtual phone, and ship their runs.

    make sample-run                                     all of them
    python packaging/sample/run_sample.py variations    one of them

``waymark run`` makes the run in a copy of the sample. Its pictures are encoded small, as those of the
recordings are, and what a trajectory has twice is stored once; the pixels stay as the phone sent them.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from record_sample import SAMPLE, private_server  # noqa: E402

from collector.pictures.decoding import rgb_pixels  # noqa: E402
from collector.recorder.png import encode_small_png  # noqa: E402
from collector.store.catalogue.catalogue import Catalogue  # noqa: E402
from collector.store.checks.check import check_project  # noqa: E402
from collector.store.files import layout, lock  # noqa: E402
from collector.store.project.project import Project  # noqa: E402

EXPERIMENTS = ("quick", "variations")
"""Those that are finished in the sample."""


def runs_of(project: Project, experiment: str) -> list[Path]:
    """The folders of the runs of an experiment."""
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        names = catalogue.folders(f'kind:run experiment:"={experiment}"')
    return [project.folder / name for name in names]


def shrink(folder: Path) -> None:
    """Encode the pictures of a run small, and keep one file of those that are equal."""
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in (layout.STEPS, layout.EVENTS)}
    first: dict[str, str] = {}
    for path in sorted((folder / layout.STATES).iterdir()):
        data, name = path.read_bytes(), f"{layout.STATES}/{path.name}"
        small = encode_small_png(rgb_pixels(data)) if path.suffix == ".png" else data
        old, new = (hashlib.sha256(content).hexdigest() for content in (data, small))
        known = first.setdefault(f"{new}{path.suffix}", name)
        if known == name:
            path.write_bytes(small)
        else:
            path.unlink()
        for file, text in texts.items():
            texts[file] = text.replace(f'"{name}"', f'"{known}"').replace(old, new)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    (folder / lock.LOCK_NAME).unlink(missing_ok=True)


def run(experiment: str) -> int:
    """Run an experiment, and replace the run that is shipped; returns the exit status."""
    with tempfile.TemporaryDirectory() as temporary, private_server():
        copy = Path(
            shutil.copytree(SAMPLE, Path(temporary) / "sample", ignore=shutil.ignore_patterns(".cache"))
        )
        for folder in runs_of(Project.open(copy), experiment):
            shutil.rmtree(folder)
        command = [sys.executable, "-m", "collector.cli.main", "run", experiment, "--project", str(copy)]
        status = subprocess.run([*command, "--devices", "virtual:1"], cwd=ROOT, check=False).returncode
        if status:
            return status
        made = Project.open(copy)
        runs = runs_of(made, experiment)
        for folder in runs:
            shrink(folder)
        findings = check_project(made)
        if findings:
            print(*findings, sep="\n")
            return 1
        for folder in runs_of(Project.open(SAMPLE), experiment):
            shutil.rmtree(folder)
        for folder in runs:
            shutil.copytree(folder, SAMPLE / folder.relative_to(copy))
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(SAMPLE / layout.CACHE)
        size = sum(path.stat().st_size for folder in runs for path in folder.rglob("*") if path.is_file())
        print(f"{experiment}: {len(runs)} episodes, {size:,} bytes")
    return 0


def main() -> int:
    """Run those that are named, otherwise all; returns the first exit status that is not 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=", ".join(EXPERIMENTS))
    chosen = parser.parse_args().experiments
    if unknown := set(chosen) - set(EXPERIMENTS):
        parser.error(f"no such experiment: {', '.join(sorted(unknown))}")
    return next((status for name in chosen or EXPERIMENTS if (status := run(name))), 0)


if __name__ == "__main__":
    sys.exit(main())
