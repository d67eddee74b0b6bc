"""Create the environment in ``.venv`` on a machine with Python 3.11; uses only the standard library.

    python3 packaging/bootstrap.py             create or repair the environment
    python3 packaging/bootstrap.py run -- CMD  the same, then run CMD inside it
    python3 packaging/bootstrap.py --check     report whether it is up to date; change nothing

uv is placed in a private folder of the checkout (uv.lock holds its address and hash), the locked
packages in ``.venv``. System packages that Qt needs are installed when this user may install them;
otherwise the command to type is printed. When nothing changed, a run only compares one hash.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python prints a sentence, not a traceback
    sys.exit("Waymark Studio needs Python 3.11 or newer; this is {}.{}".format(*sys.version_info[:2]))

import argparse
import hashlib
import io
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

import fetch_uv
import locked_files
import package_index
import scrcpy_server
import system_packages

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "waymark-bootstrap"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
# Extras that the environment does without, because of their size.
LEFT_OUT = ("rerun", "wandb")
EXTRAS = ("--all-extras", *(f"--no-extra={name}" for name in LEFT_OUT))
# A change in one of these files makes the environment stale.
SOURCES = (
    "pyproject.toml",
    "uv.lock",
    *(f"packaging/{name}.py" for name in ("bootstrap", "fetch_uv", "locked_files", "scrcpy_server")),
)


class BootstrapError(Exception):
    """The environment cannot be created; the message says what to do."""


def fingerprint(root: Path = ROOT) -> str:
    """Hash of everything the environment depends on: sources, this Python and this machine."""
    digest = hashlib.sha256()
    for part in (sys.version, sys.base_prefix, platform.machine(), str(root)):
        digest.update(part.encode() + b"\0")
    for name in SOURCES:
        digest.update((root / name).read_bytes() + b"\0")
    return digest.hexdigest()


def up_to_date() -> bool:
    """Whether the environment exists and was created from the current sources."""
    try:
        recorded = STAMP.read_text(encoding="ascii")
    except OSError:
        return False
    return recorded == fingerprint() and inside("python").exists() and inside("waymark").exists()


def inside(command: str) -> Path:
    """Path of a command installed in the environment."""
    return SCRIPTS / (f"{command}.exe" if os.name == "nt" else command)


def report(message: str) -> None:
    """Print progress on standard error; standard output belongs to the command that is run."""
    print(f"bootstrap: {message}", file=sys.stderr, flush=True)


def ensure() -> bool:
    """Create or repair the environment; return False when it was up to date."""
    if up_to_date():
        return False
    system_packages.ensure(report)
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", report)
    report("installing the locked packages into .venv")
    install(uv)
    add_scrcpy_server()
    STAMP.write_text(fingerprint(), encoding="ascii")
    report("ready")
    return True


def install(uv: Path) -> None:
    """Install the locked packages from their recorded addresses, or from the configured index by hash."""
    environment = uv_environment()
    index = package_index.configured()
    sources = [from_lock, from_index] if index.is_default else [from_index, from_lock]
    for source in sources:
        if source(uv, environment, index):
            return
    raise BootstrapError(
        "the packages could not be installed; the lines above say why. Check the network, or set "
        "PIP_INDEX_URL to an index this machine can reach, then run this again"
    )


def add_scrcpy_server() -> None:
    """Put scrcpy's server into the checkout, where git ignores it; without it phones are mirrored slower."""
    try:
        scrcpy_server.put(ROOT / "assets" / "scrcpy")
    except locked_files.FetchError as error:
        report(str(error))


def from_lock(uv: Path, environment: dict[str, str], index: package_index.Index) -> bool:
    """Sync from the addresses in uv.lock."""
    del index
    return run([uv, "sync", "--locked", *EXTRAS, "--python", sys.executable], environment)


def from_index(uv: Path, environment: dict[str, str], index: package_index.Index) -> bool:
    """Install the locked versions from another index, verified by the locked hashes."""
    if not index.urls and not index.find_links:
        return False
    requirements = ROOT / ".cache" / "bootstrap" / "requirements.txt"
    export: list[str | Path] = [
        uv,
        "export",
        "--frozen",
        *EXTRAS,
        "--no-emit-project",
        "--quiet",
        "-o",
        requirements,
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
        and run([*pip, "--require-hashes", "-r", requirements], environment)
        and run([*pip, "--no-deps", "-e", ROOT], environment)
    )


def uv_environment() -> dict[str, str]:
    """The caller's environment variables without those of another Python environment."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "UV_PYTHON", "UV_FROZEN", "UV_LOCKED")
    }
    environment["UV_PROJECT_ENVIRONMENT"] = str(ENVIRONMENT)
    environment["UV_PYTHON_DOWNLOADS"] = "never"
    # Use the system's certificates, so that the authority of a company is trusted.
    environment.setdefault("UV_SYSTEM_CERTS", "1")
    return environment


def run(command: Sequence[str | Path], environment: dict[str, str]) -> bool:
    """Run a command with its output on standard error; return whether it succeeded."""
    arguments = [str(argument) for argument in command]
    return (
        subprocess.run(arguments, cwd=ROOT, env=environment, stdout=sys.stderr, check=False).returncode == 0
    )


def run_inside(command: list[str]) -> int:
    """Run a command with the environment first on the PATH; return its exit status."""
    environment = uv_environment() | {
        "VIRTUAL_ENV": str(ENVIRONMENT),
        "PATH": os.pathsep.join((str(SCRIPTS), os.environ.get("PATH", os.defpath))),
    }
    installed = inside(command[0])
    program = str(installed) if installed.exists() else command[0]
    try:
        if sys.platform != "win32":
            os.execvpe(program, command, environment)  # noqa: S606 - the command replaces this process and gets its signals
        return wait_for(subprocess.Popen([program, *command[1:]], env=environment))
    except FileNotFoundError as error:
        raise BootstrapError(f"there is no command {command[0]!r}") from error


def wait_for(process: subprocess.Popen[bytes]) -> int:
    """The exit status of a command. It gets Ctrl+C itself, and ends in its own time: it is not killed."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def parse_arguments(words: list[str]) -> argparse.Namespace:
    """Parse the command line described in the module docstring."""
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description="Create the environment of Waymark Studio."
    )
    parser.add_argument(
        "--check", action="store_true", help="report whether it is up to date; change nothing"
    )
    verbs = parser.add_subparsers(dest="verb")
    inner = verbs.add_parser("run", help="create the environment if needed, then run a command inside it")
    inner.add_argument("command", nargs=argparse.REMAINDER, help="the command, after --")
    chosen = parser.parse_args(words)
    if chosen.verb == "run":
        chosen.command = chosen.command[1:] if chosen.command[:1] == ["--"] else chosen.command
        if not chosen.command:
            parser.error("run needs a command, as in: run -- waymark --help")
    return chosen


def main(words: list[str]) -> int:
    """Return the exit status: 0 when the environment is ready, otherwise 1."""
    chosen = parse_arguments(words)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a pipe on Windows lacks most letters of a folder's name
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        if chosen.check:
            fresh = up_to_date()
            print("the environment is up to date" if fresh else "the environment is stale")
            return 0 if fresh else 1
        created = ensure()
        if chosen.verb == "run":
            return run_inside(chosen.command)
        if not created:
            # Without a command to run, report missing system packages again.
            system_packages.ensure(report)
        print(f"environment: {ENVIRONMENT}")
    except (BootstrapError, locked_files.FetchError) as error:
        report(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
