"""One HTTP/1.1 request with limits in time and memory, that can be cancelled at any moment.

Written for endpoints that hang, flood or lie: a request never follows a redirect, as it carries a key, and
reads no more than it was asked to. The caller limits the time, see :class:`PrivateLoop`.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import ssl
import urllib.request
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from collector.endpoint.http_address import HttpAddress, read_address
from collector.model.errors import UserError
from collector.model.i18n import _

_MAX_HEAD = 64 * 1024
_MAX_LINE = 16 * 1024
_CHUNK = 64 * 1024
_CHUNKS_AT_ONCE = 500
"""Chunks that are there already are read without a pause; a call that is cancelled would wait for them."""
_HEADER_END = b"\r\n\r\n"


class HttpFault(Exception):  # noqa: N818 - a state of the connection
    """No answer, or none that is HTTP; ``str()`` says why in a clause. May be tried again."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; of a header that came twice, the last."""
    body: bytes


async def get(address: HttpAddress, headers: Mapping[str, str], limit: int) -> HttpReply:
    """Return what stands at an address, of at most ``limit`` bytes. Raises HttpFault."""
    return await _send(address, _head("GET", address, headers), limit)


async def post(address: HttpAddress, headers: Mapping[str, str], body: bytes, limit: int) -> HttpReply:
    """Send ``body`` and return the answer, of at most ``limit`` bytes. Raises HttpFault."""
    length = {"Content-Length": str(len(body))}
    return await _send(address, _head("POST", address, {**headers, **length}) + body, limit)


async def _send(address: HttpAddress, request: bytes, limit: int) -> HttpReply:
    reader, writer = await _connect(address)
    try:
        writer.write(request)
        reply = await _exchange(reader, writer, limit)
    except (ConnectionError, asyncio.IncompleteReadError):
        raise HttpFault(_("the endpoint ended the connection before its answer was complete")) from None
    except ssl.SSLError as error:
        raise HttpFault(_("the encrypted connection failed ({why})", why=error.reason or error)) from None
    except (asyncio.LimitOverrunError, zlib.error, ValueError):
        raise HttpFault(_("the endpoint does not answer as a web server does")) from None
    finally:
        # Not a polite goodbye: the other side may never answer it.
        writer.transport.abort()
    return reply


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int) -> HttpReply:
    """Read the answer while the request is still being sent: a refusal may come before all of it is read."""
    sending = asyncio.ensure_future(writer.drain())
    try:
        return await _read_reply(reader, limit)
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


# -- connecting --------------------------------------------------------------
async def _connect(address: HttpAddress) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    secure = ssl.create_default_context() if address.scheme == "https" else None
    proxy = _proxy_of(address)
    try:
        if proxy is None:
            return await _open(address.host, address.port, secure, address.host)
        return await _through(proxy, address, secure)
    except ssl.SSLCertVerificationError as error:
        raise HttpFault(
            _("the certificate of {host} is not trusted ({why})", host=address.host, why=error.verify_message)
        ) from None
    except ssl.SSLError as error:
        raise HttpFault(
            _("{host} does not speak https there ({why})", host=address.host, why=error.reason or error)
        ) from None
    except ConnectionRefusedError:
        raise HttpFault(_("nothing listens at {address}", address=address.origin)) from None
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        raise HttpFault(_("{address} cannot be reached ({why})", address=address.origin, why=why)) from None


