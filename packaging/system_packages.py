"""Check and install the system packages for Qt: libraries, fonts, and a virtual screen.

On Debian and Ubuntu missing packages are installed when that needs no password. Everywhere else
they are reported, with the command to type.
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

sys.path.append(str(Path(__file__).resolve().parents[1]))
from collector.host.window_libraries import LIBRARIES

# Packages of the fonts of the design, with patterns of their files.
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
# A browser, in which the tests try pages that people share; elsewhere those tests are skipped without one.
BROWSER = "chromium-headless-shell"
# The shell and the tools of phones as Debian has them: a test compares the virtual phone with them.
PHONE_TOOLS = {"mksh": "mksh", "toybox": "toybox", "original-awk": "original-awk"}
# Trusted certificate authorities; a minimal system has none and cannot use HTTPS.
CERTIFICATES = "ca-certificates"
# A new machine often runs its own update at first start.
WAIT_FOR_OTHERS = ("-o", "DPkg::Lock::Timeout=120")


def loadable_libraries(listing: str) -> set[str]:
    """Library names in the output of ``ldconfig -p``."""
    return {line.split()[0] for line in listing.splitlines() if "=>" in line}


def missing() -> list[str]:
    """Debian names of the missing packages; empty on other systems than Linux, which need none."""
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
    if os.environ.get("CI") and not any(map(shutil.which, (BROWSER, "chromium", "google-chrome"))):
        lacking.append(BROWSER)
    if os.environ.get("CI"):
        lacking += [package for program, package in PHONE_TOOLS.items() if not shutil.which(program)]
    return lacking


def _has_certificates() -> bool:
    """Whether this Python finds any certificate authority. apt needs none."""
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
    """The words before apt-get that avoid a password; None when it would ask for one."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    allowed = sudo and subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n"] if allowed else None


def advice(packages: list[str], *, debian: bool, tried: bool = False) -> str:
    """Name the missing packages and how to install them; ``tried`` after a failed apt-get."""
    names = " ".join(packages)
    if tried:
        return f"apt-get could not install {names}; the lines above say why. Fix that, then run this again"
    if debian:
        return f"the window needs packages this user may not install; type: sudo apt-get install -y {names}"
    return f"the window needs what Debian calls {names}; install their equivalents for this system"


def ensure(report: Callable[[str], None]) -> bool:
    """Install the missing packages, or report how to. The library and the command line work without them."""
    packages = missing()
    if not packages:
        return True
    prefix = apt_prefix()
    if prefix is None:
        report(advice(packages, debian=shutil.which("apt-get") is not None))
        return False
    report(f"installing system packages: {' '.join(packages)}")
    if _apt(prefix, "update") and _apt(prefix, "install", "-y", "--no-install-recommends", *packages):
        return True
    available = [package for package in packages if _is_available(package)]
    partial = available and available != packages
    if partial and _apt(prefix, "install", "-y", "--no-install-recommends", *available):
        packages = [package for package in packages if package not in available]
    report(advice(packages, debian=True, tried=True))
    return False


def install(packages: list[str]) -> bool:
    """Install these packages where that needs no password; whether they are installed now."""
    prefix = apt_prefix()
    return (
        prefix is not None
        and _apt(prefix, "update")
        and _apt(prefix, "install", "-y", "--no-install-recommends", *packages)
    )


def _apt(prefix: list[str], *words: str) -> bool:
    # env, because sudo drops the variable that stops apt from asking questions.
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", *WAIT_FOR_OTHERS, *words]
    return subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode == 0


def _is_available(package: str) -> bool:
    policy = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True).stdout
    return bool(re.search(r"Candidate: (?!\(none\))", policy))
