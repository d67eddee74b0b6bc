import errno
import re

import pytest

from collector.virtual.shell.files import Files
from tests.helpers.shell import bare_machine


@pytest.fixture
def files():
    return bare_machine().files


def test_links_and_dots_are_followed(files):
    files.write("/sdcard/Music/.././a.txt", b"x")
    assert files.resolve("/sdcard/a.txt") == "/storage/emulated/0/a.txt"
    assert files.read("/storage/emulated/0/a.txt") == b"x"
    assert files.resolve("/sdcard/..") == "/storage/emulated"
    assert files.resolve("/../../..") == "/"


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("/system/x", errno.EROFS),
        ("/x", errno.EROFS),
        ("/data/x", errno.EACCES),
        ("/sdcard/none/x", errno.ENOENT),
        ("/sdcard", errno.EISDIR),
        ("/sdcard/\0", errno.EINVAL),
        ("/sdcard/" + "x" * 256, errno.ENAMETOOLONG),
    ],
)
def test_writing_where_it_is_not_allowed(files, path, number):
    with pytest.raises(OSError, match=re.escape(f"[Errno {number}]")):
        files.write(path, b"x")


def test_a_ring_of_links_is_an_error(files):
    files.link("/sdcard/b", "/sdcard/a")
    files.link("/sdcard/a", "/sdcard/b")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        files.read("/sdcard/a")


def test_a_full_disk():
    files = Files(capacity=10)
    files.install("/data/local/tmp/keep", b"")
    files.write("/data/local/tmp/a", b"x" * 10)
    with pytest.raises(OSError, match="No space left"):
        files.write("/data/local/tmp/b", b"x")
    files.remove("/data/local/tmp/a")
    files.write("/data/local/tmp/b", b"x")


def test_removing_and_moving(files):
    files.make_directory("/sdcard/x/y/z", parents=True)
    files.write("/sdcard/x/y/z/f", b"1")
    with pytest.raises(OSError, match="Is a directory"):
        files.remove("/sdcard/x")
    files.move("/sdcard/x/y", "/sdcard/w")
    assert files.read("/sdcard/w/z/f") == b"1"
    with pytest.raises(OSError, match="Invalid argument"):
        files.move("/sdcard/w", "/sdcard/w/z/inside")
    files.remove("/sdcard/w", recursive=True)
    assert not files.exists("/sdcard/w")
    assert files.used == 0
