"""Install the locked version of uv into a private folder.

The wheel is fetched from the address in uv.lock, or from the configured index and verified by the
same hash. When both fail, pip is tried, then a uv on the PATH.
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


# An address that was tried, and its error.
Failure = tuple[str, Exception]


class FetchError(Exception):
    """uv is not available; the message says why and what to do."""


@dataclass(frozen=True)
class Wheel:
    """One file of the lock with its address and hash."""

    url: str
    sha256: str

    @property
    def name(self) -> str:
        return urllib.parse.unquote(self.url.rpartition("/")[2])


def locked_wheels(lock: str) -> tuple[str, list[Wheel]]:
    """Version of uv in the text of uv.lock, and its wheels for all platforms."""
    for package in tomllib.loads(lock)["package"]:
        if package["name"] == "uv":
            wheels = [Wheel(file["url"], file["hash"].removeprefix("sha256:")) for file in package["wheels"]]
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


def ensure(lock: Path, folder: Path, report: Callable[[str], None]) -> Path:
    """Return the path of the private uv of the locked version; fetch it when it is missing."""
    version, wheels = locked_wheels(lock.read_text(encoding="utf-8"))
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
    raise FetchError(explain(version, failures))


def explain(version: str, failures: list[Failure]) -> str:
    """Explain why uv cannot be fetched: each host once with its reason, and what helps."""
    if not failures:
        return (
            f"there is no uv {version} for {sys.platform} on {platform.machine()}; "
            "put a uv on the PATH (https://docs.astral.sh/uv) and run this again"
        )
    # Only the host, because the address of a private index may hold a password.
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
    """The message of the system without its error number."""
    cause = getattr(error, "reason", error)
    return str(getattr(cause, "strerror", None) or cause)


def _is_distrust(error: Exception) -> bool:
    return isinstance(getattr(error, "reason", error), ssl.SSLCertVerificationError)


def addresses(wheel: Wheel, failures: list[Failure]) -> Iterator[str]:
    """Addresses of a wheel: the one in the lock, and the same file name on the configured indexes.

    An index that cannot be read is skipped and added to ``failures``.
    """
    index = package_index.configured()
    if index.is_default:
        yield wheel.url
    for base in index.urls:
        try:
            yield from links(base.rstrip("/") + "/uv/", wheel.name)
        except (OSError, ValueError) as error:
            failures.append((base, error))  # try the next index
    if not index.is_default:
        yield wheel.url


def links(page: str, name: str) -> list[str]:
    """Addresses on an index page that lead to the file ``name``."""
    matches: list[str] = []

    class Anchors(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            address = dict(attrs).get("href") or ""
            if tag == "a" and urllib.parse.unquote(urllib.parse.urlparse(address).path).endswith(f"/{name}"):
                matches.append(urllib.parse.urldefrag(urllib.parse.urljoin(page, address)).url)

    Anchors().feed(_read(page).decode("utf-8", "replace"))
    return matches


def download(address: str, sha256: str) -> bytes:
    """Download a file and verify its hash."""
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