async def _open(
    host: str, port: int, secure: ssl.SSLContext | None, name: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(
        host, port, ssl=secure, server_hostname=name if secure else None, limit=_MAX_HEAD
    )


def _proxy_of(address: HttpAddress) -> str | None:
    """The proxy that the environment or the system names for an address; None to connect directly."""
    if address.is_loopback:
        return None
    proxy = urllib.request.getproxies().get(address.scheme)
    return None if not proxy or urllib.request.proxy_bypass(address.host) else proxy


async def _through(
    proxy: str, address: HttpAddress, secure: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A tunnel through a proxy: the key and the pictures are seen by the endpoint alone."""
    place, credentials = _read_proxy(proxy)
    reader, writer = await _open(place.host, place.port, None, "")
    try:
        target = f"{address.bracketed_host}:{address.port}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if credentials:
            lines.append(f"Proxy-Authorization: Basic {credentials}")
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        status, _headers = await _read_head(reader)
        if status != 200:
            raise HttpFault(
                _("the proxy {proxy} refused the connection ({status})", proxy=place.origin, status=status)
            )
        if secure is not None:
            await writer.start_tls(secure, server_hostname=address.host)
    except BaseException as error:
        writer.transport.abort()
        if isinstance(error, (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)):
            raise HttpFault(_("the proxy {proxy} ended the connection", proxy=place.origin)) from None
        raise
    return reader, writer


def _read_proxy(proxy: str) -> tuple[HttpAddress, str]:
    """The address of a proxy, and its name and password as its header has them."""
    text = proxy if "://" in proxy else f"http://{proxy}"
    scheme, _mark, rest = text.partition("://")
    credentials, mark, host = rest.rpartition("@")
    try:
        place = read_address(f"{scheme}://{host}")
    except UserError:
        raise HttpFault(_("the address of the proxy cannot be read")) from None
    return place, base64.b64encode(unquote(credentials).encode()).decode() if mark else ""


# -- sending -----------------------------------------------------------------
def _head(method: str, address: HttpAddress, headers: Mapping[str, str]) -> bytes:
    port = "" if address.origin.endswith(address.bracketed_host) else f":{address.port}"
    lines = [
        f"{method} {address.target} HTTP/1.1",
        f"Host: {address.bracketed_host}{port}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "Connection: close",
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1")


# -- reading -----------------------------------------------------------------
async def _read_reply(reader: asyncio.StreamReader, limit: int) -> HttpReply:
    status, headers = await _read_head(reader)
    while 100 <= status < 200:  # such as 100 Continue: the answer comes after it
        status, headers = await _read_head(reader)
    body = b"" if status in (204, 304) else await _read_body(reader, headers, limit)
    return HttpReply(status, headers, _decoded(body, headers.get("content-encoding", ""), limit))


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(_HEADER_END)).decode("latin-1")
    first, *lines = head.split("\r\n")
    version, _space, rest = first.partition(" ")
    if not version.startswith("HTTP/1.") or not rest[:3].isdigit():
        raise ValueError("not HTTP")
    pairs = (line.partition(":") for line in lines if ":" in line)
    return int(rest[:3]), {name.strip().lower(): value.strip() for name, _colon, value in pairs}


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str], limit: int) -> bytes:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return await _read_chunks(reader, limit)
    length = headers.get("content-length")
    if length is None:
        return await _read_to_end(reader, limit)
    size = int(length)
    if size < 0:
        raise ValueError("negative length")
    _check_size(size, limit)
    return await reader.readexactly(size)


async def _read_chunks(reader: asyncio.StreamReader, limit: int) -> bytes:
    body = bytearray()  # a list of chunks of one byte each would take sixty times their size
    for number in itertools.count(1):
        if number % _CHUNKS_AT_ONCE == 0:
            await asyncio.sleep(0)
        line = await reader.readuntil(b"\r\n")
        count = int(line.split(b";", 1)[0].strip(), 16) if len(line) < _MAX_LINE else -1
        if count < 0:
            raise ValueError("no chunk")
        if count == 0:
            return bytes(body)
        _check_size(len(body) + count, limit)
        body += await reader.readexactly(count)
        await reader.readexactly(2)
    raise AssertionError("unreachable")


async def _read_to_end(reader: asyncio.StreamReader, limit: int) -> bytes:
    body = bytearray()
    while part := await reader.read(_CHUNK):
        body += part
        _check_size(len(body), limit)
    return bytes(body)


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise HttpFault(_("its answer is longer than {limit} MB", limit=limit // 1_000_000))


def _decoded(body: bytes, encoding: str, limit: int) -> bytes:
    """``body`` unpacked: some servers compress although they were asked not to."""
    if encoding.lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    plain = unpacker.decompress(body, limit + 1)
    _check_size(len(plain), limit)
    return plain
