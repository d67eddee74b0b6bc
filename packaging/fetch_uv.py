"""Install the locked version of uv into a private folder.

The wheel is fetched from the address in uv.lock, or from the configured index and verified by the
same hash. When both fail, pip is tried, then a uv on the PATH.
"""

from __future__ import annotations

import io
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from locked_files import Failure, FetchError, addresses, download, explain, locked_wheels

PROGRAM = "uv.exe" if os.name == "nt" else "uv"


def fits(name: str, system: str, machine: str, libc: str = "glibc") -> bool:
    """Whether the wheel ``name`` runs on this ``sys.platform`` and ``platform.machine()``."""
    tag = name.removesuffix(".whl").split("-", 4)[-1]
    arm = machine.lower() in ("arm64", "aarch64")
    if system == "win32":
        return tag == ("win_arm64" if arm else "win_amd64")
    if system == "darwin":
        return tag.startswith("macosx") and tag.endswith("arm64" if arm else "x86_64")
    family = "manylinux" if libc == "glibc" else "musllinux"
    return tag.startswith(family) and tag.endswith(f"_{'aarch64' if arm else machine.lower()}")


def ensure(lock: Path, folder: Path, report: Callable[[str], None]) -> Path:
    """Return the path of the private uv of the locked version; fetch it when it is missing."""
    version, wheels = locked_wheels(lock.read_text(encoding="utf-8"), "uv")
    program = folder / f"uv-{version}" / PROGRAM
    if program.exists():
        return program
    report(f"fetching uv {version}")
    libc = "glibc" if platform.libc_ver()[0] == "glibc" else "musl"
    failures: list[Failure] = []
    for wheel in [wheel for wheel in wheels if fits(wheel.name, sys.platform, platform.machine(), libc)]:
        for address in addresses(wheel, failures):
            try:
                _unpack(download(address, wheel.sha256), program)
            except (OSError, ValueError, FetchError) as error:
                failures.append((address, error))
            else:
                return program
    fallback = _by_pip(version, program.parent) or shutil.which("uv")
    if fallback:
        return Path(fallback)
    raise FetchError(explain(f"uv {version}", failures) if failures else unknown_machine(version))


def unknown_machine(version: str) -> str:
    """Say that uv is not made for this machine."""
    return (
        f"there is no uv {version} for {sys.platform} on {platform.machine()}; "
        "put a uv on the PATH (https://docs.astral.sh/uv) and run this again"
    )


def _unpack(wheel: bytes, program: Path) -> None:
    """Extract the program from its wheel atomically, so that another process never sees a part of it."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        member = next(name for name in archive.namelist() if name.endswith(f"/scripts/{PROGRAM}"))
        content = archive.read(member)
    program.parent.mkdir(parents=True, exist_ok=True)
    part = program.with_name(f"{program.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.chmod(0o755)
    part.replace(program)


def _by_pip(version: str, folder: Path) -> Path | None:
    """Install the program by pip, which may be configured for another index; None when it fails."""
    command = [sys.executable, "-m", "pip", "install", "--retries=1", "--no-deps", "--target", str(folder)]
    try:
        # The output of pip is dropped: the error of this module explains the failure.
        subprocess.run([*command, f"uv=={version}"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    program = folder / "bin" / PROGRAM
    return program if program.exists() else None
