"""Addresses of phones reached over the network: ``HOST:PORT``, with adb's own port as the default."""

from __future__ import annotations

import re

from collector.model.i18n import _

DEFAULT_PORT = 5555
_HOST = re.compile(r"[A-Za-z0-9_.-]+")


def parse_address(text: str) -> str:
    """Return ``text`` as ``HOST:PORT``; an IPv6 host stands in brackets.

    Raises ValueError, with a sentence for a person, for anything adb could not connect to.
    """
    host, colon, port = text.strip().rpartition(":")
    if not colon:
        host, port = port, str(DEFAULT_PORT)
    is_host = host.startswith("[") and host.endswith("]") if ":" in host else _HOST.fullmatch(host)
    if not is_host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ValueError(
            _("{text} is no address; expected HOST:PORT, as in 192.168.1.20:5555", text=repr(text))
        )
    return f"{host}:{port}"
