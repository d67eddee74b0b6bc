"""``ip``, ``ifconfig``, ``netstat`` and ``arp``: the phone's network interfaces and sockets."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.shell.kernel_files.socket_files import listening_ports, unix_names
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

GATEWAY, NAME_SERVER = "10.0.2.2", "10.0.2.3"
_ANY = "0.0.0.0"  # noqa: S104 - printed, never bound
_HARDWARE = "02:00:00:00:00:00"


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface; ``address`` is empty while it has none."""

    number: int
    name: str
    address: str
    prefix: int
    mtu: int

    @property
    def network(self) -> str:
        """The network of the address, as ``10.0.2.0/24``."""
        return f"{self.address.rpartition('.')[0]}.0/{self.prefix}"

    @property
    def broadcast(self) -> str:
        return f"{self.address.rpartition('.')[0]}.255"


def interfaces(process: Process) -> list[Interface]:
    """The loopback, the mobile network and Wi-Fi, by number."""
    radios = process.machine.phone.services.radios
    mobile = radios.data and not radios.airplane
    return [
        Interface(1, "lo", "127.0.0.1", 8, 65536),
        Interface(2, "rmnet0", "10.0.3.17" if mobile else "", 24, 1500),
        Interface(3, "wlan0", "10.0.2.16" if radios.connected else "", 24, 1500),
    ]


@command("ifconfig")
def ifconfig(process: Process) -> int:
    """Print interfaces with an address, all with ``-a``, or one by name."""
    words = [word for word in process.arguments if word not in ("-a", "-S")]
    every = interfaces(process)
    shown = [interface for interface in every if interface.address or "-a" in process.arguments]
    if words:
        shown = [interface for interface in every if interface.name == words[0]]
        if not shown:
            raise CommandError(f"ifconfig: {words[0]}: No such device")
    for interface in sorted(shown, key=lambda item: -item.number):
        _describe(process, interface)
    return 0


def _describe(process: Process, interface: Interface) -> None:
    is_loop = interface.name == "lo"
    kind = "Local Loopback  " if is_loop else f"Ethernet  HWaddr {_HARDWARE}"
    process.line(f"{interface.name:<9} Link encap:{kind}")
    if interface.address:
        broadcast = "" if is_loop else f"  Bcast:{interface.broadcast}"
        mask = "255.0.0.0" if is_loop else "255.255.255.0"
        process.line(f"          inet addr:{interface.address}{broadcast}  Mask:{mask}")
    flags = "UP LOOPBACK RUNNING" if is_loop else "UP BROADCAST RUNNING MULTICAST"
    if not interface.address:
        flags = "BROADCAST MULTICAST"
    process.line(f"          {flags}  MTU:{interface.mtu}  Metric:1\n")


@command("ip")
def ip(process: Process) -> int:
    """``addr``, ``link``, ``route`` and ``neigh``, of all interfaces or of one."""
    words = [word for word in process.arguments if not word.startswith("-") and word not in ("inet", "inet6")]
    if not words:
        raise CommandError("Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }", 255)
    kind, rest = words[0], words[1:]
    for name, run in _IP.items():
        if name.startswith(kind):
            return run(process, rest)
    raise CommandError(f'Object "{kind}" is unknown, try "ip help".', 1)


def _chosen(process: Process, words: list[str]) -> list[Interface]:
    names = [word for word in words if word not in ("show", "list", "ls", "s", "dev", "up")]
    every = interfaces(process)
    if not names:
        return every
    chosen = [interface for interface in every if interface.name == names[0]]
    if not chosen:
        raise CommandError(f'Device "{names[0]}" does not exist.')
    return chosen


def _addresses(process: Process, words: list[str]) -> int:
    for interface in _chosen(process, words):
        _link_lines(process, interface)
        if not interface.address:
            continue
        scope = "scope host" if interface.name == "lo" else f"brd {interface.broadcast} scope global"
        process.out(
            f"    inet {interface.address}/{interface.prefix} {scope} {interface.name}\n"
            "       valid_lft forever preferred_lft forever\n"
        )
    return 0


