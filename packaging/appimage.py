"""Build the AppImage of the frozen application, ``dist/Waymark_Studio-VERSION-ARCHITECTURE.AppImage``.

The runtime at its start is our own, ``packaging/linux/appimage_runtime.c``, linked statically with squashfuse
and libfuse of Debian (docs/decisions/appimage-runtime-of-our-own.md).
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

import linux_files
import system_packages
from linux_files import PROGRAM, ROOT, SOURCES

TOOLS = {"mksquashfs": "squashfs-tools", "cc": "gcc", "strip": "binutils"}
"""Programs, with their packages in Debian and Ubuntu."""
HEADERS = {
    "squashfuse/ll.h": "libsquashfuse-dev",
    "fuse3/fuse_lowlevel.h": "libfuse3-dev",
    "zlib.h": "zlib1g-dev",
    "lzma.h": "liblzma-dev",
    "zstd.h": "libzstd-dev",
    "lz4.h": "liblz4-dev",
    "lzo/lzo1x.h": "liblzo2-dev",
    "stdio.h": "libc6-dev",
}
"""What the runtime is compiled with, and their packages."""
LIBRARIES = ("squashfuse_ll", "squashfuse", "fuse3", "z", "lzma", "zstd", "lz4", "lzo2", "pthread")
MARK = b"AI\x02"
"""At byte 8 of the file: an AppImage of type 2."""


class AppImageError(Exception):
    """The AppImage cannot be built; the message says why."""


def missing() -> list[str]:
    """Debian names of the packages that building needs and that are not here."""
    lacking = [package for program, package in TOOLS.items() if not shutil.which(program)]
    return lacking + [
        package for header, package in HEADERS.items() if not Path("/usr/include", header).is_file()
    ]


def build() -> Path:
    """Build the AppImage and return its path. Raises AppImageError, or CalledProcessError."""
    lacking = missing()
    if lacking and not (system_packages.install(lacking) and not missing()):
        names = " ".join(missing())
        raise AppImageError(
            f"the AppImage needs what Debian calls {names}; install that, then run this again"
        )
    image = ROOT / "dist" / f"Waymark_Studio-{linux_files.version()}-{platform.machine()}.AppImage"
    with tempfile.TemporaryDirectory(prefix="waymark-", dir=ROOT / "build") as place:
        folder, files = Path(place, "AppDir"), Path(place, "files.squashfs")
        lay_out(folder)
        pack(folder, files)
        runtime = build_runtime(Path(place, "runtime"), hashlib.sha256(files.read_bytes()).hexdigest()[:16])
        with image.open("wb") as whole:
            for part in (runtime, files):
                with part.open("rb") as file:
                    shutil.copyfileobj(file, whole)
    image.chmod(0o755)
    return image


def lay_out(folder: Path) -> None:
    """Fill the AppDir: ``usr/``, and at its top what programs for AppImages read."""
    linux_files.lay_out(folder)
    shutil.copy2(SOURCES / "AppRun", folder / "AppRun")
    (folder / "AppRun").chmod(0o755)
    share = Path("usr", "share")
    links = {
        f"{PROGRAM}.desktop": share / "applications" / f"{PROGRAM}.desktop",
        f"{PROGRAM}.png": share / "icons" / "hicolor" / "256x256" / "apps" / f"{PROGRAM}.png",
        ".DirIcon": share / "icons" / "hicolor" / "256x256" / "apps" / f"{PROGRAM}.png",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    # Programs for AppImages look for it under the name of the desktop entry, too.
    (folder / share / "metainfo" / f"{PROGRAM}.appdata.xml").symlink_to(linux_files.METAINFO)


def pack(folder: Path, files: Path) -> None:
    """Write a folder as a squashfs, which is the same for the same folder."""
    moment = str(linux_files.moment())
    dates = ["-mkfs-time", moment, "-all-time", moment]
    how = [
        "-comp",
        "zstd",
        "-Xcompression-level",
        "19",
        "-b",
        "128K",
        "-root-owned",
        "-noappend",
        "-no-xattrs",
    ]
    command = ["mksquashfs", str(folder), str(files), *how, *dates, "-quiet", "-no-progress"]
    subprocess.run(["env", "-u", "SOURCE_DATE_EPOCH", *command], check=True)


def build_runtime(program: Path, build_id: str) -> Path:
    """Compile the program at the start of the AppImage."""
    source = SOURCES / "appimage_runtime.c"
    options = ["-Os", "-std=gnu17", "-Wall", "-Wextra", "-static", "-I/usr/include/squashfuse"]
    libraries = [f"-l{name}" for name in LIBRARIES]
    command = ["cc", *options, f'-DBUILD_ID="{build_id}"', "-o", str(program), str(source), *libraries]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise AppImageError(f"the runtime does not compile:\n{done.stderr}")
    subprocess.run(["strip", str(program)], check=True)
    with program.open("r+b") as file:
        file.seek(8)
        file.write(MARK)
    return program
