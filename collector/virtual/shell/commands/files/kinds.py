"""toybox's ``file``: what a file is by its first bytes."""

from __future__ import annotations

import stat
import struct
import unicodedata

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_ELF_KINDS = {1: "relocatable", 2: "executable", 3: "shared object", 4: "core dump"}
_MACHINES = {3: "x86", 40: "arm", 62: "x86-64", 183: "arm64", 243: "riscv"}
_JAVA_1_1 = 45
_PNG_COLORS = {0: "grayscale", 2: "color RGB", 3: "color palette", 4: "grayscale with alpha", 6: "color RGBA"}
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"-----BEGIN CERTIFICATE-----", "PEM certificate"),
    (b"OTTO", "OpenType font"),
    (b"\0\1\0\0\0", "TrueType font"),
    (b"ttcf\0", "TrueType font collection"),
    (b"BC\xc0\xde", "LLVM IR bitcode"),
)
_GZIP = b"\x1f\x8b\x08"
_TAR_AT, _TEXT = 257, 4096


@command("file")
def file(process: Process) -> int:
    """Tell what files are: ``-b`` without their names, ``-L`` of what links point to."""
    options = read_options("file", process.arguments, "bhLs")
    names = options.operands
    if not names:
        raise CommandError('file: Needs 1 argument (see "file --help")')
    widest = max(len(name.encode()) for name in names)
    for name in names:
        said = _described(process, name, follow="L" in options)
        lead = "" if "b" in options else f"{name}: ".ljust(widest + 2)
        process.line(f"{lead}{said}")
    return 0


def _described(process: Process, name: str, *, follow: bool) -> str:
    if name == "-":
        return _kind(process.input())
    files = process.machine.files
    try:
        entry = files.entry(process.path(name), follow=follow)
        special = _special(entry, process, name)
        return special or _kind(files.read(process.path(name)))
    except OSError as error:
        return f"cannot open: {reason(error)}"


def _special(entry: FileEntry, process: Process, name: str) -> str:
    """What is no file with content; empty for one that is."""
    if entry.is_directory:
        return "directory"
    if entry.is_link:
        broken = "" if process.machine.files.exists(process.path(name)) else "broken "
        return f"{broken}symbolic link to {entry.target}"
    if stat.S_ISFIFO(entry.mode):
        return "fifo"
    if stat.S_ISCHR(entry.mode):
        device = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}.get(name.rpartition("/")[2], 0)
        return f"character special (1/{device})"
    return ""


def _kind(data: bytes) -> str:
    """The kind of a file by its content, in toybox's words."""
    if not data:
        return "empty"
    for test in (_elf, _picture, _archive, _other, _sound):
        found = test(data)
        if found:
            return found
    return _text(data[:_TEXT])


def _elf(data: bytes) -> str:
    if data[:4] != b"\x7fELF" or len(data) < 64:
        return ""
    order, bits = ("<", ">")[data[5] == 2], 64 if data[4] == 2 else 32
    kind, machine = struct.unpack_from(f"{order}HH", data, 16)
    end = "LSB" if order == "<" else "MSB"
    known = _MACHINES.get(machine, f"unknown arch {machine}")
    return f"ELF {_ELF_KINDS.get(kind, '(bad type)')}, {bits}-bit {end} {known}"


def _picture(data: bytes) -> str:
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 28:
        width, height, depth, color = struct.unpack_from(">IIBB", data, 16)
        way = "interlaced" if data[28] else "non-interlaced"
        return f"PNG image data, {width} x {height}, {depth}-bit/{_PNG_COLORS.get(color, 'unknown')}, {way}"
    if data[:2] == b"\xff\xd8" and len(data) > 32:
        return "JPEG image data"
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) > 16:
        width, height = struct.unpack_from("<HH", data, 6)
        return f"GIF image data, version {data[3:6].decode()}, {width} x {height}"
    return ""


def _archive(data: bytes) -> str:
    if data[:4] == b"PK\x03\x04" and len(data) > 5:
        return f"Zip archive data, requires at least v{data[4] // 10}.{data[4] % 10} to extract"
    if data[:3] == b"BZh" and data[3:4].isdigit():
        return f"bzip2 compressed data, block size = {data[3:4].decode()}00k"
    if data[:3] == _GZIP and len(data) > 10:
        return "gzip compressed data"
    if data[:6] in (b"070701", b"070702") or data[:6] == b"070707":
        return "ASCII cpio archive"
    if data[_TAR_AT : _TAR_AT + 5] == b"ustar":
        return "POSIX tar archive" + (" (GNU)" if data[_TAR_AT + 5 : _TAR_AT + 8] == b"  \0" else "")
    return ""


def _other(data: bytes) -> str:
    if data[:4] == b"\xca\xfe\xba\xbe" and len(data) > 8:
        minor, major = struct.unpack_from(">HH", data, 4)
        java = f"1.{major - _JAVA_1_1 + 1}" if major > _JAVA_1_1 else "1.1"
        return f"Java class file, version {major}.{minor} (Java {java})"
    if data[:4] == b"dex\n" and data[7:8] == b"\0":
        return f"Android dex file, version {data[4:7].decode('ascii', 'replace')}"
    if data[:5] == b"%PDF-" and len(data) > 8:
        return f"PDF document, version {data[5:8].decode('ascii', 'replace')}"
    return next((said for start, said in _STARTS if data.startswith(start) and len(data) > len(start)), "")


def _sound(data: bytes) -> str:
    if data[:4] not in (b"RIFF", b"RIFX") or data[8:16] != b"WAVEfmt " or len(data) <= 36:
        return ""
    order = "<" if data[:4] == b"RIFF" else ">"
    coding, channels, rate, _speed, _block, depth = struct.unpack_from(f"{order}HHIIHH", data, 20)
    how = {1: "PCM", 3: "IEEE float", 6: "A-law", 7: "u-law"}.get(coding, f"unknown format {coding}")
    wide = {1: "mono", 2: "stereo"}.get(channels, f"{channels} channels")
    return f"WAV audio, {'LE' if order == '<' else 'BE'}, {depth}-bit, {wide}, {rate} Hz, {how}"


def _text(data: bytes) -> str:
    if data[:2] == b"#!" and len(data) > 3:
        words = data[2:].split()
        named = words[1:] if words[:1] == [b"/usr/bin/env"] else words
        return f"{named[0].decode('utf-8', 'replace')} script" if named else " script"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < _TEXT - 4:  # no letter that is cut off at the end
            return "data"
        text = data[: error.start].decode("utf-8")
    plain = all(letter.isspace() or " " <= letter <= "~" for letter in text if letter < "\x80")
    if not plain or any(unicodedata.category(letter) == "Cc" for letter in text if letter >= "\x80"):
        return "data"
    return "ASCII text" if text.isascii() else "UTF-8 text"
