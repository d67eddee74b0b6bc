"""Put empty libraries in the place of those that come with a package and that the application never calls.

A library does not load without those that it names: OpenCV those that read video, with an OpenSSL that is no
longer mended and whose licence does not go together with that of x264; PyAV the encoder x265; Qt's network
Kerberos, and D-Bus the start of services: eight libraries that each start of the window would load. An empty
library of the same name and symbols satisfies them (docs/decisions/licence-of-bundles.md). Linux only.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

TOOLS = {"cc": "gcc", "nm": "binutils"}
"""Programs, with their packages in Debian and Ubuntu."""
OF_OPENCV = (
    "libavcodec",
    "libavformat",
    "libavutil",
    "libswscale",
    "libswresample",
    "libvpx",
    "libssl",
    "libcrypto",
)
OF_THE_SYSTEM = ("libgssapi_krb5", "libsystemd")
"""packaging/waymark.spec leaves out what these alone need."""
REPLACED = {"opencv_python_headless.libs": OF_OPENCV, "av.libs": ("libx265",), ".": OF_THE_SYSTEM}
"""Folders of a frozen application, with the beginnings of the names of libraries."""
LEFT_OUT = (*(f"opencv-python-headless/{name}" for name in OF_OPENCV), "av/libx265")
"""Packages and libraries, as the list of licences has them."""
_SYMBOL = re.compile(r" [A-Z] ([A-Za-z_]\w*)(?:@@?(\w[\w.]*))?$", re.MULTILINE)
Symbols = set[tuple[str, str]]
"""Names with their versions; the version may be empty."""


def put(folder: Path) -> int:
    """Replace the libraries in a folder of PyInstaller; return how many bytes are saved."""
    replaced = [
        path
        for name, beginnings in REPLACED.items()
        for path in sorted(Path(folder, name).glob("*.so*"))
        if re.split(r"-|\.so", path.name)[0] in beginnings
    ]
    kept = [path for path in folder.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    before = sum(path.stat().st_size for path in replaced)
    others = {path: path.read_bytes() for path in set(kept) - set(replaced)}
    wanted = {path: _wanted_of(path, others) for path in replaced}
    for path, symbols in wanted.items():
        path.unlink()
        if symbols:
            _write(path, symbols)
    for link in folder.iterdir():
        if link.is_symlink() and not link.exists():
            link.unlink()
    return before - sum(path.stat().st_size for path in replaced if path.exists())


def _wanted_of(library: Path, others: dict[Path, bytes]) -> Symbols:
    """The symbols of a library that others take from it; none when no other names it."""
    needing = [path for path, data in others.items() if library.name.encode() + b"\0" in data]
    wanted: Symbols = set().union(*(_symbols(path, "--undefined-only") for path in needing))
    return wanted & _symbols(library, "--defined-only")


def _symbols(library: Path, which: str) -> Symbols:
    words = ["nm", "--dynamic", which, str(library)]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return set(_SYMBOL.findall(listed))


def _write(path: Path, symbols: Symbols) -> None:
    """Write a library of these symbols, whose functions return 0."""
    versions: dict[str, list[str]] = defaultdict(list)
    for name, version in sorted(symbols):
        versions[version].append(name)
    with tempfile.TemporaryDirectory(prefix="waymark-") as place:
        source, script = Path(place, "empty.c"), Path(place, "versions.map")
        names = sorted({name for name, _version in symbols})
        source.write_text(
            "".join(f"void *{name}(void) {{ return 0; }}\n" for name in names), encoding="utf-8"
        )
        nodes = (
            f"{version} {{ global: {'; '.join(of)}; }};\n" for version, of in versions.items() if version
        )
        script.write_text("".join(nodes), encoding="utf-8")
        words = [
            "cc",
            "-shared",
            "-fPIC",
            "-nostdlib",
            "-fno-builtin",
            "-w",
            "-s",
            f"-Wl,-soname,{path.name}",
        ]
        versioned = [f"-Wl,--version-script={script}"] if any(versions) else []
        subprocess.run([*words, *versioned, "-o", str(path), str(source)], check=True)
