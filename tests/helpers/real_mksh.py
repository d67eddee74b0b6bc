"""Run many small scripts through the real mksh, with toybox as its programs."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

_DRIVER = """
n=0 base=$PWD
while [ -e $n.sh ]; do
  cd box$n
  "$MKSH" -c "$(<../$n.sh)" "$NAME" </dev/null >../$n.out 2>../$n.err
  print $? >../$n.status
  cd "$base"
  n=$((n+1))
done
"""
_SECONDS = 60


def available() -> bool:
    """Whether mksh and toybox are on the PATH."""
    return bool(shutil.which("mksh") and shutil.which("toybox"))


def has_one_true_awk() -> bool:
    """Whether the awk of phones is on the PATH."""
    return bool(shutil.which("original-awk"))


def _heed_signals() -> None:
    """A shell cannot trap what was ignored when it started, as by nohup or behind a script's ``&``."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def run_all(scripts: list[str], folder: Path) -> list[tuple[str, str, int]]:
    """Output, error output and status of each script, in order; one process starts them all."""
    mksh, toybox = shutil.which("mksh") or "", shutil.which("toybox") or ""
    programs = folder / "bin"
    programs.mkdir()
    for name in subprocess.run([toybox], capture_output=True, text=True, check=True).stdout.split():
        (programs / name).symlink_to(toybox)
    # Debian's toybox lacks some that phones have.
    for name in ("expr", "tr", "env"):
        if not (programs / name).exists() and (other := shutil.which(name)):
            (programs / name).symlink_to(other)
    (programs / "sh").symlink_to(mksh)
    if one_true_awk := shutil.which("original-awk"):
        (programs / "awk").symlink_to(one_true_awk)
    for number, script in enumerate(scripts):
        (folder / f"{number}.sh").write_text(script, encoding="utf-8")
        (folder / f"box{number}").mkdir()
    environment = {
        "PATH": str(programs),
        "MKSH": mksh,
        "NAME": "/system/bin/sh",
        "HOME": "/",
        "LC_ALL": "C.UTF-8",
        "USER": "shell",
    }
    subprocess.run(
        [mksh, "-c", _DRIVER],
        cwd=folder,
        env=environment,
        check=True,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        preexec_fn=_heed_signals,
    )
    return [
        (
            (folder / f"{number}.out").read_text(encoding="utf-8", errors="surrogateescape"),
            (folder / f"{number}.err").read_text(encoding="utf-8", errors="surrogateescape"),
            int((folder / f"{number}.status").read_text()),
        )
        for number in range(len(scripts))
    ]
