"""Random command lines from a grammar, for the virtual phone's shell.

    python -m tests.fuzz.shell_lines [--lines 10000] [--seed N]

Each line ends in a status within the time limit; no traceback is printed and no command ends by a bug.
"""

from __future__ import annotations

import argparse
import logging
import random
import threading
import time

from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope, Interrupted
from tests.helpers.virtual import virtual_device

_LIMIT_S = 20.0
"""Seconds of a line; the computer has other work."""
_SHARE_OF_PHONES = 0.3
_NAMES = ("x", "y", "a", "HOME", "1", "@", "#", "?", "nope")
_TEXTS = (
    "abc",
    "'a b'",
    '"$x"',
    "3",
    "-1",
    "*",
    "a?c",
    "''",
    "é",
    "{a,b}",
    "/data/local/tmp",
    "--",
    "-n",
    "%s",
    "x=1",
)
_COMMANDS = (
    "echo",
    "printf '%s|%d\\n'",
    "true",
    "false",
    "cat",
    "ls",
    "test",
    "[ a =",
    "let",
    "read y <<<",
    "set --",
    "shift",
    "local",
    "export",
    "unset",
    "eval",
    "cd",
    "head -c 5",
    "wc -l",
    "grep a",
    "sed s/a/b/",
    "sort",
    "tr a b",
    "od -c",
    "seq 3",
    "sh -c",
    "trap",
    "wait",
    "type",
    "command -v",
    "getopts ab:",
    "break",
    "return",
    "tar -c",
    "xargs echo",
    "basename",
    "cut -c1",
    "typeset -i",
    "readonly",
    "alias",
    "print -r",
    "print -p",
    "read -p y",
    "kill",
    "kill -l",
    "kill -USR1 $$",
    "kill $!",
    "wait $!",
    "jobs",
    "times",
    "exec 3>&p",
    "expr",
    "paste",
    "comm",
    "nl",
    "tac",
    "split -l 1",
    "truncate -s 3",
    "mktemp",
    "awk '{ print NF }'",
    "nc 127.0.0.1",
    "cal",
    "file",
    "fmt -w",
    "touch -d",
    "timeout 0.2",
    "ulimit -n",
    "dos2unix",
    "mountpoint",
    "getconf",
    "grep -e",
    "grep -rn",
    "sed",
    "sed -n '1,2p'",
    "find . -name",
    "find . -size",
    "sort -k",
    "uniq -w",
    "xxd -c",
    "head -n",
    "tail -n",
    "wc",
    "tr a",
    "cut -c",
    "patch -p0",
    "cpio -o",
    "cpio -t",
    "install -D",
    "uuencode -m",
    "uudecode -o -",
    "iconv -t",
    "diff -r",
    "cmp -l",
    "timeout 0.2 watch",
    "timeout 0.1 nc -u 127.0.0.1",
    "sysctl",
    "renice -n 1",
    "mknod",
    "chattr",
    "nope",
)
_OF_PHONES = (
    "am start -n com.waymark.todo/.MainActivity",
    "am start -a android.intent.action.VIEW -d",
    "am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT",
    "am start -a android.media.action.IMAGE_CAPTURE --es output",
    "am start -a android.intent.action.PICK -t image/* -d",
    "am start -a android.intent.action.VIEW -t text/plain -d",
    "content query --uri content://com.android.contacts/data/phones --where",
    "content insert --uri content://com.android.contacts/raw_contacts --bind",
    "content insert --uri content://com.android.contacts/data --bind raw_contact_id:i:1 --bind",
    "content delete --uri content://com.android.contacts/data --where",
    "am broadcast -a",
    "am force-stop",
    "am stack list",
    "pm list packages",
    "pm path",
    "pm grant com.waymark.todo",
    "pm clear",
    "cmd package resolve-activity",
    "cmd statusbar",
    "cmd notification",
    "cmd appops get",
    "cmd waymark",
    "input tap 30",
    "input swipe 1 2 3",
    "input text",
    "input keyevent",
    "sendevent /dev/input/event2 3 53",
    "sendevent /dev/input/event2 0 0",
    "dumpsys",
    "dumpsys window",
    "dumpsys package",
    "dumpsys meminfo",
    "dumpsys battery set level",
    "settings put system",
    "settings get secure",
    "settings list",
    "device_config",
    "content query --uri",
    "content insert --uri content://settings/system --bind",
    "wm size",
    "wm density",
    "svc wifi",
    "getprop",
    "setprop a.b",
    "logcat -d -t 2",
    "log -t",
    "uiautomator dump",
    "screencap -p",
    "monkey -p com.waymark.todo 3",
    "service call",
    "ime",
    "locksettings",
    "locksettings set-pattern",
    "ps -o",
    "ip addr",
    "sm",
    "bmgr",
    "dpm",
    "run-as com.waymark.todo",
    "getevent -p",
    "bugreportz -v",
    "ping -c 1 -W 0.1",
    "date",
)
"""Commands that reach the phone itself; none that end or restart it."""


