"""The program at the start of the AppImage, on a small file system; only where it can be compiled."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.helpers.scripts import script

appimage = script("packaging", "appimage")
pytestmark = pytest.mark.skipif(bool(appimage.missing()), reason="`make freeze` installs what compiles it")
RUN = '#!/bin/sh\necho "$@" in "$APPDIR" of "$APPIMAGE"\ncat "$APPDIR/inner/file"\nexit 7\n'


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    files = folder / "files"
    (files / "inner").mkdir(parents=True)
    (files / "AppRun").write_text(RUN, encoding="utf-8")
    (files / "AppRun").chmod(0o755)
    (files / "inner" / "file").write_text("content\n" * 50_000, encoding="utf-8")
    (files / "link").symlink_to("inner/file")
    appimage.pack(files, folder / "squashfs")
    runtime = appimage.build_runtime(folder / "runtime", "0123456789abcdef")
    whole = folder / "small.AppImage"
    whole.write_bytes(runtime.read_bytes() + (folder / "squashfs").read_bytes())
    whole.chmod(0o755)
    return whole


def _run(image: Path, cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "TMPDIR": str(cache)}
    return subprocess.run([str(image), *words], cwd=cache, env=environment, capture_output=True, text=True)


def test_it_is_an_appimage_of_type_2(image: Path, tmp_path: Path) -> None:
    assert image.read_bytes()[8:11] == b"AI\x02"
    offset = int(_run(image, tmp_path, "--appimage-offset").stdout)
    assert image.read_bytes()[offset : offset + 4] == b"hsqs"


@pytest.mark.parametrize("words", [(), ("--appimage-extract-and-run",)])
def test_it_runs_with_fuse_and_without(image: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = _run(image, tmp_path, *words, "one", "two words")
    first, *others = done.stdout.splitlines()
    assert first.startswith(f"one two words in {tmp_path}/")
    assert first.endswith(f" of {image}")
    assert (len(others), done.returncode, done.stderr) == (50_000, 7, "")


def test_files_of_another_build_go_when_nothing_uses_them(image: Path, tmp_path: Path) -> None:
    old = tmp_path / "waymark-studio-appimage-older"
    (old / "inner").mkdir(parents=True)
    foreign = tmp_path / "something-else"
    foreign.mkdir()
    _run(image, tmp_path, "--appimage-extract-and-run")
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"something-else", "waymark-studio-appimage-0123456789abcdef"}


def test_it_unpacks_its_files(image: Path, tmp_path: Path) -> None:
    assert _run(image, tmp_path, "--appimage-extract").stdout == "squashfs-root\n"
    root = tmp_path / "squashfs-root"
    assert (root / "link").readlink() == Path("inner/file")
    assert os.access(root / "AppRun", os.X_OK)
    assert not os.access(root / "inner" / "file", os.X_OK)


def test_a_damaged_file_gives_one_sentence(image: Path, tmp_path: Path) -> None:
    offset = int(_run(image, tmp_path, "--appimage-offset").stdout)
    damaged = tmp_path / "damaged.AppImage"
    damaged.write_bytes(image.read_bytes()[:offset] + b"\0" * 4096)
    damaged.chmod(0o755)
    done = _run(damaged, tmp_path)
    assert done.returncode == 1
    assert "damaged" in done.stderr.splitlines()[-1]
