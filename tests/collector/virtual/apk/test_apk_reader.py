"""The manifest of an APK is read, whatever writes its texts, and anything else is refused."""

from __future__ import annotations

import io
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from collector.virtual.apk.apk_reader import ApkManifest, read_apk
from collector.virtual.apk.binary_xml import read_xml
from tests.helpers.apk import apk, manifest


@pytest.mark.parametrize("utf8", [False, True])
def test_package_version_and_split_are_read(utf8):
    data = apk("com.example.über", "2.0-β", 17, "config.xhdpi", utf8=utf8)
    assert read_apk(io.BytesIO(data)) == ApkManifest("com.example.über", "2.0-β", 17, "config.xhdpi")
    assert read_apk(io.BytesIO(apk("a.b", utf8=utf8))) == ApkManifest("a.b", "1.0", 1)


def test_the_apk_of_uiautomator2_is_read():
    found = find_spec("uiautomator2")
    if found is None or found.origin is None:
        pytest.skip("the fast-tree extra is not installed")
    with Path(found.origin).with_name("assets").joinpath("app-uiautomator.apk").open("rb") as file:
        assert read_apk(file).package == "com.github.uiautomator"


def _zip(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK" + bytes(100),
        _zip("classes.dex", b"dex"),
        _zip("AndroidManifest.xml", b"<manifest/>"),
        apk("com.example")[:-40],
    ],
)
def test_what_is_no_apk_is_refused(data):
    with pytest.raises(ValueError, match=r"\S"):
        read_apk(io.BytesIO(data))


def test_every_cut_and_every_changed_byte_of_a_manifest_is_read_or_refused():
    whole = manifest("com.example")
    for at in range(len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        for data in (whole[:at], damaged):
            try:
                read_xml(data)
            except ValueError:
                continue
