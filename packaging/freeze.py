"""Build the frozen application in ``dist/``, pack it for this system, and try it: ``make freeze``.

PyInstaller runs in a separate environment, so that the environment of the checkout keeps only
the default groups of uv.lock. On Linux a .deb and an AppImage are made of its folder; each shows the main job
on a virtual screen, and its pictures stay in ``build/freeze-pictures``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import appimage
import bootstrap
import bundle_tour
import deb_package
import fetch_uv
import linux_files
import scrcpy_server
import stand_ins
import start_times
import system_licences
import system_packages

ROOT = bootstrap.ROOT
FOLDER = ROOT / "dist" / "waymark-studio"
PROGRAM = FOLDER / ("waymark.exe" if os.name == "nt" else "waymark")
SPEC = ROOT / "packaging" / "waymark.spec"
LICENCES = ROOT / "build" / "licences" / "bundled.txt"
PICTURES = ROOT / "build" / "freeze-pictures"
# Large, and nothing in the application uses them: they are for programs of others.
LEFT_OUT = (*bootstrap.LEFT_OUT, "ray", "gymnasium")
LARGEST_MB = 250
"""What a download may have."""
LATER = 1.25
"""How many times as long as from the sources a start may take."""
MOUNT_S = 0.4
"""Seconds an AppImage may take in addition: it is mounted, and its files are unpacked as they are read."""


class FreezeError(Exception):
    """What was built is not good; the message says why."""


def build() -> None:
    """Freeze the checkout. Raises CalledProcessError when PyInstaller fails."""
    scrcpy_server.put(ROOT / "assets" / "scrcpy")
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.report)
    environment = bootstrap.uv_environment() | {"UV_PROJECT_ENVIRONMENT": str(ROOT / "build" / "freeze")}
    extras = ["--all-extras", *(f"--no-extra={name}" for name in LEFT_OUT)]
    command = [str(uv), "run", "--locked", *extras, "--no-default-groups", "--group", "freeze"]
    command += ["--python", sys.executable, "--"]
    # By the Python whose packages are bundled: in the bundle they have neither metadata nor texts.
    left_out = stand_ins.LEFT_OUT if sys.platform == "linux" else ()
    listing = ["python", "packaging/licences.py", str(LICENCES), *left_out]
    subprocess.run([*command, *listing], cwd=ROOT, env=environment, check=True)
    # A start would unpack a thousand modules; packages and AppImages are compressed as a whole, and better.
    environment["PYINSTALLER_ZLIB_COMPRESSION_LEVEL"] = "0"
    freezing = ["pyinstaller", "--noconfirm", "--log-level", "ERROR", str(SPEC)]
    subprocess.run([*command, *freezing], cwd=ROOT, env=environment, check=True)
    if sys.platform == "linux":
        finish_for_linux()


def finish_for_linux() -> None:
    """Add the link of the command, and leave out what nothing calls. Raises FreezeError."""
    PROGRAM.symlink_to(FOLDER.name)
    inner = FOLDER / "_internal"
    tools = stand_ins.TOOLS
    if not all(map(shutil.which, tools)) and not system_packages.install([*tools.values()]):
        names = " ".join(tools.values())
        raise FreezeError(f"freezing needs what Debian calls {names}; install that, then run this again")
    print(f"libraries that nothing calls: {stand_ins.put(inner) / 1e6:.0f} MB left out")
    if shutil.which("dpkg"):
        packages = system_licences.append(FOLDER / linux_files.LICENCES, inner)
        print(f"libraries of this system: of {packages} packages")
    # Python itself, which a person may have built with what a debugger needs: 20 MB of it.
    libraries = [*inner.glob("libpython*.so*"), *inner.glob("python*/lib-dynload/*.so")]
    subprocess.run(["strip", "--strip-unneeded", *map(str, libraries)], check=True)


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
                raise FreezeError(f"waymark {' '.join(arguments)} gave {result.returncode}: {output}")
            print(result.stdout, end="")


def check_start(name: str, command: Sequence[str | Path], files: Path, more: float = 0.1) -> None:
    """Compare starts with those from the sources, of the command and of the window.

    Raises FreezeError when they are slower.
    """
    for measure, sources in (
        (start_times.of_command, [bootstrap.inside("waymark")]),
        (start_times.of_window, [bootstrap.inside("python")]),
    ):
        of_python = ["--python"] if measure is start_times.of_window else []
        from_source = measure("from the sources", sources)
        frozen = measure(name, [*command, *of_python], files)
        print(f"{frozen.line}\n{from_source.line}", flush=True)
        if frozen.least > from_source.least * LATER + more:
            raise FreezeError(f"{name} starts slower than from the sources")


def check_size(package: Path) -> None:
    """Say how large a download is. Raises FreezeError when it is too large."""
    megabytes = package.stat().st_size / 1e6
    print(f"{package.relative_to(ROOT)}: {megabytes:.0f} MB")
    if megabytes > LARGEST_MB:
        raise FreezeError(f"{package.name} has more than {LARGEST_MB} MB")


def try_deb(package: Path) -> None:
    """Unpack the package, and run the program in it. `make clean-systems` installs it."""
    with tempfile.TemporaryDirectory(prefix="waymark-") as place:
        subprocess.run(["dpkg-deb", "--extract", str(package), place], check=True)
        print(f".deb: {bundle_tour.take_tour([Path(place, 'usr/bin/waymark')], PICTURES / 'deb')}")
    if lintian := shutil.which("lintian"):
        fails = ["--fail-on", "error,warning", "--suppress-tags", "bad-distribution-in-changes-file"]
        done = subprocess.run([lintian, *fails, "--allow-root", str(package)], capture_output=True, text=True)
        if done.returncode:
            raise FreezeError(f"lintian finds faults:\n{done.stdout}{done.stderr}")
        print(".deb: lintian finds no fault")


def try_appimage(package: Path) -> None:
    """Run the AppImage mounted, where FUSE is here, and from the cache."""
    tour = bundle_tour.take_tour([package, "--waymark"], PICTURES / "appimage")
    print(f"AppImage: {tour}")
    check_start("AppImage", [package, "--waymark"], package, MOUNT_S)
    with tempfile.TemporaryDirectory(prefix="waymark-") as cache:
        words: list[str | Path] = [
            "env",
            f"XDG_CACHE_HOME={cache}",
            package,
            "--appimage-extract-and-run",
            "--waymark",
        ]
        check_start("AppImage without FUSE", words, package)


def pack_for_linux() -> None:
    """Build and try the .deb, where Debian's tools are, and the AppImage."""
    packages: list[tuple[Callable[[], Path], Callable[[Path], None]]] = [(appimage.build, try_appimage)]
    if shutil.which("dpkg-deb"):
        packages.insert(0, (deb_package.build, try_deb))
    else:
        print("no .deb: this system has no dpkg-deb")
    for build_package, try_package in packages:
        package = build_package()
        check_size(package)
        try_package(package)


def main() -> int:
    """Build, pack and try; 1 when something is not good."""
    try:
        build()
        smoke()
        if sys.platform == "linux":
            system_packages.ensure(bootstrap.report)
            check_start("frozen", [PROGRAM], FOLDER)
            pack_for_linux()
    except (FreezeError, appimage.AppImageError, bundle_tour.BundleTourError) as error:
        print(f"freeze: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
