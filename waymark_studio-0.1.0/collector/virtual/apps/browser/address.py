"""Addresses of the browser: what was typed as a URL, and a URL as it is shown."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote_plus, unquote, unquote_plus, urlsplit

SEARCH = "https://search.example/?q="
_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3}", re.IGNORECASE)


def to_url(typed: str) -> str:
    """The URL of a typed text: an address, else a search for it."""
    text = typed.strip()
    if re.match(r"https?://", text, re.IGNORECASE):
        return text
    host = re.split(r"[/?#:]", text, maxsplit=1)[0]
    if " " not in text and _HOST.fullmatch(host):
        return f"https://{text}"
    return search_url(text)


def search_url(text: str) -> str:
    """The address of the results for a search."""
    return SEARCH + quote_plus(text)


def searched(url: str) -> str:
    """The text of a search; empty for every other page."""
    return dict(parameters(url)).get("q", "") if url.startswith(SEARCH) else ""


def parameters(url: str) -> list[tuple[str, str]]:
    """The names and values after the ``?`` of a URL."""
    return parse_qsl(_parts(url)[2], keep_blank_values=True)


def site(url: str) -> str:
    """The host of a URL, without ``www.``."""
    return _parts(url)[0].removeprefix("www.")


def shown(url: str) -> str:
    """The URL as the address bar shows it: without scheme, readable."""
    host, path, query = _parts(url)
    tail = unquote(path).rstrip("/") if not query else f"{unquote(path)}?{unquote_plus(query)}"
    return host.removeprefix("www.") + tail


def at_site(url: str, path: str) -> str:
    """Another page of the same site."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{re.split(r'[/?#]', rest, maxsplit=1)[0]}{path}"


def _parts(url: str) -> tuple[str, str, str]:
    """Host, path and query; anything that is no URL is all host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url, "", ""
    return parts.netloc.rpartition("@")[2] or url, parts.path, parts.query
