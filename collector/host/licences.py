"""Licences of the program and of everything that is shipped or installed with it."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector import __version__
from collector.model.i18n import _
from collector.model.resources import asset

_NAME = "waymark-studio"
BUNDLED = "bundled.txt"
"""The file that an application without installed packages carries in ``assets/licences``."""
_TEXT_FILE = re.compile(r"licen[cs]e|copying|notice|authors|third.?party", re.IGNORECASE)
_CODE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".js", ".h")
_LONGEST = 2 << 20
_REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
_TEXTS = ("LGPL-2.1", "LGPL-3.0", "GPL-2.0", "GPL-3.0")
"""Licences whose texts ``assets/licences`` has, for packages that name one and carry no text."""
_SAID_BY_ITSELF = "said by itself"
_LIBRARIES = {
    **dict.fromkeys(("libx264", "libx265"), "GPL-2.0-or-later"),
    **dict.fromkeys(("libavcodec", "libavformat", "libavutil", "libswscale"), _SAID_BY_ITSELF),
    **dict.fromkeys(("libgmp", "libhogweed", "libnettle", "libunistring"), "LGPL-3.0-or-later"),
    **dict.fromkeys(("libasound", "libgnutls"), "LGPL-2.1-or-later"),
    "libmp3lame": "LGPL-2.0-or-later",
    **dict.fromkeys(("libcrypto", "libssl"), "OpenSSL"),
}
"""Libraries that packages bring, whose licences ask for more than their name, and which no metadata names."""
_OF_FFMPEG = re.compile(rb"lib\w+ license: (L?GPL) version ([\d.]+) or later")
_TOGETHER = "GPL-3.0-or-later"
"""What x264 and an FFmpeg under LGPL-3.0 can be passed on under together."""


@dataclass(frozen=True, slots=True)
class Component:
    """One thing that is shipped, with the texts of its licence by file name."""

    name: str
    version: str
    licence: str
    texts: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> str:
        return f"{self.name} {self.version}: {self.licence}"


def licences_text() -> str:
    """All licences: a list, then each text. Reads hundreds of files: call it from a job."""
    bundled = asset("licences", BUNDLED)
    return bundled.read_text(encoding="utf-8") if bundled.is_file() else compose_text(components())


def compose_text(parts: list[Component]) -> str:
    """The list of components and their texts; a text that several have is written once."""
    lines = [_("Waymark Studio and everything that comes with it"), ""]
    lines += [part.line for part in parts]
    written: dict[str, str] = {}
    for part in parts:
        lines += ["", "=" * 78, part.line]
        for name, text in part.texts:
            lines += ["", f"--- {name}"]
            before = written.setdefault(text, part.name)
            lines.append(
                text.rstrip() if before == part.name else _("the same text as of {name}", name=before)
            )
    return "\n".join([*lines, ""])


def components(left_out: Collection[str] = ()) -> list[Component]:
    """The program, what its package carries, and the installed packages that it uses, by name.

    ``left_out`` names libraries of packages that a bundle leaves out, as ``av/libx265``.
    """
    parts = [_of_distribution(found, left_out) for _name, found in sorted(_installed().items())]
    own = [part for part in parts if part.name == _NAME]
    return [*own, *_carried(), *(part for part in parts if part.name != _NAME)]


def _carried() -> Iterator[Component]:
    """What is in the package of the program itself and has another author."""
    yield Component("companion-app", __version__, _("Apache-2.0, of this project"))
    for jar in sorted(asset("scrcpy").glob("scrcpy-server-v*.jar")):
        texts = tuple((name, _read(asset("scrcpy", name))) for name in ("LICENSE", "NOTICE"))
        yield Component("scrcpy-server", jar.stem.rpartition("-v")[2], "Apache-2.0", texts)


def _installed() -> dict[str, importlib.metadata.Distribution]:
    """The distribution of the program and those it needs, as far as they are installed."""
    found: dict[str, importlib.metadata.Distribution] = {}
    waiting = [(_NAME, frozenset({"*"}))]
    while waiting:
        name, extras = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found:
            continue
        try:
            found[key] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        waiting += _needed(found[key], extras)
    return found


def _needed(
    package: importlib.metadata.Distribution, extras: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    for line in package.requires or ():
        requirement, _semicolon, marker = line.partition(";")
        extra = _EXTRA.search(marker)
        if extra and "*" not in extras and extra[1] not in extras:
            continue
        if match := _REQUIREMENT.match(requirement):
            yield match[1], frozenset(filter(None, re.split(r"[\s,]+", match[2] or "")))


def _of_distribution(package: importlib.metadata.Distribution, left_out: Collection[str]) -> Component:
    texts = [
        (Path(str(file)).name, text) for file in package.files or () if (text := _text_of(package, file))
    ]
    libraries = {
        name: said
        for name, said in _libraries_of(package).items()
        if f"{package.name}/{name}" not in left_out
    }
    brought = ", ".join(f"{name} {said}" for name, said in libraries.items())
    if any(said.startswith("GPL-") for said in libraries.values()):
        brought += f"; together {_TOGETHER}"
    licence = f"{_licence_of(package)} (with {brought})" if brought else _licence_of(package)
    if not texts or libraries:
        texts += [(name, _read(asset("licences", f"{name}.txt"))) for name in _TEXTS if name in licence]
    unique = {text: (name, text) for name, text in texts}
    return Component(package.name, package.version, licence, tuple(unique.values()))


def _licence_of(package: importlib.metadata.Distribution) -> str:
    values = package.metadata
    classifiers = [line.rpartition("::")[2].strip() for line in values.get_all("Classifier") or []
                   if line.startswith("License ::")]  # fmt: skip
    named = "".join(values.get_all("License-Expression") or []) or " ".join(
        " ".join(values.get_all("License") or []).split()
    )
    if not named or (len(named) > 100 and classifiers):
        named = ", ".join(classifiers)
    return named[:100] or _("not named")


def _libraries_of(package: importlib.metadata.Distribution) -> dict[str, str]:
    files = {Path(str(file)).name: file for file in package.files or () if ".libs/" in str(file)}
    found = {}
    for name, said in _LIBRARIES.items():
        if own := next((file for each, file in files.items() if each.startswith(f"{name}-")), None):
            is_asked = said == _SAID_BY_ITSELF
            found[name] = _said_by_ffmpeg(Path(str(package.locate_file(own)))) if is_asked else said
    return found


def _said_by_ffmpeg(library: Path) -> str:
    """The licence that a library of FFmpeg names in itself: it depends on how it was built."""
    try:
        said = _OF_FFMPEG.search(library.read_bytes())
    except OSError:
        said = None
    if said is None:
        return _("not named")
    name, version = said[1].decode(), said[2].decode()
    return f"{name}-{version if '.' in version else version + '.0'}-or-later"


def _text_of(package: importlib.metadata.Distribution, file: importlib.metadata.PackagePath) -> str:
    if not _TEXT_FILE.search(file.name) or file.suffix in _CODE:
        return ""
    return _read(Path(str(package.locate_file(file))))


def _read(path: Path) -> str:
    """A text; empty when it cannot be read, or is none."""
    try:
        data = path.read_bytes()
    except OSError:
        return ""
    return data.decode("utf-8", "replace") if len(data) < _LONGEST and b"\0" not in data else ""


def python_component() -> Component:
    """The interpreter, which a frozen application carries."""
    places = (
        Path(sys.base_prefix, "LICENSE.txt"),
        Path(importlib.metadata.__file__).parents[2] / "LICENSE.txt",
    )
    text = next(filter(None, map(_read, places)), "")
    version = ".".join(map(str, sys.version_info[:3]))
    return Component("Python", version, "PSF-2.0", (("LICENSE.txt", text),) if text else ())
