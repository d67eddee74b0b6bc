"""``redir``: ports of the computer that lead to ports of the phone."""

from __future__ import annotations

import re

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.emulator import Emulator
from collector.virtual.console.redirections import Redirections

_ADDED = re.compile(r"(tcp|udp):\s*([+-]?\d+):\s*([+-]?\d+)")
_REMOVED = re.compile(r"(tcp|udp):\s*([+-]?\d+)")
_TAKEN = "can't setup redirection, port probably used by another program on host"


def _of(emulator: Emulator) -> Redirections:
    if emulator.redirections is None:
        raise ConsoleError("network emulation disabled")
    return emulator.redirections


def _list(emulator: Emulator, words: str) -> str:
    del words
    active = _of(emulator).active
    rows = "".join(f"{protocol}:{host:<5} => {guest:<5}\n" for (protocol, host), guest in active.items())
    return rows or "no active redirections\n"


def _add(emulator: Emulator, words: str) -> str:
    match = _ADDED.fullmatch(words)
    if match is None:
        raise ConsoleError("bad redirection format, try (tcp|udp):hostport:guestport")
    redirections, protocol, host, guest = _of(emulator), match[1], int(match[2]), int(match[3])
    if (protocol, host) in redirections.active:
        raise ConsoleError("host port already active, use 'redir del' to remove first")
    if not 0 < host < 1 << 16:
        raise ConsoleError(_TAKEN)
    try:
        redirections.add(protocol, host, guest)
    except OSError:
        raise ConsoleError(_TAKEN) from None
    return ""


def _delete(emulator: Emulator, words: str) -> str:
    match = _REMOVED.fullmatch(words)
    if match is None:
        raise ConsoleError("bad redirection format, try (tcp|udp):hostport")
    redirections, protocol, host = _of(emulator), match[1], int(match[2])
    if (protocol, host) not in redirections.active:
        raise ConsoleError(f"can't remove unknown redirection ({protocol}:{host})")
    redirections.remove(protocol, host)
    return ""


REDIR = ConsoleCommand(
    "redir",
    "manage port redirections",
    "allows you to add, list and remove UDP and/or PORT redirection from the host to the device\n"
    "as an example, 'redir  tcp:5000:6000' will route any packet sent to the host's TCP port 5000\n"
    "to TCP port 6000 of the emulated device\n",
    subcommands=(
        ConsoleCommand(
            "list", "list current redirections",
            "list current port redirections. use 'redir add' and 'redir del' to add and remove them\n", _list,
        ),
        ConsoleCommand(
            "add", "add new redirection",
            "add a new port redirection, arguments must be:\n\n"
            "  redir add <protocol>:<host-port>:<guest-port>\n\n"
            "where:   <protocol>     is either 'tcp' or 'udp'\n"
            "         <host-port>    a number indicating which port on the host to open\n"
            "         <guest-port>   a number indicating which port to route to on the device\n"
            "\nas an example, 'redir  tcp:5000:6000' will allow any packets sent to\n"
            "the host's TCP port 5000 to be routed to TCP port 6000 of the emulated device\n", _add,
        ),
        ConsoleCommand(
            "del", "remove existing redirection",
            "remove a port redirecion that was created with 'redir add', arguments must be:\n\n"
            "  redir  del <protocol>:<host-port>\n\n"
            "see the 'help redir add' for the meaning of <protocol> and <host-port>\n", _delete,
        ),
    ),
)  # fmt: skip
