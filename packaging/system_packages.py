"""What Qt and the pictures need from the system: libraries, fonts, and a screen where there is none.

On Debian and Ubuntu the missing packages are installed when this user may do so without being
asked for a password; everywhere else they are named, with the command to type.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

# A shared library Qt's xcb platform loads, and the package of Debian 12 and Ubuntu 24.04 it is in.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    # Ubuntu 24.04 calls it libglib2.0-0t64; apt finds that one by the old name too.
    "libglib-2.0.so.0": "libglib2.0-0",
}
# A folder below the fonts' home, and its package: the faces of the design, with Chinese and emoji.
FONTS = {
    "fonts-inter": ("Inter*",),
    "fonts-jetbrains-mono": ("JetBrainsMono*",),
    "fonts-noto-core": ("NotoSans-Regular*", "NotoSansArabic-Regular*"),
    "fonts-noto-cjk": ("NotoSansCJK*",),
    "fonts-noto-color-emoji": ("NotoColorEmoji*",),
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
# A virtual screen, for the scripted tour and the end-to-end tests.
SCREEN = {"Xvfb": "xvfb", "xdotool": "xdotool"}
# The authorities whose certificates are trusted; a minimal system has none, and can fetch nothing.
CERTIFICATES = "ca-certificates"
# A fresh machine often updates itself just then.
WAIT_FOR_OTHERS = ("-o", "DPkg::Lock::Timeout=120")


def loadable_libraries(listing: str) -> set[str]:
    """Names in the output of ``ldconfig -p``."""
    return {line.split()[0] for line in listing.splitlines() if "=>" in line}


def missing() -> list[str]:
    """Debian package names of what this Linux machine lacks; empty on other systems, which bring it along."""
    if not sys.platform.startswith("linux"):
        return []
    ldconfig = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True).stdout if ldconfig else ""
    libraries = loadable_libraries(listing)
    fonts = _font_files()
    lacking = [] if _has_certificates() else [CERTIFICATES]
    lacking += [package for library, package in LIBRARIES.items() if libraries and library not in libraries]
    lacking += [
        package
        for package, patterns in FONTS.items()
        if not all(fnmatch.filter(fonts, pattern) for pattern in patterns)
    ]
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        lacking += [package for program, package in SCREEN.items() if not shutil.which(program)]
    return lacking


def _has_certificates() -> bool:
    """Whether this Python finds any authority to trust; apt itself asks for none."""
    places = ssl.get_default_verify_paths()
    return bool(places.cafile or (places.capath and any(Path(places.capath).iterdir())))


def _font_files() -> set[str]:
    return {
        name
        for folder in FONT_FOLDERS
        for _, _, files in os.walk(Path(folder).expanduser())
        for name in files
    }


def apt_prefix() -> list[str] | None:
    """What goes before apt-get so that it needs no password; None when that cannot be."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    allowed = sudo and subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n"] if allowed else None


def advice(packages: list[str], *, debian: bool, tried: bool = False) -> str:
    """A sentence with everything that is missing and what brings it; ``tried`` when apt-get just failed."""
    names = " ".join(packages)
    if tried:
        return f"apt-get could not install {names}; the lines above say why. Mend that, then run this again"
    if debian:
        return f"the window needs packages this user may not install; type: sudo apt-get install -y {names}"
    return f"the window needs what Debian calls {names}; install their counterparts of this system"


def ensure(tell: Callable[[str], None]) -> bool:
    """Install what is missing, or say how to. The library and the command line work without it."""
    packages = missing()
    if not packages:
        return True
    prefix = apt_prefix()
    if prefix is None:
        tell(advice(packages, debian=shutil.which("apt-get") is not None))
        return False
    tell(f"installing system packages: {' '.join(packages)}")
    if _apt(prefix, "update") and _apt(prefix, "install", "-y", "--no-install-recommends", *packages):
        return True
    known = [package for package in packages if _known(package)]
    if known and known != packages and _apt(prefix, "install", "-y", "--no-install-recommends", *known):
        packages = [package for package in packages if package not in known]
    tell(advice(packages, debian=True, tried=True))
    return False


def _apt(prefix: list[str], *words: str) -> bool:
    # env, because sudo drops the variable that keeps apt from asking.
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", *WAIT_FOR_OTHERS, *words]
    return subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode == 0


def _known(package: str) -> bool:
    found = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True).stdout
    return bool(re.search(r"Candidate: (?!\(none\))", found))
