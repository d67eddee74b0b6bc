"""The companion app that is shipped: its hash, its signature, and what its manifest says and must not say."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import struct
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest
import yaml
from lxml import etree

from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion import contract
from collector.model.companion.activities import ACTIVITIES
from collector.virtual.apk.apk_reader import read_apk
from collector.virtual.apk.binary_xml import XmlElement, read_xml
from collector.virtual.apk.manifest_attributes import EXPORTED, NAME
from tests.helpers.scripts import script

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "assets" / "companion"
APK = SOURCES / "companion.apk"
MOST_BYTES = 150 * 1024
PERMISSION, AUTHORITIES = 0x01010006, 0x01010018
EXCLUDED_FROM_RECENTS, TASK_AFFINITY = 0x01010017, 0x01010012
INSIDE = {"TargetPageActivity", "NotificationAnswerReceiver"}
"""Parts that only the app itself starts."""
HELPERS = {contract.ASK_ACTIVITY, contract.REMOVE_ACTIVITY, contract.TEST_ACTIVITY}


@pytest.fixture(scope="module")
def apk() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(APK.read_bytes()))


@pytest.fixture(scope="module")
def application(apk: zipfile.ZipFile) -> XmlElement:
    return next(read_xml(apk.read("AndroidManifest.xml")).all("application"))


def components(application: XmlElement, *kinds: str) -> dict[str, XmlElement]:
    return {part.attributes[NAME].text.rpartition(".")[2]: part for part in application.all(*kinds)}


def test_it_is_the_file_of_the_hash_and_small() -> None:
    data = APK.read_bytes()
    line = APK.with_name("companion.apk.sha256").read_text(encoding="utf-8")
    assert line == f"{hashlib.sha256(data).hexdigest()}  companion.apk\n"
    assert len(data) < MOST_BYTES


def test_it_is_built_of_the_sources_beside_it(apk: zipfile.ZipFile) -> None:
    build = script("packaging/companion", "build_companion")
    assert apk.read(build.SOURCES_ENTRY).decode() == build.source_hash(), "run make companion"


def test_its_signature_is_valid() -> None:
    if not shutil.which("apksigner"):
        pytest.skip("apksigner is not installed; its package verifies the signature of the companion app")
    words = ["apksigner", "verify", "--verbose", "--min-sdk-version", str(contract.MINIMUM_SDK), str(APK)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for scheme in ("v1", "v2", "v3"):
        assert re.search(rf"using {scheme} scheme .*: true", done.stdout)


def test_its_classes_are_whole(apk: zipfile.ZipFile) -> None:
    dex = apk.read("classes.dex")
    assert dex[:8] == b"dex\n035\0"
    (checksum,) = struct.unpack_from("<I", dex, 8)
    assert checksum == zlib.adler32(dex[12:])
    assert dex[12:32] == hashlib.sha1(dex[32:], usedforsecurity=False).digest()
    assert struct.unpack_from("<I", dex, 32) == (len(dex),)


def test_android_can_map_its_resources(apk: zipfile.ZipFile) -> None:
    """Android 11 and newer install no app of ours whose table is compressed or not aligned."""
    entry = apk.getinfo("resources.arsc")
    assert entry.compress_type == zipfile.ZIP_STORED
    header = APK.read_bytes()[entry.header_offset :][:30]
    name_length, extra_length = struct.unpack_from("<HH", header, 26)
    assert (entry.header_offset + 30 + name_length + extra_length) % 4 == 0


def test_its_manifest_says_what_the_contract_says() -> None:
    with APK.open("rb") as file:
        manifest = read_apk(file)
    assert manifest.package == COMPANION_PACKAGE
    assert (manifest.version_name, manifest.version_code) == (contract.VERSION_NAME, contract.VERSION_CODE)
    assert (manifest.min_sdk, manifest.target_sdk) == (contract.MINIMUM_SDK, contract.TARGET_SDK)
    assert set(manifest.permissions) == set(contract.PERMISSIONS)
    assert "android.permission.INTERNET" not in manifest.permissions
    assert not any(activity.launcher for activity in manifest.activities)


def test_it_has_every_part_of_the_contract_and_no_other(application: XmlElement) -> None:
    receivers = {name for name, activity in ACTIVITIES.items() if activity.is_receiver}
    activities = ACTIVITIES.keys() - receivers
    assert components(application, "activity").keys() - INSIDE == activities | HELPERS
    assert components(application, "receiver").keys() - INSIDE == receivers
    (provider,) = application.all("provider")
    assert provider.attributes[AUTHORITIES].text == contract.AUTHORITY
    assert not list(application.all("service", "activity-alias"))


def test_only_a_caller_with_the_guard_reaches_a_part(application: XmlElement) -> None:
    for name, part in components(application, "activity", "receiver", "provider").items():
        exported, guard = part.attributes[EXPORTED].data != 0, part.attributes.get(PERMISSION)
        assert exported != (name in INSIDE), name
        assert not exported or (guard and guard.text == contract.GUARD), name
        assert not list(part.all("intent-filter")), name


def test_no_dialog_stands_in_the_recent_apps(application: XmlElement) -> None:
    assert application.attributes[TASK_AFFINITY].text == ""
    for name, part in components(application, "activity").items():
        assert part.attributes[EXCLUDED_FROM_RECENTS].data != 0, name


def sources(folder: str) -> dict[str, str]:
    strings = etree.parse(SOURCES / "res" / folder / "strings.xml").getroot()
    return {string.get("name"): string.text for string in strings}


def test_it_says_the_same_words_as_the_virtual_phone() -> None:
    words = yaml.safe_load((ROOT / "assets" / "virtual" / "companion.yaml").read_text("utf-8"))["words"]
    for folder, language in (("values", "en"), ("values-zh", "zh")):
        own = sources(folder)
        assert {name: own[name] for name in words if name != "app"} == {
            name: text[language] for name, text in words.items() if name != "app"
        }


@pytest.mark.parametrize("folder", ["values", "values-zh"])
def test_the_words_of_its_sources_are_in_the_shipped_app(apk: zipfile.ZipFile, folder: str) -> None:
    table = apk.read("resources.arsc")
    missing = [
        text
        for text in sources(folder).values()
        if text.encode() not in table and text.encode("utf-16-le") not in table
    ]
    assert missing == []
