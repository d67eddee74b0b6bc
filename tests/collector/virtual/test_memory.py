"""A phone releases memory that it does not need, and keeps the rest."""

import subprocess
import sys

import pytest

from collector.virtual.memory import _read_again, release_memory
from collector.virtual.system.phone import Phone
from tests.helpers.virtual import profile

MAPS = """\
00400000-00452000 r-xp 00000000 08:02 173521      /usr/lib/libskia.so
00651000-00652000 r--p 00051000 08:02 173521      /usr/lib/libskia.so
00652000-00655000 rw-p 00052000 08:02 173521      /usr/lib/libskia.so
00e03000-00e24000 rw-p 00000000 00:00 0           [heap]
01000000-01001000 r--p 00000000 08:02 1           /usr/share/fonts/with space/Noto.ttc
7ffe0000-7ffe2000 r-xp 00000000 00:00 0           [vdso]
7fff0000-7fff1000 rw-p 00000000 00:00 0
"""


def test_only_code_and_fonts_that_nobody_wrote_to_are_read_again():
    assert list(_read_again(MAPS)) == [(0x400000, 0x452000), (0x1000000, 0x1001000)]


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
