"""``reverse:*``: which addresses of the phone are forwarded to the computer."""

from __future__ import annotations

import itertools

from collector.adb.smart_socket import OKAY, encode_block, encode_failure
from collector.virtual.daemon.connection import Connection
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.daemon.stream import Stream

_FIRST_PORT = 38000
_MAX_FORWARDS = 128
_ports = itertools.count(_FIRST_PORT)


def serve(request: str, connection: Connection, sockets: DeviceSockets, stream: Stream) -> None:
    """Handle ``request``: ``forward:...``, ``killforward:...`` or ``list-forward``."""
    verb, _, rest = request.partition(":")
    if verb == "forward":
        sockets.add_dialler(connection)
        stream.write(_forward(rest, connection, sockets))
    elif verb == "killforward":
        target = connection.reversed.pop(rest, None)
        stream.write(OKAY if target else encode_failure(f"listener '{rest}' not found"))
    elif verb == "killforward-all":
        connection.reversed.clear()
        stream.write(OKAY)
    elif verb == "list-forward":
        rows = [f"host {device} {host}\n" for device, host in connection.reversed.items()]
        # Unlike the others, this answer has no OKAY in front.
        stream.write(encode_block("".join(rows)))
    else:
        stream.write(encode_failure(f"unknown reverse service '{request}'"))


def _forward(rest: str, connection: Connection, sockets: DeviceSockets) -> bytes:
    rebind = not rest.startswith("norebind:")
    device, semicolon, host = rest.removeprefix("norebind:").partition(";")
    if not semicolon or not device or not host:
        return encode_failure("bad forward: " + rest)
    if not rebind and device in connection.reversed:
        return encode_failure(f"cannot rebind existing socket '{device}'")
    if sockets.is_listening(device) or len(connection.reversed) >= _MAX_FORWARDS:
        return encode_failure(f"cannot bind to '{device}': Address already in use")
    if device == "tcp:0":
        port = str(next(_ports))
        connection.reversed[f"tcp:{port}"] = host
        return OKAY + encode_block(port)
    connection.reversed[device] = host
    return OKAY
