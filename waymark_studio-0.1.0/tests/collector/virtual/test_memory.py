"""A phone releases memory that it does not need, and keeps the rest."""

import subprocess
import sys

import pytest

from collector.virtual.memory import _ReloadableRanges, release_memory
from collector.virtual.system.phone import Phone
from tests.helpers.virtual import profile

_MAPPINGS = (
    ("00400000-00452000 r-xp 00000000 08:02 173521      /usr/lib/libskia.so", 0, 0),
    ("00651000-00652000 r--p 00051000 08:02 173521      /usr/lib/libskia.so", 4, 0),  # relocated
    ("00652000-00655000 rw-p 00052000 08:02 173521      /usr/lib/libskia.so", 12, 0),
    ("00700000-00702000 r--p 00060000 08:02 173521      /usr/lib/libskia.so", 0, 0),
    ("00702000-00704000 r--p 00062000 08:02 173521      /usr/lib/libskia.so", 0, 4),  # relocated, swapped out
    ("00e03000-00e24000 rw-p 00000000 00:00 0           [heap]", 132, 0),
    ("01000000-01001000 r--p 00000000 08:02 1           /usr/share/fonts/with space/Noto.ttc", 0, 0),
    ("01002000-01003000 r--s 00000000 08:02 2           /var/cache/shared", 0, 0),
    ("7ffe0000-7ffe2000 r-xp 00000000 00:00 0           [vdso]", 0, 0),
    ("7fff0000-7fff1000 rw-p 00000000 00:00 0", 4, 0),
)
_CLEAN = [(0x400000, 0x452000), (0x700000, 0x702000), (0x1000000, 0x1001000)]


def _write_maps(process, mappings):
    (process / "maps").write_text("".join(f"{line}\n" for line, _own, _swapped in mappings))
    (process / "smaps").write_text(
        "".join(
            f"{line}\nSize:  4 kB\nRss:  4 kB\nAnonymous:  {own} kB\nSwap:  {swapped} kB\nVmFlags: rd mr\n"
            for line, own, swapped in mappings
        )
    )


def test_only_parts_of_files_that_nobody_wrote_to_are_read_again(tmp_path):
    _write_maps(tmp_path, _MAPPINGS)
    reloadable = _ReloadableRanges(tmp_path)
    assert reloadable.ranges() == _CLEAN
    (tmp_path / "smaps").unlink()  # is not needed again as long as no file is mapped
    assert reloadable.ranges() == _CLEAN
    _write_maps(tmp_path, _MAPPINGS[:1])
    assert reloadable.ranges() == _CLEAN[:1]


def test_a_phone_that_gave_back_goes_on_as_before():
    phone = Phone(profile("settings"))
    phone.launch("com.android.settings")
    before, tree = phone.capture().rgba.copy(), phone.hierarchy_xml()
    release_memory()
    phone.scroll(300, 800, 0, -1)
    phone.scroll(300, 800, 0, 1)
    assert (phone.capture().rgba == before).all()
    assert phone.hierarchy_xml() == tree
    phone.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="huge pages are Linux's")
def test_a_phone_s_process_has_no_huge_pages():
    script = (
        "import ctypes, collector.virtual.memory as memory; memory.configure_malloc();"
        "print(ctypes.CDLL(None).prctl(42, 0, 0, 0, 0))"  # PR_GET_THP_DISABLE
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "1"
