"""Install in clean systems, and let each installation show the main job: ``make clean-systems``.

A system is a minimal one that debootstrap makes once, in a folder for temporary files, with no Python in it.
Each way of installing gets a fresh copy of it (an overlay in a namespace of its own, which goes with it), and
ends with the pictures of the tour. What cannot be tried here is said, with the reason.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bootstrap
import bundle_tour
import clean_install
import system_packages

ROOT = bootstrap.ROOT
PLACE = Path(os.environ.get("WAYMARK_CLEAN_SYSTEMS", "/var/tmp/waymark-clean-systems"))  # noqa: S108 - of root
"""Outside of the checkout, which is packed with all that lies in it."""
PICTURES = ROOT / "build" / "clean-systems"
SCRIPTS = ROOT / "packaging" / "installing"
DEBOOTSTRAP_SCRIPTS = Path("/usr/share/debootstrap/scripts")
LONGEST_S = 3600
# What a network that only some machines have needs: a proxy, and certificates of its own.
OF_THE_NETWORK = re.compile(
    r"(?i)^(\w+_proxy|SSL_CERT_FILE|PIP_INDEX_URL|PIP_CERT|PIP_DEFAULT_TIMEOUT|UV_DEFAULT_INDEX)$"
)


@dataclass(frozen=True)
class System:
    """A distribution, by the words of debootstrap."""

    name: str
    suite: str
    origin: str
    """As apt names it in its list of sources."""
    archive: str
    """Where it is, unless apt's sources name another place."""
    like: str
    """A suite that is made in the same way, and that every debootstrap knows."""

    @property
    def root(self) -> Path:
        return PLACE / self.suite


SYSTEMS = (
    System("Debian 12", "bookworm", "Debian", "http://deb.debian.org/debian/", "sid"),
    System("Debian 13", "trixie", "Debian", "http://deb.debian.org/debian/", "sid"),
    System("Ubuntu 24.04", "noble", "Ubuntu", "http://archive.ubuntu.com/ubuntu/", "gutsy"),
)
WAYS = {
    "checkout": "make demo in a checkout",
    "pip": "the wheel with pip, in an environment of its own",
    "uv": "the wheel with uv tool install",
    "deb": "the .deb with apt",
    "appimage": "the AppImage",
}
"""Each is a script of packaging/installing, which runs as root in the system."""


class CleanSystemError(Exception):
    """A system cannot be made; the message says why."""


def mirror_of(system: System, given: dict[str, str]) -> str:
    """The archive of a distribution: as the command line or apt's sources name it, or its own."""
    if found := given.get(system.origin.lower()):
        return found
    words = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", f"Origin: {system.origin}"]
    asked = subprocess.run(words, capture_output=True, text=True) if shutil.which("apt-get") else None
    for line in (asked.stdout if asked else "").splitlines():
        name, _, address = line.partition(" ")
        if name == system.origin and "security" not in address:
            return address
    return system.archive


