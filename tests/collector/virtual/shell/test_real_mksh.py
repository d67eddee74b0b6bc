"""Hundreds of scripts give in the phone's shell what they give in the real mksh, word for word."""

import re
from pathlib import Path

import pytest

from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope, Interrupted
from tests.fuzz import shell_lines
from tests.helpers import real_mksh
from tests.helpers.shell import bare_machine, run


def _scripts(name):
    return Path(__file__).with_name(name).read_text("utf-8").rstrip("\n").split("\n----\n")


_SCRIPTS, _AWK = _scripts("mksh_scripts.txt"), _scripts("awk_scripts.txt")
_BOX = "/data/local/tmp/box"


def _as_on_phones(errors: str) -> str:
    """Debian's mksh is newer than Android's: it marks errors, and names a failed redirect otherwise.

    On a busy computer its ``time`` counts a few hundredths of a second.
    """
    plain = re.sub(r"^[EW]: ", "", errors, flags=re.MULTILINE)
    plain = re.sub(r"\b0m00\.\d\ds", "0m00.00s", plain)
    for operation in ("create", "open"):
        plain = re.sub(
            rf"^(/system/bin/sh: )(.*): {operation}: ",
            rf"\1can't {operation} \2: ",
            plain,
            flags=re.MULTILINE,
        )
    return plain


def _run(machine, script):
    machine.files.make_directory(_BOX)
    shell = Shell(machine, CancelScope(), machine.environment())
    shell.directory = _BOX
    entry = machine.processes.start("sh", shell.interruption)
    shell.pid = entry.pid
    out, err = Collector(), Collector()
    try:
        status = shell.run_text(script, Streams(BytesReader(b""), out, err))
    except Interrupted:
        status = 128 + shell.interruption.signal
    machine.processes.end(entry)
    machine.files.remove(_BOX, recursive=True)
    return out.data.decode("utf-8", "surrogateescape"), err.data.decode("utf-8", "surrogateescape"), status


@pytest.mark.skipif(not real_mksh.available(), reason="mksh and toybox are not on the PATH")
def test_scripts_give_what_mksh_gives(tmp_path):
    scripts = _SCRIPTS + (_AWK if real_mksh.has_one_true_awk() else [])
    machine = bare_machine()
    real = real_mksh.run_all(scripts, tmp_path)
    wrong = []
    for script, (out, err, status) in zip(scripts, real, strict=True):
        expected, got = (out, _as_on_phones(err), status), _run(machine, script)
        if got != expected:
            wrong.append(f"{script}\n  mksh:  {expected}\n  phone: {got}")
    assert not wrong, "\n".join(wrong)


def test_there_are_hundreds_of_scripts():
    assert len(set(_SCRIPTS)) == len(_SCRIPTS) > 200


def test_random_lines_neither_crash_nor_hang():
    assert shell_lines.run_lines(400, seed=7) == []


def test_archives_hold_what_was_put_in():
    machine = bare_machine()
    made = run(
        machine, "cd /data/local/tmp; mkdir -p d/e; echo x >d/e/f; ln -s f d/e/l; tar -czf a.tgz d; rm -r d"
    )
    assert made == ("", "", 0)
    assert run(machine, "cd /data/local/tmp; tar tf a.tgz")[0] == "d/\nd/e/\nd/e/f\nd/e/l\n"
    assert run(machine, "cd /data/local/tmp; tar xf a.tgz; cat d/e/l; tar c d | tar t | wc -l")[0] == "x\n4\n"
    assert run(machine, "cd /data/local/tmp; tar xf d/e/f")[1:] == ("tar: Not tar\n", 1)
