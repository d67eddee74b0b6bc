"""Name the libraries of this system that a bundle carries, with what Debian says of their licences."""

from __future__ import annotations

import subprocess
from pathlib import Path

import stand_ins

_OF_PYTHON = "libpython"
"""The interpreter has its own place in the list."""


def append(file: Path, folder: Path) -> int:
    """Add the packages of the libraries in ``folder`` to a list of licences; return how many they are."""
    names = [
        path.name
        for path in sorted(folder.glob("lib*.so*"))
        if not path.is_symlink() and not path.name.startswith((_OF_PYTHON, *stand_ins.OF_THE_SYSTEM))
    ]
    packages = sorted({package for name in names if (package := _package_of(name))})
    lines = ["", "=" * 78, "Libraries of the system that built this bundle", ""]
    lines += [_version_of(package) for package in packages]
    for package in packages:
        # The libraries of one source share a text; each package has it under its own name.
        text = Path("/usr/share/doc", package.partition(":")[0], "copyright")
        lines += ["", "=" * 78, package, ""]
        lines.append(
            text.read_text(encoding="utf-8", errors="replace").rstrip() if text.is_file() else "not named"
        )
    with file.open("a", encoding="utf-8") as whole:
        whole.write("\n".join([*lines, ""]))
    return len(packages)


def _package_of(name: str) -> str:
    """The package of Debian that installed a library; empty when none did."""
    asked = subprocess.run(["dpkg", "--search", f"*/{name}"], capture_output=True, text=True)
    found = [
        line.partition(": ")[0]
        for line in asked.stdout.splitlines()
        if "/usr/lib/" in line or " /lib/" in line
    ]
    return found[0] if found else ""


def _version_of(package: str) -> str:
    words = ["dpkg-query", "--show", "--showformat", "${Package} ${Version}", package]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip() or package
