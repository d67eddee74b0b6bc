"""Hundreds of scripts give in the phone's shell what they give in the real mksh, word for word."""

import re
from pathlib import Path

import pytest

from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope
from tests.helpers import real_mksh
from tests.helpers.shell import bare_machine

_SCRIPTS = Path(__file__).with_name("mksh_scripts.txt").read_text("utf-8").rstrip("\n").split("\n----\n")
_BOX = "/data/local/tmp/box"


def _as_on_phones(errors: str) -> str:
    """Debian's mksh is newer than Android's: it marks errors, and names a failed redirect otherwise."""
    plain = re.sub(r"^[EW]: ", "", errors, flags=re.MULTILINE)
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
    status = shell.run_text(script, Streams(BytesReader(b""), out, err))
    machine.processes.end(entry)
    machine.files.remove(_BOX, recursive=True)
    return out.data.decode("utf-8", "surrogateescape"), err.data.decode("utf-8", "surrogateescape"), status


@pytest.mark.skipif(not real_mksh.available(), reason="mksh and toybox are not on the PATH")
def test_scripts_give_what_mksh_gives(tmp_path):
    machine = bare_machine()
    real = real_mksh.run_all(_SCRIPTS, tmp_path)
    wrong = []
    for script, (out, err, status) in zip(_SCRIPTS, real, strict=True):
        expected, got = (out, _as_on_phones(err), status), _run(machine, script)
        if got != expected:
            wrong.append(f"{script}\n  mksh:  {expected}\n  phone: {got}")
    assert not wrong, "\n".join(wrong)


def test_there_are_hundreds_of_scripts():
    assert len(set(_SCRIPTS)) == len(_SCRIPTS) > 200