def make_root(system: System, given: dict[str, str]) -> None:
    """Make the minimal system, unless it is there. Raises CleanSystemError."""
    if (system.root / "waymark-ready").exists():
        return
    mirror = mirror_of(system, given)
    if not shutil.which("debootstrap") and not system_packages.install(["debootstrap"]):
        raise CleanSystemError("debootstrap is missing, and cannot be installed here")
    shutil.rmtree(system.root, ignore_errors=True)
    words = ["debootstrap", "--variant=minbase", system.suite, str(system.root), mirror]
    if not (DEBOOTSTRAP_SCRIPTS / system.suite).exists():
        words.append(system.like)  # this debootstrap is older than the distribution
    if system.origin == "Ubuntu":
        words[1:1] = ["--components=main,universe"]
    log = PLACE / f"{system.suite}.log"
    with log.open("wb") as file:
        done = subprocess.run(words, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode:
        raise CleanSystemError(f"debootstrap of {mirror} gave {done.returncode}; see {log}")
    if "Cannot check Release signature" in log.read_text("utf-8", errors="replace"):
        print(f"{system.name}: made of packages whose signature was not checked: its keyring is missing here")
    packages = subprocess.run(
        ["chroot", str(system.root), "dpkg-query", "-W", "-f", "${Package}\n"], capture_output=True, text=True
    ).stdout
    if "python3" in packages.split():
        raise CleanSystemError(f"{system.name} is not clean: it has Python")
    (system.root / "waymark-ready").touch()


def prepare_input(folder: Path, ways: Sequence[str]) -> dict[str, str]:
    """Fill the folder that all systems see with what is installed; return why some ways cannot be tried."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for script in SCRIPTS.glob("*.sh"):
        shutil.copy2(script, folder)
    skipped = {}
    if {"pip", "uv"} & set(ways):
        shutil.copy2(clean_install.build(ROOT / "dist"), folder)
    if "uv" in ways:
        shutil.copy2(clean_install.private_uv(), folder / "uv")
    if "checkout" in ways:
        with (folder / "checkout.tar").open("wb") as file:
            subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=file, check=True)
    for way, pattern in (("deb", "*.deb"), ("appimage", "*.AppImage")):
        found = sorted((ROOT / "dist").glob(pattern), key=lambda path: path.stat().st_mtime)
        if way in ways and not found:
            skipped[way] = "it was not built; run `make freeze` first"
        elif way in ways:
            shutil.copy2(found[-1], folder)
    return skipped


def try_way(system: System, way: str) -> str:
    """Install in one way in a fresh copy of a system, and say what the tour shows. Raises BundleTourError."""
    work = PLACE / "work"
    output = PICTURES / system.suite / way
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    work.mkdir(exist_ok=True)
    variables = {name: value for name, value in os.environ.items() if OF_THE_NETWORK.match(name)}
    variables["PATH"] = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    words = [
        "unshare", "--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts",
        "sh", str(SCRIPTS / "enter.sh"), str(system.root), str(work), str(PLACE / "input"), str(output), way,
    ]  # fmt: skip
    log = output / "log.txt"
    with log.open("wb") as file:
        done = subprocess.run(words, env=variables, stdout=file, stderr=subprocess.STDOUT, timeout=LONGEST_S)
    if done.returncode:
        last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
        raise bundle_tour.BundleTourError(f"it gave {done.returncode}; {log} ends with: " + " | ".join(last))
    said = [line for line in log.read_text("utf-8", errors="replace").splitlines() if line.startswith("==")]
    return "; ".join([bundle_tour.check(output), *(line.strip("= ") for line in said)])


def parse_arguments(words: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="clean_systems.py", description=__doc__)
    parser.add_argument("--way", choices=WAYS, action="append", help="only this way; repeatable")
    parser.add_argument("--system", action="append", help="only this system, as bookworm; repeatable")
    parser.add_argument(
        "--mirror", action="append", default=[], metavar="NAME=ADDRESS", help="archive of debian or ubuntu"
    )
    return parser.parse_args(words)


def why_not_here() -> str:
    """Why no system can be made on this computer; empty when they can."""
    if sys.platform != "linux":
        return "systems are made with debootstrap, which needs Linux"
    if os.geteuid() != 0:
        return "systems are made and entered by root alone; run it with sudo"
    if not shutil.which("debootstrap") and not shutil.which("apt-get"):
        return "debootstrap is missing, and there is no apt-get to install it"
    return ""


def main(words: list[str]) -> int:
    """Try each way in each system; 1 when one fails."""
    chosen = parse_arguments(words)
    if reason := why_not_here():
        print(f"skipped: {reason}")
        return 0
    given = dict(text.split("=", 1) for text in chosen.mirror)
    ways = chosen.way or list(WAYS)
    PLACE.mkdir(parents=True, exist_ok=True)
    skipped = prepare_input(PLACE / "input", ways)
    failed = 0
    for system in SYSTEMS:
        if chosen.system and system.suite not in chosen.system:
            continue
        try:
            make_root(system, given)
        except CleanSystemError as error:
            print(f"{system.name}: skipped: {error}", flush=True)
            continue
        for way in ways:
            began = time.monotonic()
            try:
                said = f"skipped: {skipped[way]}" if way in skipped else try_way(system, way)
            except (bundle_tour.BundleTourError, subprocess.TimeoutExpired) as error:
                said, failed = f"FAILED: {error}", failed + 1
            print(f"{system.name}: {WAYS[way]}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
