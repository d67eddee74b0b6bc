"""Users, time and processes: ``id``, ``date``, ``uname``, ``sleep``, ``ps``, ``kill``, ``ip``."""

from __future__ import annotations

import datetime as dt
import re

from collector.virtual.shell.options import read_options
from collector.virtual.shell.proc import SYSTEM_SERVER, all_processes, state_of, user_name
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_WIDTHS = {"PID": ">5", "PPID": ">5", "USER": "<12", "STAT": "<5", "S": "<1", "NAME": "<27", "ARGS": "<27"}
_GROUPS = (
    "2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),"
    "1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid)"
)
_CONTEXT = "u:r:shell:s0"


def _processes(process: Process) -> list[tuple[int, str, str]]:
    return all_processes(process.machine.phone, process.machine.processes)


@command("id")
def id_(process: Process) -> int:
    """Print the user and group ids."""
    words = process.arguments
    owner = _owner_uid(process)
    if owner is not None:
        name = user_name(owner)
        ids = f"uid={owner}({name}) gid={owner}({name}) groups={owner}({name}),3003(inet),9997(everybody)"
        context = "context=u:r:runas_app:s0:c120,c256,c512,c768"
        process.line((name if "-n" in words else str(owner)) if "-u" in words else f"{ids} {context}")
    elif "-u" in words:
        process.line("shell" if "-n" in words else "2000")
    else:
        process.line(f"uid=2000(shell) gid=2000(shell) groups={_GROUPS} context={_CONTEXT}")
    return 0


def _owner_uid(process: Process) -> int | None:
    """The user id of the package that ``run-as`` runs as."""
    packages = process.machine.phone.packages if process.shell.owner else []
    return next((package.uid for package in packages if package.package == process.shell.owner), None)


@command("whoami", "logname")
def whoami(process: Process) -> int:
    """Print the user name."""
    owner = _owner_uid(process)
    process.line("shell" if owner is None else user_name(owner))
    return 0


@command("hostname")
def hostname(process: Process) -> int:
    """Print the phone's network name."""
    process.line("waymark")
    return 0


@command("uname")
def uname(process: Process) -> int:
    """Print the kernel name and version."""
    if "-a" in process.arguments:
        process.line("Linux waymark 6.6.30-android15-8 #1 SMP PREEMPT aarch64 Toybox")
    else:
        values = {"-m": "aarch64", "-r": "6.6.30-android15-8", "-n": "waymark", "-o": "Toybox"}
        process.line(" ".join(values.get(word, "Linux") for word in process.arguments or ["-s"]))
    return 0


@command("getenforce")
def getenforce(process: Process) -> int:
    """Print that SELinux is enforcing, as on every phone that is sold."""
    process.line("Enforcing")
    return 0


@command("date")
def date(process: Process) -> int:
    """Print the phone's time; ``+FORMAT`` as strftime, ``-d @SECONDS`` for another time."""
    options = read_options("date", process.arguments, "u", "dDIrs")
    now = process.machine.phone.clock.now
    if options.get("d").startswith("@") and options.get("d")[1:].isdecimal():
        now = dt.datetime.fromtimestamp(int(options.get("d")[1:]), dt.UTC)
    pattern = next((word[1:] for word in options.operands if word.startswith("+")), "")
    if options.operands and not pattern:
        raise CommandError("date: cannot set date: Operation not permitted")
    stamp = int(now.replace(tzinfo=dt.UTC).timestamp())
    pattern = pattern.replace("%s", str(stamp)).replace("%N", f"{now.microsecond * 1000:09}")
    process.line(now.strftime(pattern) if pattern else now.strftime("%a %b %e %H:%M:%S GMT %Y"))
    return 0


@command("uptime")
def uptime(process: Process) -> int:
    """Print how long the phone has been on."""
    clock = process.machine.phone.clock
    minutes = clock.uptime_ns // 60_000_000_000
    process.line(f" {clock.now:%H:%M:%S} up {minutes} min,  0 users,  load average: 0.10, 0.12, 0.09")
    return 0


