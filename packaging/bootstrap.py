"""From a machine with Python 3.11 to a working environment in ``.venv``, by the standard library alone.

    python3 packaging/bootstrap.py             make or mend the environment
    python3 packaging/bootstrap.py run -- CMD  the same, quietly, then run CMD inside it
    python3 packaging/bootstrap.py --check     say whether it is up to date; change nothing

uv goes to a private place in the checkout (its address and hash stand in uv.lock), the locked
packages go to ``.venv``, and what Qt needs from the system is installed when this user may do
that, and named with the command to type otherwise. A second run, with nothing changed, is a
comparison of one hash.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python shall read a sentence, no traceback
    sys.exit("Waymark Studio needs Python 3.11 or newer; this is {}.{}".format(*sys.version_info[:2]))

import argparse
import hashlib
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

import fetch_uv
import package_index
import system_packages

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "waymark-bootstrap"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
# What the environment is made from: a change in one of them makes it again.
SOURCES = ("pyproject.toml", "uv.lock", *(f"packaging/{name}.py" for name in ("bootstrap", "fetch_uv")))


class BootstrapError(Exception):
    """The environment cannot be made; the message says what to do."""


def fingerprint(root: Path = ROOT) -> str:
    """Hash of everything the environment depends on: sources, this Python and this machine."""
    digest = hashlib.sha256()
    for part in (sys.version, sys.base_prefix, platform.machine(), str(root)):
        digest.update(part.encode() + b"\0")
    for name in SOURCES:
        digest.update((root / name).read_bytes() + b"\0")
    return digest.hexdigest()


def up_to_date() -> bool:
    """Whether the environment was made from these very sources and still stands."""
    try:
        made_from = STAMP.read_text(encoding="ascii")
    except OSError:
        return False
    return made_from == fingerprint() and inside("python").exists() and inside("waymark").exists()


def inside(command: str) -> Path:
    """Path of a command of the environment."""
    return SCRIPTS / (f"{command}.exe" if os.name == "nt" else command)


def tell(message: str) -> None:
    """Progress for the person waiting; never on standard output, which belongs to the command run."""
    print(f"bootstrap: {message}", file=sys.stderr, flush=True)


def ensure() -> bool:
    """Make or mend the environment; False when there was nothing to do."""
    if up_to_date():
        return False
    system_packages.ensure(tell)
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", tell)
    tell("installing the locked packages into .venv")
    install(uv)
    STAMP.write_text(fingerprint(), encoding="ascii")
    tell("ready")
    return True


def install(uv: Path) -> None:
    """The locked packages, by their recorded addresses or, hash for hash, from the configured index."""
    environment = uv_environment()
    index = package_index.configured()
    ways = [locked, from_index] if index.is_default else [from_index, locked]
    for way in ways:
        if way(uv, environment, index):
            return
    raise BootstrapError(
        "the packages could not be installed; the lines above say why. Check the network, or set "
        "PIP_INDEX_URL to an index this machine can reach, then run this again"
    )


def locked(uv: Path, environment: dict[str, str], index: package_index.Index) -> bool:
    """Sync from the addresses in uv.lock."""
    del index
    return run([uv, "sync", "--locked", "--all-extras", "--python", sys.executable], environment)


def from_index(uv: Path, environment: dict[str, str], index: package_index.Index) -> bool:
    """Install the locked versions from another index, held to the locked hashes."""
    if not index.urls and not index.find_links:
        return False
    wanted = ROOT / ".cache" / "bootstrap" / "requirements.txt"
    export: list[str | Path] = [
        uv,
        "export",
        "--frozen",
        "--all-extras",
        "--no-emit-project",
        "--quiet",
        "-o",
        wanted,
    ]
    pip: list[str | Path] = [
        uv,
        "pip",
        "install",
        "--quiet",
        "--python",
        inside("python"),
        *index.uv_options(),
    ]
    return (
        run([uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, ENVIRONMENT], environment)
        and run(export, environment)
        and run([*pip, "--require-hashes", "-r", wanted], environment)
        and run([*pip, "--no-deps", "-e", ROOT], environment)
    )


def uv_environment() -> dict[str, str]:
    """The caller's environment without another project's Python in it."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "UV_PYTHON", "UV_FROZEN", "UV_LOCKED")
    }
    environment["UV_PROJECT_ENVIRONMENT"] = str(ENVIRONMENT)
    environment["UV_PYTHON_DOWNLOADS"] = "never"
    # The system's certificates, so that a company's own authority counts.
    environment.setdefault("UV_SYSTEM_CERTS", "1")
    return environment


def run(command: Sequence[str | Path], environment: dict[str, str]) -> bool:
    """Whether a command succeeded; what it says goes to standard error, out of a pipe's way."""
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, env=environment, stdout=sys.stderr, check=False).returncode == 0


def run_inside(command: list[str]) -> int:
    """Run a command with the environment first on the path; its exit status."""
    environment = uv_environment() | {
        "VIRTUAL_ENV": str(ENVIRONMENT),
        "PATH": os.pathsep.join((str(SCRIPTS), os.environ.get("PATH", os.defpath))),
    }
    own = inside(command[0])
    program = str(own) if own.exists() else command[0]
    try:
        if os.name != "nt":
            os.execvpe(program, command, environment)  # noqa: S606 - becomes the command, signals and all
        return subprocess.run([program, *command[1:]], env=environment, check=False).returncode
    except FileNotFoundError as error:
        raise BootstrapError(f"there is no command {command[0]!r}") from error


def arguments(words: list[str]) -> argparse.Namespace:
    """The command line, as in the module's docstring."""
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description="Make the environment of Waymark Studio."
    )
    parser.add_argument("--check", action="store_true", help="say whether it is up to date; change nothing")
    verbs = parser.add_subparsers(dest="verb")
    inner = verbs.add_parser("run", help="make the environment if needed, then run a command inside it")
    inner.add_argument("command", nargs=argparse.REMAINDER, help="the command, after --")
    chosen = parser.parse_args(words)
    if chosen.verb == "run":
        chosen.command = chosen.command[1:] if chosen.command[:1] == ["--"] else chosen.command
        if not chosen.command:
            parser.error("run needs a command, as in: run -- waymark --help")
    return chosen


def main(words: list[str]) -> int:
    """Exit status: 0 done or up to date, 1 not."""
    chosen = arguments(words)
    try:
        if chosen.check:
            fresh = up_to_date()
            print("the environment is up to date" if fresh else "the environment must be made again")
            return 0 if fresh else 1
        made = ensure()
        if chosen.verb == "run":
            return run_inside(chosen.command)
        if not made:
            # Asked for by name, it says again what the system lacks; a command to run is not kept waiting.
            system_packages.ensure(tell)
        print(f"environment: {ENVIRONMENT}")
    except (BootstrapError, fetch_uv.FetchError) as error:
        tell(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