class _Grammar:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def line(self, depth: int = 0) -> str:
        """A list of commands; now and then with a character too many."""
        text = self._chance.choice((" ; ", " && ", " || ", "\n", " | ")).join(
            self._command(depth) for _ in range(self._chance.randint(1, 3))
        )
        if self._chance.random() < 0.1 and "|&" not in text:
            at = self._chance.randrange(len(text) + 1)
            text = text[:at] + self._chance.choice("'\"`$(){}[];&|<>!\\") + text[at:]
        return text

    def _command(self, depth: int) -> str:
        if depth > 2 or self._chance.random() < 0.6:
            words = [self._word() for _ in range(self._chance.randint(0, 3))]
            commands = _OF_PHONES if self._chance.random() < _SHARE_OF_PHONES else _COMMANDS
            redirect = self._chance.choice(("", "", "", " >f", " <f", " 2>&1", " >>f", " <<<w", " 3>&1"))
            return " ".join([self._chance.choice(commands), *words]) + redirect
        inner, other = self.line(depth + 1), self.line(depth + 1)
        return self._chance.choice(
            (
                f"if {inner}; then {other}; fi",
                f"for x in a b; do {inner}; done",
                f"case $x in a*) {inner};; *) {other};; esac",
                f"( {inner} )",
                f"{{ {inner}; }}",
                f"f() {{ {inner}; }}; f {self._word()}",
                f"x=$({inner})",
                f"a=({self._word()} {self._word()}); echo ${{a[1]}}",
                f"(( x = {self._chance.choice(('1+2', 'x*3', '1/0', '(4', 'a[1]++', '7?8:9'))} ))",
                f"[[ {self._word()} == {self._word()} && -n {self._word()} ]]",
                f"! {inner}",
                f"{inner} & wait",
                f"{{ {inner}; }} & kill $!; wait",
                # A coprocess that waits for more input would be waited for, as in mksh.
                f"{{ ( {inner} ) </dev/null |&\nread -p y; }}",
                f"{{ cat |&\nprint -p {self._word()}; exec 3>&p; exec 3>&-; read -p y; }}",
                f"trap {self._word()} TERM; {inner}; kill $$",
                f"set -e; {inner}",
                f"trap {self._word()} EXIT; {inner}",
                f"cat <<E\n{inner}\nE\n",
            )
        )

    def _word(self) -> str:
        if self._chance.random() < 0.5:
            return self._chance.choice(_TEXTS)
        name = self._chance.choice(_NAMES)
        return self._chance.choice(
            (
                f"${name}",
                f"${{{name}}}",
                f"${{{name}:-d}}",
                f"${{{name}#a*}}",
                f"${{{name}//a/b}}",
                f"${{#{name}}}",
                f"${{{name}:1:2}}",
                f"$(echo {name})",
                f"$(({self._chance.choice(('1+1', 'x', '8%3'))}))",
            )
        )


class _Records(logging.Handler):
    """Counts the bugs that the shell reports to the log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.bugs: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error with its traceback."""
        self.bugs.append(logging.Formatter().format(record))


def run_line(machine: Machine, line: str) -> str:
    """Run one line; return what went wrong, empty when nothing did."""
    scope, out = CancelScope(), Collector()
    shell = Shell(machine, scope, machine.environment())
    shell.directory = "/data/local/tmp"
    timer = threading.Timer(_LIMIT_S, scope.set)
    timer.daemon = True
    timer.start()
    started = time.monotonic()
    try:
        status = shell.run_text(line, Streams(BytesReader(b"one\ntwo\n"), out, out))
    except Interrupted:
        status = 128 + scope.signal
    except BrokenPipeError:  # more output than is collected, as when the reader of a line leaves
        status = 141
    except Exception as error:
        return repr(error)
    finally:
        timer.cancel()
    if time.monotonic() - started >= _LIMIT_S:
        return "it hung"
    if not isinstance(status, int) or b"Traceback" in out.data:
        return f"status {status!r}"
    return ""


def run_lines(count: int, seed: int) -> list[str]:
    """Run random lines; return those that went wrong, with what did."""
    grammar, records = _Grammar(random.Random(seed)), _Records()
    log = logging.getLogger("collector.virtual")
    log.addHandler(records)
    wrong: list[str] = []
    try:
        with virtual_device("todo") as device:
            for _ in range(count):
                line = grammar.line()
                failure = run_line(device.machine, line)
                if failure or records.bugs:
                    wrong.append(f"{line!r}: {failure}" + "\n".join(records.bugs))
                    records.bugs.clear()
    finally:
        log.removeHandler(records)
    return wrong


def main() -> int:
    """Run the lines and print what went wrong; 1 when anything did."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = run_lines(given.lines, given.seed)
    print("\n".join(wrong) or f"{given.lines} lines: nothing went wrong")  # noqa: T201 - a command line
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
