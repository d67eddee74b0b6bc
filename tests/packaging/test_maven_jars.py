"""Java archives are fetched by name, version and hash, and from nowhere else."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.scripts import script

maven_jars = script("packaging/companion", "maven_jars")
LISTED = maven_jars.listed(maven_jars.LIST.read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository of files, the only one there is, and an empty cache."""
    monkeypatch.setattr(maven_jars, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(maven_jars, "LIST", tmp_path / "jars.txt")
    monkeypatch.setattr(maven_jars, "REPOSITORIES", ())
    monkeypatch.setenv("WAYMARK_MAVEN", (tmp_path / "maven").as_uri() + "/")
    return tmp_path / "maven"


def offer(repository: Path, data: bytes, sha256: str = "") -> Any:
    """Put a jar into the repository and onto the list."""
    known = sha256 or hashlib.sha256(data).hexdigest()
    maven_jars.LIST.write_text(f"# a list\nbuild org.one:two:3.0:jar {known}\n", encoding="utf-8")
    (jar,) = maven_jars.listed(maven_jars.LIST.read_text(encoding="utf-8"))
    place = repository / jar.address
    place.parent.mkdir(parents=True)
    place.write_bytes(data)
    return jar


def test_the_list_names_each_file_once_with_its_hash() -> None:
    assert len({jar.path for jar in LISTED}) == len(LISTED)
    assert {jar.use for jar in LISTED} == {"build", "test", "phone"}
    assert [jar.name for jar in LISTED if not re.fullmatch("[0-9a-f]{64}", jar.sha256)] == []


def test_only_public_repositories_are_asked() -> None:
    assert maven_jars.REPOSITORIES == ("https://repo1.maven.org/maven2", "https://maven.google.com")


def test_a_jar_is_fetched_once(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jar = offer(repository, b"classes")
    assert jar.address == "org/one/two/3.0/two-3.0.jar"
    assert [jar.path.read_bytes() for jar in maven_jars.fetched("build")] == [b"classes"]
    (repository / jar.address).unlink()
    assert maven_jars.fetched("build") == [jar]
    assert capsys.readouterr().out.count("fetching") == 1
    assert maven_jars.fetched("test") == []


def test_a_damaged_jar_is_fetched_again(repository: Path) -> None:
    jar = offer(repository, b"classes")
    jar.path.parent.mkdir(parents=True)
    jar.path.write_bytes(b"half")
    maven_jars.fetched("build")
    assert jar.path.read_bytes() == b"classes"


def test_another_file_under_the_name_is_refused(repository: Path) -> None:
    jar = offer(repository, b"other", "0" * 64)
    with pytest.raises(maven_jars.FetchError, match="its SHA-256 is not the one"):
        maven_jars.fetched("build")
    assert list(jar.path.parent.iterdir()) == []


def test_a_repository_that_lacks_it_is_named(repository: Path) -> None:
    jar = offer(repository, b"classes")
    (repository / jar.address).unlink()
    with pytest.raises(maven_jars.FetchError, match=r"two-3\.0\.jar: .*\n.*WAYMARK_MAVEN"):
        maven_jars.fetched("build")
