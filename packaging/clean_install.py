"""Build the source distribution and the wheel, and install the wheel in an empty environment.

    python packaging/clean_install.py    write both distributions to dist/

The tests of tests/packaging/test_clean_install.py install and try the wheel; `make wheel` does so with pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

import bill_of_materials
import bootstrap
import fetch_uv
import locked_files
import package_index
import reproducible

ROOT = bootstrap.ROOT


class InstallError(Exception):
    """The wheel cannot be built or installed; the message is the output of the tool."""


def private_uv() -> Path:
    """The uv of the bootstrap."""
    return fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.report)


def build(folder: Path, root: Path = ROOT) -> Path:
    """Build both distributions, the wheel from the source distribution; return the path of the wheel.

    The same commit gives the same bytes, whoever builds it, when and where. Beside the wheel lies the list of
    what it carries and needs. Everything is unpacked in the folder for temporary files: on a disk, 6,000 new
    files take three times as much processor time as the rest.
    """
    time = reproducible.time_of_sources(root)
    with tempfile.TemporaryDirectory(prefix="waymark-") as place:
        sources, constraints = Path(place, "sources"), Path(place, "constraints.txt")
        reproducible.copy_sources(root, sources)
        constraints.write_text(f"setuptools=={_locked_setuptools(root)}\n", encoding="utf-8")
        build: list[str | Path] = [private_uv(), "build", "--no-config", *index_options()]
        build += ["--build-constraints", constraints, "--out-dir", folder]
        run([*build, "--sdist", sources], sources, time)
        source = _newest(folder.glob("*.tar.gz"))
        reproducible.repack(source, time)
        with tarfile.open(source) as archive:
            archive.extractall(place, filter="data")
        checkout = Path(place, source.name.removesuffix(".tar.gz"))
        run([*build, "--wheel", checkout], checkout, time)
    wheel = _newest(folder.glob("*.whl"))
    bill_of_materials.write(private_uv(), root, wheel, bootstrap.uv_environment())
    return wheel


def _locked_setuptools(root: Path) -> str:
    version, _wheels = locked_files.locked_wheels((root / "uv.lock").read_text("utf-8"), "setuptools")
    return version


def _newest(paths: Iterable[Path]) -> Path:
    return max(paths, key=lambda path: path.stat().st_mtime)


def find_python(version: str) -> Path | None:
    """An interpreter of a version such as 3.12: this one, on the PATH, or installed by pyenv."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    for place in filter(None, [shutil.which(f"python{version}"), *_of_pyenv(version)]):
        code = "import sys, ensurepip; print(sys.version_info[:2])"
        answer = subprocess.run([place, "-c", code], capture_output=True, text=True, check=False)
        if answer.stdout.strip() == str(tuple(map(int, version.split(".")))):
            return Path(place)
    return None


def _of_pyenv(version: str) -> list[str]:
    """Interpreters of pyenv, whose shims on the PATH serve only the version chosen for a folder."""
    shim = shutil.which("pyenv") or shutil.which(f"python{version}")
    roots = [os.environ.get("PYENV_ROOT"), str(Path(shim).parents[1]) if shim else None]
    return [
        str(path)
        for root in filter(None, roots)
        for path in sorted(Path(root, "versions").glob(f"{version}*/bin/python"))
    ]


def install(wheel: Path, python: Path, folder: Path, *, with_pip: bool = False) -> Path:
    """Install a wheel and its dependencies in a new environment; return the folder of its commands.

    uv takes the versions of uv.lock from its cache, which is fast. pip resolves anew, as for a user.
    Raises InstallError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    if with_pip:
        run([python, "-m", "venv", folder], folder.parent)
        run([scripts / "python", "-m", "pip", "install", "--quiet", wheel], folder.parent)
        return scripts
    uv, locked = private_uv(), folder.parent / "locked.txt"
    export: list[str | Path] = [uv, "export", "--frozen", "--quiet", "--no-dev", "--no-default-groups"]
    run([*export, "--no-emit-project", "--no-hashes", "-o", locked], ROOT)
    run([uv, "venv", "--quiet", "--no-config", "--python", python, folder], folder.parent)
    into: list[str | Path] = ["--quiet", "--no-config", "--python", scripts / "python"]
    run([uv, "pip", "install", *into, *index_options(), "-c", locked, wheel], folder.parent)
    return scripts


def index_options() -> list[str]:
    """The configured index as options of uv; none for the one that uv asks by itself."""
    index = package_index.configured()
    return [] if index.is_default and not index.urls else index.uv_options()


def run(command: list[str | Path], folder: Path, time: int | None = None) -> None:
    """Run a tool silently; raises InstallError with what it printed. ``time`` is that of the sources."""
    words = [str(word) for word in command]
    environment = bootstrap.uv_environment()
    if time is not None:
        environment["SOURCE_DATE_EPOCH"] = str(time)
    umask = 0o022 if os.name == "posix" else -1
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False, umask=umask
    )
    if done.returncode:
        raise InstallError(f"{' '.join(words[:3])} gave {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    print(build(ROOT / "dist"))
