"""Build the companion app: ``make companion``.

With the signing key the shipped APK is made anew. Without it everything is built up to the signature, and
compared with the shipped APK entry by entry. The key is made once, by ``build_companion.py --new-key``, and
kept out of the repository: ``WAYMARK_COMPANION_KEY`` is its path.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import maven_jars

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

import system_packages  # noqa: E402

from collector.model.companion.contract import MINIMUM_SDK  # noqa: E402

SOURCES = ROOT / "assets" / "companion"
SHIPPED = SOURCES / "companion.apk"
HASH = SOURCES / "companion.apk.sha256"
WORK = ROOT / "build" / "companion"
KEY = Path.home() / ".config" / "waymark-companion" / "key.p12"
KEY_ALIAS, KEY_PASSWORD = "companion", "companion"
"""The file is readable for its owner alone, as keys of ssh are; the word adds nothing."""
OLDEST_ANDROID = str(MINIMUM_SDK)
TOOLS = {
    "javac": "openjdk-17-jdk-headless",
    "aapt": "aapt",
    "zipalign": "zipalign",
    "apksigner": "apksigner",
}
"""Programs, with their packages in Debian and Ubuntu."""
ALSO_NEEDED = {"aapt": ("p7zip-full",), "zipalign": ("libzopfli1",)}
"""Packages with libraries that these link to and that Debian does not always bring."""
FIXED_TIME = (2024, 1, 1, 0, 0, 0)
"""Of every entry, so that a rebuild gives the same bytes."""
STORED = ("resources.arsc",)
"""Android 11 and newer refuse a compressed table of resources."""
SIGNATURE = "META-INF/"
SOURCES_ENTRY = "assets/sources.sha256"
"""Says in the app which sources it is built of, so that tests notice when the shipped one is older."""


class BuildError(Exception):
    """The app cannot be built; the message says why and what to do."""


def run(*words: str | Path) -> None:
    """Run one tool; its output is shown when it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{Path(str(words[0])).name} failed:\n{done.stdout}{done.stderr}".rstrip())


def require_tools(names: Iterable[str] = TOOLS) -> None:
    """Install the missing tools where that needs no password, or say which packages are missing."""
    missing = [name for name in names if not shutil.which(name)]
    if not missing:
        return
    packages = [package for name in missing for package in (TOOLS[name], *ALSO_NEEDED.get(name, ()))]
    if not system_packages.install(packages):
        raise BuildError(
            f"{', '.join(missing)} missing; on Debian and Ubuntu type: "
            f"sudo apt-get install --no-install-recommends {' '.join(packages)}"
        )