@command("sleep", "usleep")
def sleep(process: Process) -> int:
    """Wait for a number of seconds."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    match = re.fullmatch(r"(\d*\.?\d+)([smhd]?)", process.arguments[0]) if process.arguments else None
    if match is None:
        raise CommandError(f'{process.name}: Needs 1 argument (see "{process.name} --help")')
    seconds = float(match[1]) * units.get(match[2], 1.0)
    process.sleep(seconds / 1e6 if process.name == "usleep" else seconds)
    return 0


@command("ps")
def ps(process: Process) -> int:
    """List processes; ``-A`` all, ``-o`` selected columns."""
    options = read_options("ps", process.arguments, "AefTZlw", "opu")
    everything = "A" in options or "e" in options or not options.given
    rows = [row for row in _processes(process) if everything or row[1] == "shell"]
    if "p" in options:
        rows = [row for row in _processes(process) if str(row[0]) in options.get("p").split(",")]
    if "o" in options:
        _columns(process, [column.upper() for column in re.split(r"[, ]", options.get("o"))], rows)
        return 0
    process.line(
        "USER           PID  PPID        VSZ    RSS WCHAN            ADDR S NAME                       "
    )
    for pid, user, name in rows:
        parent = 0 if pid == 1 else 1 if pid < SYSTEM_SERVER else 310
        state = state_of(process.machine.phone, name)
        process.line(
            f"{user:<12} {pid:>5} {parent:>5} {14567890:>10} {123456:>6} {'0':<16} {'0':>4} {state} {name}"
        )
    return 0


def _columns(process: Process, columns: list[str], rows: list[tuple[int, str, str]]) -> None:
    """Print selected columns at the widths of toybox; the last column is not padded."""

    def line(values: dict[str, str]) -> str:
        cells = [f"{values.get(name, '-'):{_WIDTHS.get(name, '')}}" for name in columns]
        cells[-1] = cells[-1].rstrip()
        return " ".join(cells)

    process.line(line({name: name for name in columns}))
    for pid, user, name in rows:
        state = state_of(process.machine.phone, name)
        values = {"PID": str(pid), "USER": user, "PPID": "310", "STAT": state, "S": state}
        process.line(line(values | dict.fromkeys(("NAME", "ARGS", "CMD", "CMDLINE"), name)))


@command("pidof", "pgrep")
def pidof(process: Process) -> int:
    """Find process ids by name; ``pgrep -f`` by any part of it."""
    options = read_options(process.name, process.arguments, "sflanxo", "o")
    pattern = options.operands[0] if options.operands else ""
    part = process.name == "pgrep" and "x" not in options
    pids = [
        pid
        for pid, _user, name in _processes(process)
        if (pattern in name if part else pattern == name) and pid != process.pid and pattern
    ]
    if pids and process.name == "pidof":
        process.line(" ".join(map(str, pids)))
    elif pids:
        process.out("".join(f"{pid}\n" for pid in pids))
    return 0 if pids else 1


@command("kill")
def kill(process: Process) -> int:
    """Stop processes of the shell user; signal 0 only checks that they exist."""
    words = list(process.arguments)
    if words[:1] == ["-l"]:
        process.line("1 HUP 2 INT 3 QUIT 9 KILL 15 TERM 18 CONT 19 STOP")
        return 0
    signal = words.pop(0).lstrip("-") if words and words[0].startswith("-") else "15"
    signal = words.pop(0) if signal == "s" and words else signal
    status = 0
    for word in words:
        target = process.machine.processes.get(int(word)) if word.isdecimal() else None
        if target and signal != "0":
            target.interruption.set()
        elif target is None and not (word.isdecimal() and _signal_app(process, int(word), signal)):
            exists = word.isdecimal() and any(int(word) == row[0] for row in _processes(process))
            process.err(
                f"/system/bin/sh: kill: {word}: {'Operation not permitted' if exists else 'No such process'}"
            )
            status = 1
    return status


def _signal_app(process: Process, pid: int, signal: str) -> bool:
    """Signal an app's process; False unless ``run-as`` runs as that app."""
    processes = process.machine.phone.services.processes
    package = processes.package_of(pid)
    if not package or package != process.shell.owner:
        return False
    name = signal.upper().removeprefix("SIG")
    if name in ("STOP", "19", "TSTP", "20"):
        processes.stop(package)
    elif name in ("CONT", "18"):
        processes.resume(package)
    elif name in ("KILL", "9", "TERM", "15", "INT", "2", "HUP", "1"):
        processes.kill(package)
    return True


@command("killall", "pkill")
def killall(process: Process) -> int:
    """Stop processes of the shell user by name."""
    words = [word for word in process.arguments if not re.fullmatch(r"-(\d+|[A-Z]+|l|f|x|SIG[A-Z]+)", word)]
    any_killed = False
    for target in process.machine.processes:
        if (
            target.pid != process.pid
            and words
            and words[-1] in target.name
            and target.name not in ("sh", "-/bin/sh")
        ):
            target.interruption.set()
            any_killed = True
    if not any_killed and process.name == "killall":
        process.err(f"killall: {words[-1] if words else ''}: No such process")
    return 0 if any_killed else 1


@command("ifconfig")
def ifconfig(process: Process) -> int:
    """Print the wireless interface, with its address while Wi-Fi is on."""
    if process.arguments[:1] not in ([], ["wlan0"]):
        raise CommandError("ifconfig: ioctl 8913: No such device")
    on = process.machine.phone.services.radios.connected
    address = "          inet addr:10.0.2.16  Bcast:10.0.2.255  Mask:255.255.255.0\n" if on else ""
    flags = "UP BROADCAST RUNNING MULTICAST" if on else "BROADCAST MULTICAST"
    process.out(
        f"wlan0     Link encap:Ethernet  HWaddr 02:00:00:00:00:00\n{address}"
        f"          {flags}  MTU:1500  Metric:1\n\n"
    )
    return 0


@command("ip")
def ip(process: Process) -> int:
    """Print addresses and routes."""
    on = process.machine.phone.services.radios.connected
    if any(word in ("route", "r") for word in process.arguments):
        if on:
            process.line("10.0.2.0/24 dev wlan0 proto kernel scope link src 10.0.2.16 ")
        return 0
    flags, state = ("BROADCAST,MULTICAST,UP,LOWER_UP", "UP") if on else ("BROADCAST,MULTICAST", "DOWN")
    process.out(
        f"3: wlan0: <{flags}> mtu 1500 qdisc mq state {state} group default qlen 3000\n"
        "    link/ether 02:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff\n"
    )
    if on:
        process.out(
            "    inet 10.0.2.16/24 brd 10.0.2.255 scope global wlan0\n"
            "       valid_lft forever preferred_lft forever\n"
        )
    return 0


@command("ping")
def ping(process: Process) -> int:
    """Fail: there is no network behind the phone."""
    target = process.arguments[-1] if process.arguments else ""
    raise CommandError(f"ping: unknown host {target}", 2)


@command("reboot")
def reboot(process: Process) -> int:
    """Cut every connection and reset what does not survive a restart."""
    process.machine.restart()
    return 0