def _links(process: Process, words: list[str]) -> int:
    for interface in _chosen(process, words):
        _link_lines(process, interface)
    return 0


def _link_lines(process: Process, interface: Interface) -> None:
    is_loop = interface.name == "lo"
    flags, state = "BROADCAST,MULTICAST", "DOWN"
    if is_loop:
        flags, state = "LOOPBACK,UP,LOWER_UP", "UNKNOWN"
    elif interface.address:
        flags, state = "BROADCAST,MULTICAST,UP,LOWER_UP", "UP"
    queue = "noqueue" if is_loop else "mq"
    kind, hardware = ("loopback", "00:00:00:00:00:00") if is_loop else ("ether", _HARDWARE)
    broadcast = "00:00:00:00:00:00" if is_loop else "ff:ff:ff:ff:ff:ff"
    length = 1000 if is_loop else 3000
    process.out(
        f"{interface.number}: {interface.name}: <{flags}> mtu {interface.mtu} qdisc {queue} state {state} "
        f"group default qlen {length}\n    link/{kind} {hardware} brd {broadcast}\n"
    )


def _routes(process: Process, words: list[str]) -> int:
    """``route`` prints the networks; ``route get ADDRESS`` how one is reached."""
    outside = [item for item in interfaces(process) if item.address and item.name != "lo"]
    if words[:1] == ["get"] and len(words) > 1:
        way = next(iter(sorted(outside, key=lambda item: -item.number)), None)
        if way is None:
            raise CommandError("RTNETLINK answers: Network is unreachable", 2)
        via = "" if words[1].rpartition(".")[0] == way.address.rpartition(".")[0] else f"via {GATEWAY} "
        process.line(f"{words[1]} {via}dev {way.name} table 1003 src {way.address} uid 2000 \n    cache ")
        return 0
    for interface in outside:
        process.line(
            f"{interface.network} dev {interface.name} proto kernel scope link src {interface.address} "
        )
    return 0


def _neighbours(process: Process, words: list[str]) -> int:
    del words
    if process.machine.phone.services.radios.connected:
        process.line(f"{GATEWAY} dev wlan0 lladdr 52:55:0a:00:02:02 REACHABLE")
    return 0


_IP = {"address": _addresses, "link": _links, "route": _routes, "neighbour": _neighbours}


@command("netstat")
def netstat(process: Process) -> int:
    """List sockets: ``-t`` TCP, ``-u`` UDP, ``-x`` UNIX, ``-l`` listening, ``-r`` the routes."""
    options = read_options("netstat", process.arguments, "rxwutneap46lW")
    if "r" in options:
        process.line("Kernel IP routing table")
        process.line("Destination     Gateway         Genmask         Flags   MSS Window  irtt Iface")
        for interface in interfaces(process):
            if interface.address and interface.name != "lo":
                network = interface.network.partition("/")[0]
                process.line(
                    f"{network:<15} {_ANY:<15} {'255.255.255.0':<15} {'U':<7} {0:>4} {0:<6} {0:>5} "
                    f"{interface.name}"
                )
        return 0
    title = "(servers and established)" if "a" in options else "(w/o servers)"
    title = "(only servers)" if "l" in options else title
    if not {"x", "w"} & set(options.given) or {"t", "u"} & set(options.given):
        process.line(f"Active Internet connections {title}")
        process.line("Proto Recv-Q Send-Q Local Address           Foreign Address         State")
        if "l" in options or "a" in options:
            for port in listening_ports(process.machine.sockets):
                process.line(f"tcp        0      0 {f'127.0.0.1:{port}':<23} {_ANY + ':*':<23} LISTEN")
    if "x" in options or not {"t", "u", "w"} & set(options.given):
        process.line(f"Active UNIX domain sockets {title}")
        process.line("Proto RefCnt Flags       Type       State           I-Node Path")
        names = unix_names(process.machine.sockets)
        for number, name in enumerate(names if "l" in options or "a" in options else []):
            process.line(f"unix  2      [ ACC ]     STREAM     LISTENING      {20481 + number:>7} @{name}")
    return 0
