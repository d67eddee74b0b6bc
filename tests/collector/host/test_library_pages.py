"""What a library needed while it was loaded goes back to the system, and the library works on."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from collector.host.library_pages import code_of, fonts_of, release_font_pages

_SCRIPT = """
from pathlib import Path
import cv2, numpy
from collector.host.library_pages import release_library_pages

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

before = resident()
release_library_pages(Path(numpy.__file__).parents[1])
print(before - resident())
picture = cv2.resize(numpy.full((8, 8, 3), 7, numpy.uint8), (4, 4))
assert picture.tolist() == [[[7] * 3] * 4] * 4
"""
_LINES = """
7f0000000000-7f0000001000 r--p 00000000 08:01 11 /lib/site/a.abi3.so
7f0000001000-7f0000003000 r-xp 00001000 08:01 11 /lib/site/a.abi3.so
7f0000003000-7f0000004000 r--p 00003000 08:01 11 /lib/site/a.abi3.so
7f0000004000-7f0000005000 rw-p 00004000 08:01 11 /lib/site/a.abi3.so
7f0000005000-7f0000006000 rw-p 00000000 00:00 0
7f0000006000-7f0000007000 r--p 00000000 08:01 12 /lib/site/with space/letters.ttf
7f0000007000-7f0000008000 r-xp 00000000 08:01 13 /lib/libc.so.6
7f0000008000-7f0000009000 r-xp 00000000 08:01 14 /lib/site/with space/libb.so.6.1 (deleted)
"""


def test_only_what_no_loader_writes_to_is_given_back():
    given = [(start & 0xFFFF, end & 0xFFFF) for start, end in code_of(_LINES.splitlines(), "/lib/site/")]
    assert given == [(0, 0x1000), (0x1000, 0x3000), (0x8000, 0x9000)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_a_library_works_on_when_its_pages_are_given_back():
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 10


def test_of_fonts_only_what_is_read_is_given_back():
    assert [(start & 0xFFFF, end & 0xFFFF) for start, end in fonts_of(_LINES.splitlines())] == [
        (0x6000, 0x7000)
    ]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_a_font_is_read_on_when_its_pages_are_given_back(tmp_path):
    font = tmp_path / "letters.ttf"
    font.write_bytes(bytes(range(256)) * 4096)
    with (
        font.open("rb") as file,
        mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ) as read,
    ):
        whole = bytes(read)
        assert _resident(font) == len(whole)
        release_font_pages()
        assert _resident(font) == 0
        assert bytes(read) == whole


def _resident(path: Path) -> int:
    """Bytes of a file that this process counts."""
    after = Path("/proc/self/smaps").read_text().partition(str(path))[2]
    return int(after.partition("\nRss:")[2].split()[0]) * 1024
