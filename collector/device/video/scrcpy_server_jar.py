"""Find a scrcpy server jar to run on the phone, and its version."""

from __future__ import annotations

import importlib.util
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.adb.scrcpy.version import ScrcpyVersion
from collector.device.errors import ScrcpyFailed
from collector.host.programs import find_program
from collector.model.i18n import _
from collector.model.resources import asset

_NEWEST = ScrcpyVersion.parse("3.3.4")
_MISMATCH = re.compile(rb"The server version \((\d+\.\d+(?:\.\d+)?)\) does not match")
_MAX_JAR = 16 << 20


@dataclass(frozen=True, slots=True)
class ScrcpyServerJar:
    """A server to push, and the protocol version it speaks."""

    data: bytes
    version: ScrcpyVersion
    origin: str


def find_server_jar(chosen: str = "", *, virtual: bool = False) -> ScrcpyServerJar:
    """Return the server to use: the chosen one, otherwise the newest of those on this computer.

    A virtual phone has its own server, so any bytes do. Raises ScrcpyFailed when there is none.
    """
    for jar in usable_server_jars(chosen, virtual=virtual):
        return jar
    raise ScrcpyFailed(
        _("No scrcpy server was found"),
        _("The fast mirror runs a small program of scrcpy's on the phone"),
        _("Install scrcpy, or set SCRCPY_SERVER_PATH to its scrcpy-server file"),
    )


def usable_server_jars(chosen: str = "", *, virtual: bool = False) -> Iterator[ScrcpyServerJar]:
    """Every usable server, each version once: those of the setting and of the environment, then the newest.

    The program brings a server; one of an installed scrcpy or Python package goes first when it is newer.
    """
    if virtual:
        yield ScrcpyServerJar(b"waymark", _NEWEST, _("the virtual phone's own"))
        return
    named = (chosen, os.environ.get("SCRCPY_SERVER_PATH", ""))
    seen: set[str] = set()
    for jar in (*_read(Path(text) for text in named if text), *_newest_first(_read(_candidates()))):
        if str(jar.version) not in seen:
            seen.add(str(jar.version))
            yield jar


def _newest_first(jars: Iterable[ScrcpyServerJar]) -> list[ScrcpyServerJar]:
    return sorted(jars, key=lambda jar: jar.version, reverse=True)


def _read(paths: Iterable[Path]) -> Iterator[ScrcpyServerJar]:
    for path in paths:
        version = jar_version(path)
        if version is not None and version.spoken:
            yield ScrcpyServerJar(path.read_bytes(), version, str(path))


def jar_version(path: Path) -> ScrcpyVersion | None:
    """Return the version from an error message inside the jar; None when the file is no server."""
    try:
        if path.stat().st_size > _MAX_JAR:
            return None
        with zipfile.ZipFile(path) as jar:
            match = _MISMATCH.search(jar.read("classes.dex"))
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    return ScrcpyVersion.parse(match[1].decode()) if match else None


def _candidates() -> Iterator[Path]:
    yield from asset("scrcpy").glob("scrcpy-server*.jar")
    program = find_program("scrcpy")
    if program is not None:
        folder = program.resolve().parent
        yield folder / "scrcpy-server"
        yield folder.parent / "share/scrcpy/scrcpy-server"
    for root in ("/usr/local", "/usr", "/opt/homebrew"):
        yield Path(root) / "share/scrcpy/scrcpy-server"
    for package, pattern in (("uiautodev", "binaries/scrcpy-server*.jar"), ("scrcpy", "scrcpy-server*.jar")):
        spec = importlib.util.find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            yield from Path(place).glob(pattern)


def place_words(jar: ScrcpyServerJar) -> str:
    """Say where the server was found; name the path where no better word exists."""
    path = Path(jar.origin)
    if path.is_relative_to(asset("scrcpy")):
        return _("it comes with Waymark Studio")
    if "site-packages" in path.parts:
        return _("found in the Python package {name}", name=path.parts[path.parts.index("site-packages") + 1])
    if "scrcpy" in path.parts:
        return _("found in an installed scrcpy")
    return _("found at {path}", path=path)
