"""``tty``, ``stty``, ``clear``, ``reset``, ``more`` and ``vi``: the terminal of a shell."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.terminal.terminal import Terminal, TerminalModes

_NOT_A_TERMINAL = "Not a typewriter"
_USAGE = "usage: stty [-ag] [-F device] SETTING..."
_CHARACTERS = (
    "intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>; eol2 = <undef>;\n"
    "swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R; werase = ^W; lnext = ^V;\n"
    "discard = ^O; min = 1; time = 0;\n"
)
_GROUPS = (
    "-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts",
    "-ignbrk brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff -iuclc -ixany -imaxbel "
    "iutf8",
    "opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0",
    "isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt echoctl echoke -flusho "
    "-extproc",
)
_INACTIVE = frozenset({"evenp", "parity", "pass8", "litout", "crt", "dec", "ek"})


@command("tty")
def tty(process: Process) -> int:
    """Print the terminal that stdin reads from."""
    terminal = process.terminal
    if "-s" not in process.arguments:
        process.line(terminal.name if terminal else "not a tty")
    return 0 if terminal else 1


@command("stty")
def stty(process: Process) -> int:
    """Print or change the modes of the terminal."""
    words = list(process.arguments)
    terminal = process.shell.terminal if words[:1] == ["-F"] else process.terminal
    if words[:1] == ["-F"]:
        words = words[2:]
    if terminal is None:
        raise CommandError(f"stty: standard input: {_NOT_A_TERMINAL}")
    if words[:1] in ([], ["-a"]):
        _print_modes(process, terminal, everything=bool(words))
        return 0
    if words == ["-g"]:
        modes = terminal.modes
        local = 0x8A3B & ~(0 if modes.echo else 0x8) & ~(0 if modes.icanon else 0x2)
        process.line(f"{0x6D02:x}:{5:x}:{0xBF:x}:{local:x}:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0")
        return 0
    while words:
        _set(process, terminal, words)
    return 0


def _print_modes(process: Process, terminal: Terminal, *, everything: bool) -> None:
    modes = terminal.modes
    values = {"icanon": modes.icanon, "echo": modes.echo, "isig": modes.isig}
    values |= {"opost": modes.opost, "icrnl": modes.icrnl} | modes.others
    if not everything:
        process.line("speed 38400 baud; line = 0;")
        changed = [f"-{name}" for name, on in values.items() if not on]
        process.line(" ".join(["-brkint", *changed]) if changed else "-brkint -imaxbel")
        return
    process.line(f"speed 38400 baud; rows {terminal.rows}; columns {terminal.columns}; line = 0;")
    process.out(_CHARACTERS)
    for group in _GROUPS:
        names = [name.lstrip("-") for name in group.split()]
        shown = [
            ("" if values[name] else "-") + name if name in values else word
            for name, word in zip(names, group.split(), strict=True)
        ]
        process.line(" ".join(shown))


def _set(process: Process, terminal: Terminal, words: list[str]) -> None:
    """Apply the first setting and remove it."""
    word = words.pop(0)
    modes, on, name = terminal.modes, not word.startswith("-"), word.lstrip("-")
    if word == "size":
        process.line(f"{terminal.rows} {terminal.columns}")
    elif word in ("rows", "cols", "columns") and words and words[0].isdecimal():
        size = int(words.pop(0))
        rows, columns = (size, terminal.columns) if word == "rows" else (terminal.rows, size)
        terminal.resize(rows, columns)
    elif name in ("raw", "cooked"):
        is_raw = (name == "raw") == on
        modes.icanon = modes.isig = modes.icrnl = modes.opost = not is_raw
    elif word == "sane":
        terminal.modes = TerminalModes()
    elif name in ("cbreak", "icanon"):
        modes.icanon = (name == "icanon") == on
    elif hasattr(modes, name) and name != "others":
        setattr(modes, name, on)
    elif name in _INACTIVE or any(name == known.lstrip("-") for group in _GROUPS for known in group.split()):
        modes.others[name] = on
    elif not word.isdecimal() and not _restores(word, terminal):
        raise CommandError(f"stty: unknown option: {word}")


def _restores(word: str, terminal: Terminal) -> bool:
    """Apply what ``stty -g`` printed."""
    parts = word.split(":")
    if len(parts) < 5:
        return False
    local = int(parts[3], 16)
    terminal.modes.echo, terminal.modes.icanon = bool(local & 0x8), bool(local & 0x2)
    terminal.modes.isig = terminal.modes.icrnl = terminal.modes.opost = True
    return True


@command("clear", "reset")
def clear(process: Process) -> int:
    """Erase the window."""
    process.out("\x1b[2J\x1b[H" if process.name == "clear" else "\x1bc")
    return 0


@command("more")
def more(process: Process) -> int:
    """Print files; at a terminal a page at a time, the next one after any key but ``q``."""
    if process.terminal is None:
        return process.shell.execute(["cat", *process.arguments], process.streams, process.environment)
    for name in process.arguments or ["-"]:
        try:
            data = process.input() if name == "-" else process.machine.files.read(process.path(name))
        except OSError as error:
            process.err(f"more: {name}: {error.strerror}")
            continue
        if not _paged(process, data.splitlines(keepends=True)):
            return 0
    return 0


@command("vi")
def vi(process: Process) -> int:
    """Refuse: without a terminal in toybox' words, and at one because there is no editor."""
    if process.terminal is None:
        raise CommandError(f"vi: tcsetattr socket:[{20000 + process.pid}]: {_NOT_A_TERMINAL}")
    raise CommandError("vi: this phone has no editor; write files with cat, sed -i or adb push")


def _paged(process: Process, lines: list[bytes]) -> bool:
    """Print lines; False when the person has seen enough."""
    page = max(1, (process.terminal.rows if process.terminal is not None else 24) - 1)
    for start in range(0, len(lines), page):
        process.stdout.write(b"".join(lines[start : start + page]))
        if start + page < len(lines):
            process.out("--More--")
            key = process.stdin.read(1)
            process.out("\r\033[K")
            if key in (b"", b"q", b"Q", b"\x03"):
                return False
    return True
