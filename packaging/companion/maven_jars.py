"""Fetch the Java archives that ``companion_jars.txt`` names, and verify each by its SHA-256.

They are kept in ``.cache/companion``. ``WAYMARK_MAVEN`` is the address of another repository to ask first.
"""

from __future__ import annotations

import hashlib
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("companion_jars.txt")
CACHE = ROOT / ".cache" / "companion"
REPOSITORIES = ("https://repo1.maven.org/maven2", "https://maven.google.com")
"""Maven Central, and Google's, where the test support of AndroidX comes from."""
TIMEOUT_SECONDS = 60
CHUNK = 1 << 20


class FetchError(Exception):
    """A file could not be fetched; the message says why and what to do."""


@dataclass(frozen=True)
class Jar:
    """A file of a Maven repository, and what it is for: ``build``, ``test`` or ``phone``."""

    use: str
    group: str
    name: str
    version: str
    kind: str
    sha256: str

    @property
    def file_name(self) -> str:
        return f"{self.name}-{self.version}.{self.kind}"

    @property
    def address(self) -> str:
        """Below the address of a repository."""
        return f"{self.group.replace('.', '/')}/{self.name}/{self.version}/{self.file_name}"

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return CACHE / self.use / self.file_name


def listed(text: str) -> list[Jar]:
    """The jars in the text of the list."""
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    jars = []
    for use, name, sha256 in rows:
        group, artifact, version, kind = name.split(":")
        jars.append(Jar(use, group, artifact, version, kind, sha256))
    return jars


def fetched(*uses: str) -> list[Jar]:
    """The jars for these uses, every one on the disk and verified."""
    jars = [jar for jar in listed(LIST.read_text(encoding="utf-8")) if jar.use in uses]
    for jar in jars:
        if not jar.path.is_file() or _hash(jar.path) != jar.sha256:
            _fetch(jar)
    return jars


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _fetch(jar: Jar) -> None:
    failures = []
    own = os.environ.get("WAYMARK_MAVEN", "").rstrip("/")
    for repository in ([own] if own else []) + list(REPOSITORIES):
        address = f"{repository}/{jar.address}"
        try:
            print(f"fetching {jar.file_name}", flush=True)
            _download(address, jar)
        except (OSError, ValueError) as error:
            failures.append(f"  {address}: {error}")
        else:
            return
    raise FetchError(
        f"cannot fetch {jar.file_name}:\n"
        + "\n".join(failures)
        + "\nCheck the network, or set WAYMARK_MAVEN to "
        "the address of a repository that has it"
    )


def _download(address: str, jar: Jar) -> None:
    jar.path.parent.mkdir(parents=True, exist_ok=True)
    fresh = jar.path.with_name(f"{jar.file_name}.{os.getpid()}")
    try:
        request = urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS)  # noqa: S310 - the hash decides
        with request as answer, fresh.open("wb") as stream:
            while chunk := answer.read(CHUNK):
                stream.write(chunk)
        if _hash(fresh) != jar.sha256:
            raise ValueError("its SHA-256 is not the one in companion_jars.txt")
        fresh.replace(jar.path)
    finally:
        fresh.unlink(missing_ok=True)
