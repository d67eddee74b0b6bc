"""uv is fetched from the address in the lock, or from a configured index by the same hash."""

from __future__ import annotations

import hashlib
import io
import ssl
import subprocess
import urllib.error
import zipfile
from pathlib import Path

import pytest

from tests.helpers.scripts import ROOT, script

fetch_uv = script("packaging", "fetch_uv")
locked_files = script("packaging", "locked_files")
LOCK = (ROOT / "uv.lock").read_text(encoding="utf-8")
MACHINES = [
    ("linux", "x86_64", "glibc"),
    ("linux", "aarch64", "glibc"),
    ("linux", "x86_64", "musl"),
    ("darwin", "arm64", "glibc"),
    ("darwin", "x86_64", "glibc"),
    ("win32", "AMD64", "glibc"),
    ("win32", "ARM64", "glibc"),
]


@pytest.mark.parametrize("machine", MACHINES, ids="-".join)
def test_the_lock_has_one_kind_of_wheel_for_every_machine(machine: tuple[str, str, str]) -> None:
    _, wheels = locked_files.locked_wheels(LOCK, "uv")
    fitting = [wheel for wheel in wheels if fetch_uv.fits(wheel.name, *machine)]
    assert fitting
    assert all(len(wheel.sha256) == 64 for wheel in fitting)


def test_a_wheel_for_another_processor_does_not_fit() -> None:
    assert not fetch_uv.fits("uv-1.0-py3-none-manylinux_2_17_i686.manylinux2014_i686.whl", "linux", "x86_64")
    assert not fetch_uv.fits("uv-1.0-py3-none-musllinux_1_1_x86_64.whl", "linux", "x86_64")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index in a folder with one wheel for every Linux machine, and a lock that names it elsewhere."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        wheel.writestr(f"uv-1.2.data/scripts/{fetch_uv.PROGRAM}", b"a program")
    name = "uv-1.2-py3-none-any_here.whl"
    page = tmp_path / "simple" / "uv"
    page.mkdir(parents=True)
    (tmp_path / name).write_bytes(packed.getvalue())
    (page / "index.html").write_text(f'<a href="../../{name}#sha256=0">{name}</a>', encoding="utf-8")
    digest = hashlib.sha256(packed.getvalue()).hexdigest()
    (tmp_path / "uv.lock").write_text(
        f'[[package]]\nname = "uv"\nversion = "1.2"\n'
        f'wheels = [{{ url = "file:///nowhere/{name}", hash = "sha256:{digest}" }}]\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(fetch_uv, "fits", lambda *_: True)
    monkeypatch.setattr(
        locked_files, "links", lambda _, file: [(tmp_path / file).as_uri()] if file == name else []
    )
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    return tmp_path


def test_uv_is_unpacked_from_a_mirror_and_kept(index: Path) -> None:
    messages: list[str] = []
    program = fetch_uv.ensure(index / "uv.lock", index / "cache", messages.append)
    assert program.read_bytes() == b"a program"
    assert fetch_uv.ensure(index / "uv.lock", index / "cache", messages.append) == program
    assert messages == ["fetching uv 1.2"]


def test_a_file_with_another_hash_is_refused(index: Path) -> None:
    wheel = next(index.glob("*.whl"))
    with pytest.raises(locked_files.FetchError, match="not the one"):
        locked_files.download(wheel.as_uri(), "0" * 64)


def test_links_of_an_index_page_are_resolved_against_it(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<a href="files/uv-1.whl#sha256=1">uv-1.whl</a> <a href="uv-2.whl">2</a>', encoding="utf-8"
    )
    assert locked_files.links(page.as_uri(), "uv-1.whl") == [(tmp_path / "files" / "uv-1.whl").as_uri()]


def test_only_web_and_file_addresses_are_fetched() -> None:
    with pytest.raises(locked_files.FetchError, match="not an address"):
        locked_files.download("ftp://example.org/uv.whl", "0" * 64)


UNREACHABLE = urllib.error.URLError(OSError(-3, "Temporary failure in name resolution"))


def test_who_is_offline_reads_one_sentence_and_no_lines_of_pip(
    index: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def unreachable(address: str) -> bytes:
        raise UNREACHABLE

    def pip_fails(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setenv("PIP_INDEX_URL", "https://someone:secret@index.example/simple")
    monkeypatch.setattr(locked_files, "links", lambda page, _: [unreachable(page).decode()])
    monkeypatch.setattr(locked_files, "_read", unreachable)
    monkeypatch.setattr(fetch_uv.subprocess, "run", pip_fails)
    monkeypatch.setattr(fetch_uv.shutil, "which", lambda _: None)
    with pytest.raises(locked_files.FetchError) as failure:
        fetch_uv.ensure(index / "uv.lock", index / "cache", lambda _: None)
    message = str(failure.value)
    assert "index.example cannot be reached (Temporary failure in name resolution)" in message
    assert "PIP_INDEX_URL" in message
    assert "secret" not in message
    assert capfd.readouterr() == ("", "")


def test_what_pip_says_of_its_own_attempt_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    assert fetch_uv._by_pip("0.0.0", tmp_path) is None
    assert capfd.readouterr() == ("", "")


def test_a_network_with_its_own_authority_is_named_as_such() -> None:
    distrust = urllib.error.URLError(ssl.SSLCertVerificationError(1, "self-signed certificate in chain"))
    message = locked_files.explain("uv 1.2", [("https://files.example/uv.whl", distrust)])
    assert "files.example shows a certificate this machine does not trust" in message
    assert "SSL_CERT_FILE" in message


def test_a_refusal_is_told_with_its_number() -> None:
    refusal = urllib.error.HTTPError("https://files.example/uv.whl", 403, "Forbidden", None, None)  # type: ignore[arg-type]
    assert "files.example answers 403 Forbidden" in locked_files.explain("uv 1.2", [(refusal.url, refusal)])


def test_a_machine_uv_is_not_made_for_is_told_so() -> None:
    assert "there is no uv 1.2 for" in fetch_uv.unknown_machine("1.2")
