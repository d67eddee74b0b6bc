"""Test the companion app with Robolectric, which runs it on Android's own classes: ``make companion-test``.

Beside the tests it takes pictures of the dialogs, in ``build/companion-pictures``. Names of test classes
as arguments run these alone.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import build_companion
import maven_jars

from collector.model.companion import contract
from collector.model.companion.activities import ACTIVITIES

ROOT = build_companion.ROOT
TESTS = ROOT / "tests" / "companion"
WORK = ROOT / "build" / "companion-test"
PICTURES = ROOT / "build" / "companion-pictures"
MEMORY = "-Xmx2g"


def class_path() -> list[Path]:
    """What the tests run on. Of an archive of Android the classes are taken out."""
    paths = []
    for jar in maven_jars.fetched("test"):
        path = jar.path
        if jar.kind == "aar":
            path = WORK / f"{jar.name}.jar"
            with zipfile.ZipFile(jar.path) as archive:
                path.write_bytes(archive.read("classes.jar"))
        paths.append(path)
    return [*paths, next(jar.path for jar in maven_jars.fetched("build") if jar.version.startswith("15"))]


def compiled_tests(app: Path, jars: list[Path]) -> Path:
    """The classes of the tests, and what Robolectric has to know of the app."""
    classes = WORK / "classes"
    sources = sorted((TESTS / "java").rglob("*.java"))
    build_companion.run("javac", "--release", "17", "-nowarn", "-Xlint:none", "-proc:none",
                        "-encoding", "UTF-8", "-cp", _joined([*jars, app / "classes"]),
                        "-d", classes, *sources)  # fmt: skip
    config = classes / "com" / "android" / "tools" / "test_config.properties"
    config.parent.mkdir(parents=True)
    config.write_text(
        f"android_resource_apk={app / 'resources.apk'}\n"
        f"android_merged_manifest={build_companion.SOURCES / 'AndroidManifest.xml'}\n"
        "android_custom_package=com.example.adbsmarttest\n",
        encoding="utf-8",
    )
    (classes / "robolectric.properties").write_text(
        f"sdk={contract.MINIMUM_SDK},{contract.TARGET_SDK}\n", encoding="utf-8"
    )
    return classes


def contract_table() -> dict[str, object]:
    """The contract as the app has to have it; ContractTest compares."""
    return {
        "version": contract.CONTRACT_VERSION,
        "version_name": contract.VERSION_NAME,
        "authority": contract.AUTHORITY,
        "guard": contract.GUARD,
        "event_tag": contract.EVENT_TAG,
        "answer_tag": contract.ANSWER_TAG,
        "kept_answers": contract.KEPT_ANSWERS,
        "answers_file": contract.ANSWERS_FILE.rpartition("/")[2],
        "version_columns": contract.VERSION_COLUMNS,
        "open_columns": contract.OPEN_COLUMNS,
        "answer_columns": contract.ANSWER_COLUMNS,
        "views": {
            name: [*activity.views, *(button.view for button in activity.buttons if button.view)]
            for name, activity in ACTIVITIES.items()
        },
    }


def _joined(paths: list[Path]) -> str:
    return ":".join(map(str, paths))


def test(names: list[str]) -> int:
    """Build the app, then run these test classes, or all; the exit status of JUnit."""
    build_companion.require_tools()
    app = build_companion.WORK
    build_companion.compiled(app)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    jars = class_path()
    classes = compiled_tests(app, jars)
    maven_jars.fetched("phone")
    table = WORK / "contract.json"
    table.write_text(json.dumps(contract_table()), encoding="utf-8")
    properties = {
        "robolectric.offline": "true",
        "robolectric.dependency.dir": maven_jars.CACHE / "phone",
        "companion.cases": TESTS / "contract_cases.json",
        "companion.contract": table,
        "companion.pictures": PICTURES,
        "java.io.tmpdir": WORK,
    }
    found = names or [path.stem for path in sorted((TESTS / "java").rglob("*Test.java"))]
    words = ["java", MEMORY, *(f"-D{name}={value}" for name, value in properties.items()),
             "-cp", _joined([classes, app / "classes", *jars]), "org.junit.runner.JUnitCore",
             *(f"com.example.adbsmarttest.{name}" for name in found)]  # fmt: skip
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    count = re.search(r"^OK \(\d+ tests?\)$", done.stdout, re.MULTILINE)
    print(count[0] if count else done.stdout)
    return done.returncode if count else 1


def main(words: list[str]) -> int:
    """Run the tests."""
    try:
        return test(words)
    except (build_companion.BuildError, maven_jars.FetchError) as error:
        print(f"companion-test: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
