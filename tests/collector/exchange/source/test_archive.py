"""Archives that try to harm are refused whole, and write nothing anywhere."""

from __future__ import annotations

import copy
import random
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.source import archive
from collector.store.files import zip_safety


def packed(path: Path, entries: dict[str, bytes], mode: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as created:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            created.writestr(entry, data)
    return path


@pytest.mark.parametrize(
    "name",
    [
        "../evil.txt",
        "a/../../evil.txt",
        "/etc/evil",
        "C:\\evil.txt",
        "\\\\host\\evil",
        "a\\..\\..\\evil",
        "C:evil",
    ],
)
@pytest.mark.fault("F21")
def test_names_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    target = tmp_path / "in" / "target"
    target.mkdir(parents=True)
    with pytest.raises(ExchangeError, match="leads outside"):
        archive.unpack(packed(tmp_path / "a.zip", {"ok.txt": b"1", name: b"2"}), target)
    assert list((tmp_path / "in").rglob("*")) == [target]


@pytest.mark.fault("F21")
def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    for mode in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO):
        with pytest.raises(ExchangeError, match="link or a device"):
            archive.unpack(packed(tmp_path / "a.zip", {"x": b"/etc/passwd"}, mode | 0o777), tmp_path)


@pytest.mark.fault("F25")
def test_bombs_are_refused_by_ratio_size_and_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExchangeError, match="times its size"):
        archive.unpack(packed(tmp_path / "a.zip", {"x": bytes(20_000_000)}), tmp_path)
    monkeypatch.setattr(zip_safety, "MAX_BYTES", 1000)
    with pytest.raises(ExchangeError, match="unpacks to more"):
        archive.unpack(packed(tmp_path / "b.zip", {"x": bytes(600), "y": bytes(600)}), tmp_path)
    monkeypatch.setattr(zip_safety, "MAX_ENTRIES", 1)
    with pytest.raises(ExchangeError, match="more than 1 files"):
        archive.unpack(packed(tmp_path / "c.zip", {"x": b"", "y": b""}), tmp_path)


@pytest.mark.fault("F21")
def test_names_that_differ_only_in_case_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="two of its entries"):
        archive.unpack(packed(tmp_path / "a.zip", {"A/x": b"", "a/X": b""}), tmp_path)


def test_what_is_no_zip_or_a_torn_one_is_told(tmp_path: Path) -> None:
    whole = packed(tmp_path / "a.zip", {"x": b"hello" * 100, "y": b"1"}).read_bytes()
    for number, data in enumerate((b"", b"PK\x03\x04 no", whole[:-30], whole.replace(b"hello", b"jello"))):
        bad = tmp_path / f"bad{number}.zip"
        bad.write_bytes(data)
        target = tmp_path / f"t{number}"
        target.mkdir()
        if data != whole:
            with pytest.raises(ExchangeError, match="cannot be unpacked"):
                archive.unpack(bad, target)


def test_backslashes_of_windows_zips_are_folders(tmp_path: Path) -> None:
    archive.unpack(packed(tmp_path / "a.zip", {"a\\b.txt": b"1"}), tmp_path / "t")
    assert (tmp_path / "t" / "a" / "b.txt").read_bytes() == b"1"


def test_many_small_entries_are_refused_together_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_safety, "_SMALL_TOTAL", 1_000_000)
    target = tmp_path / "target"
    target.mkdir()
    entries = {f"{number}.txt": bytes(100_000) for number in range(30)}
    with pytest.raises(ExchangeError, match="unpacks to over 100 times its size") as refused:
        archive.unpack(packed(tmp_path / "a.zip", entries), target)
    assert "a.zip" in str(refused.value)
    assert list(target.iterdir()) == []
    monkeypatch.setattr(zip_safety, "_SMALL_TOTAL", 4_000_000)
    archive.unpack(tmp_path / "a.zip", target)
    assert len(list(target.iterdir())) == 30


@pytest.mark.fault("F25")
def test_entries_that_share_their_data_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"x": random.Random(1).randbytes(100_000)})
    with zipfile.ZipFile(path, "a") as shared:
        for number in range(100):
            entry = copy.copy(shared.filelist[0])
            entry.filename = f"y{number}"
            shared.filelist.append(entry)
            shared.NameToInfo[entry.filename] = entry
        shared._didModify = True
    with pytest.raises(ExchangeError, match="share their data"):
        archive.unpack(path, tmp_path / "t")


def test_an_archive_that_does_not_fit_on_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = shutil.disk_usage(tmp_path)._replace(free=3 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: full)
    path = packed(tmp_path / "a.zip", {"x": random.Random(1).randbytes(5 << 20)})
    with pytest.raises(ExchangeError, match="needs 5 MB and the disk has 3 MB left"):
        archive.unpack(path, tmp_path / "t" / "not there yet")
