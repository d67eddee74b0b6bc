"""Fetch the files that uv.lock names, from their address or from the configured index by the same hash."""

from __future__ import annotations

import hashlib
import html.parser
import os
import ssl
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

import package_index

TIMEOUT_SECONDS = 60
LIMIT_BYTES = 200 << 20


# An address that was tried, and its error.
Failure = tuple[str, Exception]


class FetchError(Exception):
    """A file cannot be had; the message says why and what to do."""


@dataclass(frozen=True)
class Wheel:
    """One file of the lock with its address and hash."""

    package: str
    url: str
    sha256: str

    @property
    def name(self) -> str:
        return urllib.parse.unquote(self.url.rpartition("/")[2])


def locked_wheels(lock: str, package: str) -> tuple[str, list[Wheel]]:
    """Version of a package in the text of uv.lock, and its wheels for all platforms."""
    for locked in tomllib.loads(lock)["package"]:
        if locked["name"] == package:
            files = locked["wheels"]
            wheels = [Wheel(package, file["url"], file["hash"].removeprefix("sha256:")) for file in files]
            return locked["version"], wheels
    raise FetchError(f"uv.lock does not name {package}; it was not made from this pyproject.toml")


def addresses(wheel: Wheel, failures: list[Failure]) -> Iterator[str]:
    """Addresses of a wheel: the one in the lock, and the same file name on the configured indexes.

    An index that cannot be read is skipped and added to ``failures``.
    """
    index = package_index.configured()
    if index.is_default:
        yield wheel.url
    for base in index.urls:
        try:
            yield from links(f"{base.rstrip('/')}/{wheel.package}/", wheel.name)
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


def explain(what: str, failures: list[Failure]) -> str:
    """Explain why something cannot be fetched: each host once with its reason, and what helps."""
    # Only the host, because the address of a private index may hold a password.
    reasons = {urllib.parse.urlparse(place).hostname or place: _reason(error) for place, error in failures}
    why = ", ".join(f"{host} {reason}" for host, reason in reasons.items())
    help_it = "Check the network, or set PIP_INDEX_URL to an index this machine can reach"
    if any(_is_distrust(error) for _, error in failures):
        help_it = "Set SSL_CERT_FILE to a file with the authorities this network uses"
    return f"{what} cannot be fetched: {why}. {help_it}, then run this again"


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
