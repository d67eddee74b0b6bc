"""Build the Debian package of the frozen application, ``dist/waymark-studio_VERSION_ARCHITECTURE.deb``.

It has no scripts of its own: the triggers of Debian's packages notice the desktop entry, the icons and the
type of files, when it comes and when it goes.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

import linux_files
from linux_files import PROGRAM, ROOT

MAINTAINER = "The Waymark Studio authors <waymark-studio@localhost>"
# What PyInstaller leaves to the system (packaging/waymark.spec), and fonts, without which a window is empty.
DEPENDS = (
    "libegl1", "libgl1", "libx11-6", "libx11-xcb1", "libxcb1", "libfontconfig1", "libfreetype6", "libexpat1",
    "libstdc++6", "libgcc-s1", "fonts-inter | fonts-noto-core | fonts-dejavu-core",
)  # fmt: skip
RECOMMENDS = (
    "fonts-inter", "fonts-jetbrains-mono", "fonts-noto-cjk", "fonts-noto-color-emoji",
    "shared-mime-info", "desktop-file-utils",
)  # fmt: skip
SUGGESTS = ("adb", "scrcpy", "xvfb", "xdotool")
DESCRIPTION = """\
record, inspect and review trajectories on Android phones
 A studio for people who build benchmarks for agents that use phones. It
 records what a person or an agent does on an Android phone, real or virtual,
 as steps with screenshots and trees, fires anomalies, judges by rules and
 essential states, runs experiments, and shows all of it beside each other."""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Waymark Studio
Comment: licences.txt beside this file has the licences of the libraries it brings.

Files: *
Copyright: 2026 The Waymark Studio authors
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

Files: usr/lib/waymark-studio/_internal/*
Copyright: the authors of each library, see licences.txt
License: GPL-3.0
 The library x264 is in it, so the package as a whole is passed on under this licence, and its libraries each
 under their own. On Debian systems the text is in /usr/share/common-licenses/GPL-3.
"""
# What a frozen application is by its nature: it brings its libraries, each with its own way of being built.
LINTIAN_OVERRIDES = (
    "embedded-library", "custom-library-search-path", "hardening-no-relro", "hardening-no-pie",
    "sharedobject-in-library-directory-missing-soname", "unstripped-binary-or-object",
    "shared-library-lacks-prerequisites", "library-not-linked-against-libc", "statically-linked-binary",
    "binary-has-unneeded-section", "undeclared-elf-prerequisites",
    "package-contains-documentation-outside-usr-share-doc", "spelling-error-in-binary",
    "missing-depends-on-sensible-utils", "initial-upload-closes-no-bugs", "executable-in-usr-lib",
    "extra-license-file", "repeated-path-segment", "font-outside-font-dir", "shared-library-is-executable",
    "executable-stack-in-shared-library", "arch-dependent-file-in-usr-share", "national-encoding",
    # The project has no address for mail.
    "bogus-mail-host", "bogus-mail-host-in-debian-changelog",
)  # fmt: skip


def build() -> Path:
    """Build the package and return its path. Raises CalledProcessError."""
    architecture = _output("dpkg", "--print-architecture")
    package = ROOT / "dist" / f"{PROGRAM}_{linux_files.version()}_{architecture}.deb"
    with tempfile.TemporaryDirectory(prefix="waymark-", dir=ROOT / "build") as place:
        root = Path(place, "root")
        linux_files.lay_out(root)
        _write_documents(root / "usr" / "share")
        control = root / "DEBIAN"
        control.mkdir()
        (control / "control").write_text(_control(root, architecture), encoding="utf-8")
        (control / "md5sums").write_text(_sums(root), encoding="utf-8")
        for path in (root, control):
            path.chmod(0o755)
        # The dates in it are those of SOURCE_DATE_EPOCH, so that a rebuild is the same.
        subprocess.run(
            ["env", f"SOURCE_DATE_EPOCH={linux_files.moment()}", "dpkg-deb", "--root-owner-group", "-Zxz",
             "--build", str(root), str(package)],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return package


def oldest_libc(folder: Path) -> str:
    """The version of libc that the programs and libraries of a folder need, such as 2.34."""
    needed = {(2, 17)}
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
            names = re.findall(rb"GLIBC_2\.(\d+)(?:\.\d+)?\0", b"\x7fELF" + file.read())
        needed |= {(2, int(minor)) for minor in names}
    return ".".join(map(str, max(needed)))


def _control(root: Path, architecture: str) -> str:
    kilobytes = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
    depends = (f"libc6 (>= {oldest_libc(root / 'usr' / 'lib' / PROGRAM)})", *DEPENDS)
    fields = {
        "Package": PROGRAM,
        "Version": linux_files.version(),
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Section": "devel",
        "Priority": "optional",
        "Installed-Size": str(kilobytes),
        "Depends": ", ".join(depends),
        "Recommends": ", ".join(RECOMMENDS),
        "Suggests": ", ".join(SUGGESTS),
        "Description": DESCRIPTION,
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def _write_documents(share: Path) -> None:
    folder = share / "doc" / PROGRAM
    (folder / "copyright").write_text(COPYRIGHT, encoding="utf-8")
    date = formatdate(linux_files.moment())
    news = f"{PROGRAM} ({linux_files.version()}) unstable; urgency=medium\n\n"
    news += f"  * See CHANGELOG.md of the sources.\n\n -- {MAINTAINER}  {date}\n"
    (folder / "changelog.gz").write_bytes(gzip.compress(news.encode(), mtime=0))
    overrides = share / "lintian" / "overrides" / PROGRAM
    overrides.parent.mkdir(parents=True)
    overrides.write_text("".join(f"{PROGRAM}: {tag}\n" for tag in LINTIAN_OVERRIDES), encoding="utf-8")


def _sums(root: Path) -> str:
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n"
        for path in files
    )


def _output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
