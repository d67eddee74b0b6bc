"""An empty library is loaded in the place of one that is left out; only where libraries can be compiled."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.scripts import script

stand_ins = script("packaging", "stand_ins")
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, stand_ins.TOOLS)), reason="`make freeze` installs what compiles them"
)


def _compile(library: Path, text: str, *words: str) -> None:
    source = library.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    folder = str(library.parent)
    how = ["cc", "-shared", "-fPIC", f"-Wl,-soname,{library.name}", "-L", folder, "-Wl,-rpath,$ORIGIN"]
    subprocess.run([*how, "-o", str(library), str(source), *words], check=True)
    source.unlink()


def test_what_names_a_library_that_is_left_out_still_loads(tmp_path: Path) -> None:
    libraries = tmp_path / "av.libs"
    libraries.mkdir()
    encoder, unused = libraries / "libx265-12ab.so.1", libraries / "libx265-other.so.1"
    versions = libraries / "versions"
    versions.write_text("ENCODER_1 { global: encode; };\n", encoding="utf-8")
    large = "char weight[1 << 20] = {1};"
    _compile(encoder, f"int encode(void) {{ return 42; }} {large}", f"-Wl,--version-script={versions}")
    _compile(unused, large)
    needing = "int encode(void); int both(void) { return encode() + 1; }"
    _compile(libraries / "libcodec.so.1", needing, "-l:libx265-12ab.so.1")
    (tmp_path / unused.name).symlink_to(unused.relative_to(tmp_path))

    assert stand_ins.put(tmp_path) > 2 << 20

    assert ctypes.CDLL(str(libraries / "libcodec.so.1")).both() == 1, "the empty library gives 0"
    assert encoder.stat().st_size < 1 << 16
    assert [path.name for path in tmp_path.rglob("libx265-other*")] == [], "no library needs it"


def test_a_library_of_the_system_that_nothing_calls_is_emptied_where_it_lies(tmp_path: Path) -> None:
    for name in ("libsystemd.so.0", "libsystemd-shared.so.1"):
        _compile(tmp_path / name, "int sd_listen_fds(void) { return 42; }")
    needing = "int sd_listen_fds(void); int fds(void) { return sd_listen_fds(); }"
    _compile(tmp_path / "libdbus-1.so.3", needing, "-l:libsystemd.so.0")
    stand_ins.put(tmp_path)
    assert ctypes.CDLL(str(tmp_path / "libdbus-1.so.3")).fds() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["libdbus-1.so.3", "libsystemd.so.0"]