def compiled(work: Path) -> Path:
    """The unsigned APK."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    jars = {f"{jar.name} {jar.version.partition('-')[0]}": jar.path for jar in maven_jars.fetched("build")}
    framework = jars["android-all 15"]
    platform = _platform(work / "platform.apk", framework, jars["android-all 6.0.1_r3"])
    resources = work / "resources.apk"
    generated = work / "generated"
    generated.mkdir()
    run("aapt", "package", "-f", "-m", "-J", generated, "-M", SOURCES / "AndroidManifest.xml",
        "-S", SOURCES / "res", "-I", platform, "-F", resources)  # fmt: skip
    classes = work / "classes"
    sources = sorted([*(SOURCES / "java").rglob("*.java"), *generated.rglob("*.java")])
    run("javac", "--release", "8", "-Xlint:-options", "-g:none", "-encoding", "UTF-8", "-cp", framework,
        "-d", classes, *sources)  # fmt: skip
    dex = work / "classes.dex"
    run("java", "-cp", jars["dalvik-dx 16.0.1"], "com.android.dx.command.Main", "--dex",
        f"--min-sdk-version={OLDEST_ANDROID}", f"--output={dex}", classes)  # fmt: skip
    unsigned = work / "unsigned.apk"
    pack(unsigned, resources, dex)
    aligned = work / "aligned.apk"
    run("zipalign", "-f", "4", unsigned, aligned)
    return aligned


def _platform(path: Path, newest: Path, oldest: Path) -> Path:
    """What aapt takes for Android: resources of the oldest version supported, and a manifest."""
    with zipfile.ZipFile(path, "w") as platform:
        for name, jar in (("AndroidManifest.xml", newest), ("resources.arsc", oldest)):
            with zipfile.ZipFile(jar) as framework:
                platform.writestr(name, framework.read(name))
    return path


def pack(path: Path, resources: Path, dex: Path) -> None:
    """Resources and classes in one archive, in a fixed order and of a fixed time."""
    with zipfile.ZipFile(resources) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries["classes.dex"] = dex.read_bytes()
    entries[SOURCES_ENTRY] = source_hash().encode()
    with zipfile.ZipFile(path, "w") as packed:
        for name in sorted(entries):
            entry = zipfile.ZipInfo(name, FIXED_TIME)
            entry.compress_type = zipfile.ZIP_STORED if name in STORED else zipfile.ZIP_DEFLATED
            entry.create_system = 0
            packed.writestr(entry, entries[name], compresslevel=9)


def source_hash() -> str:
    """One hash of the manifest, the resources and the Java sources, with lines as git keeps them."""
    found = hashlib.sha256()
    paths = [path for kind in ("*.java", "*.xml") for path in SOURCES.rglob(kind)]
    for path in sorted(paths, key=lambda path: path.relative_to(SOURCES).as_posix()):
        data = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{path.relative_to(SOURCES).as_posix()} {len(data)}\n".encode() + data)
    return found.hexdigest()


def differences(built: Path, shipped: Path) -> list[str]:
    """What differs between two APKs, without their signatures: a line for each entry."""
    built_files, other = _contents(built), _contents(shipped)
    lines = [f"only built: {name}" for name in sorted(built_files.keys() - other.keys())]
    lines += [f"only shipped: {name}" for name in sorted(other.keys() - built_files.keys())]
    lines += [
        f"other content: {name}"
        for name in sorted(built_files.keys() & other.keys())
        if built_files[name] != other[name]
    ]
    return lines


def _contents(apk: Path) -> dict[str, str]:
    with zipfile.ZipFile(apk) as archive:
        return {
            name: hashlib.sha256(archive.read(name)).hexdigest()
            for name in archive.namelist()
            if not name.startswith(SIGNATURE)
        }


def key_path() -> Path:
    """Where the signing key is, or would be."""
    return Path(os.environ.get("WAYMARK_COMPANION_KEY") or KEY)


def make_key(path: Path) -> None:
    """Make the signing key. RSA, because its signatures are the same each time."""
    if path.exists():
        raise BuildError(
            f"{path} exists, and with another key every phone has to uninstall the app first; "
            "move it away if you mean it"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    run("keytool", "-genkeypair", "-keystore", path, "-storetype", "PKCS12", "-storepass", KEY_PASSWORD,
        "-alias", KEY_ALIAS, "-keyalg", "RSA", "-keysize", "2048", "-sigalg", "SHA256withRSA",
        "-validity", "18250", "-dname", "CN=Waymark companion app")  # fmt: skip
    path.chmod(0o600)


def sign(aligned: Path, key: Path, signed: Path) -> None:
    """Sign for every Android from the oldest on, and verify it."""
    run("apksigner", "sign", "--ks", key, "--ks-type", "PKCS12", "--ks-pass", f"pass:{KEY_PASSWORD}",
        "--ks-key-alias", KEY_ALIAS, "--v4-signing-enabled", "false", "--out", signed, aligned)  # fmt: skip
    run("apksigner", "verify", "--min-sdk-version", OLDEST_ANDROID, signed)


def hash_line(apk: Path) -> str:
    """The line of the hash file, as sha256sum writes it."""
    return f"{hashlib.sha256(apk.read_bytes()).hexdigest()}  {apk.name}\n"


def build() -> int:
    """Build, then sign or compare; the exit status."""
    require_tools()
    aligned = compiled(WORK)
    key = key_path()
    if key.is_file():
        signed = WORK / SHIPPED.name
        sign(aligned, key, signed)
        same = SHIPPED.is_file() and signed.read_bytes() == SHIPPED.read_bytes()
        shutil.copyfile(signed, SHIPPED)
        HASH.write_text(hash_line(SHIPPED), encoding="utf-8", newline="\n")
        print(
            f"{SHIPPED.relative_to(ROOT)}: {SHIPPED.stat().st_size} bytes, {'unchanged' if same else 'new'}"
        )
        return 0
    return compare(aligned)


def compare(aligned: Path) -> int:
    """Say whether the shipped APK is what was built; the exit status."""
    if not SHIPPED.is_file() or HASH.read_text(encoding="utf-8") != hash_line(SHIPPED):
        print(
            f"{SHIPPED.relative_to(ROOT)} is not the file of {HASH.name}; restore both with git",
            file=sys.stderr,
        )
        return 1
    found = differences(aligned, SHIPPED)
    if not found:
        print("The shipped app has the same contents as the one built; its signature stays")
        return 0
    print(
        "\n".join(["The shipped app differs from the one built:", *(f"  {line}" for line in found)]),
        file=sys.stderr,
    )
    print(f"To ship the one built, {key_path()} has to hold the signing key", file=sys.stderr)
    return 1


def main(words: list[str]) -> int:
    """Build the app, or make the key."""
    parser = argparse.ArgumentParser(prog="build_companion.py", description=__doc__)
    parser.add_argument("--new-key", action="store_true", help="make the signing key, once")
    chosen = parser.parse_args(words)
    try:
        if chosen.new_key:
            make_key(key_path())
            print(f"made {key_path()}; keep a copy, every update of the app needs it")
            return 0
        return build()
    except (BuildError, maven_jars.FetchError) as error:
        print(f"companion: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
