"""``watch``: run a command again and again, and show what it prints."""

from __future__ import annotations

from collector.virtual.shell.options import read_options
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_WIDTH = 78
_ASK_SIZE, _CLEAR, _RESET = (
    "\x1b[s\x1b[999C\x1b[999B\x1b[6n\x1b[u",
    "\x1b[H\x1b[J",
    "\x1b[?25h\x1b[0m\x1b[999H\x1b[K",
)


@command("watch")
def watch(process: Process) -> int:
    """``watch [-teb] [-n SECONDS] COMMAND``, until it is ended, or with ``-e`` until the command fails."""
    options = read_options("watch", process.arguments, "tebx", "n", until_operand=True)
    words = options.operands
    if not words:
        raise CommandError('watch: Needs 1 argument (see "watch --help")')
    try:
        seconds = float(options.get("n") or 2)
    except ValueError:
        raise CommandError(f"watch: Not a number '{options.get('n')}'") from None
    if not ("COLUMNS" in process.environment and "LINES" in process.environment):
        process.out(_ASK_SIZE)
    shown, between = f"Every {seconds:.1f}s: {' '.join(words)}", ""
    try:
        while True:
            process.out(_CLEAR)
            if "t" not in options:
                now = process.machine.phone.clock.now.strftime("%a %b %e %H:%M:%S %Y")
                process.out(f"{shown}{now:>{max(_WIDTH - len(shown), len(now) + 1)}}\n{between}")
                between = "\r\n"
            status = _run(process, words, is_direct="x" in options)
            if status and "e" in options:
                process.out(f"Exit status {status}\r\n")
                return status
            process.sleep(max(seconds, 0.1))
    finally:
        process.out(_RESET)


def _run(process: Process, words: list[str], *, is_direct: bool) -> int:
    output = Collector()
    streams = Streams(BytesReader(b""), output, output)
    command_line = words if is_direct else ["sh", "-c", " ".join(words)]
    status = process.shell.execute(command_line, streams, process.environment)
    process.stdout.write(bytes(output.data).replace(b"\n", b"\r\n"))
    return status
