"""Links in a source that lead out of it are left out and named; the rest is imported."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog, sentence_of
from collector.exchange.imports.importing import import_into
from collector.exchange.source.links import without_links_outside
from collector.model.cancellation import Cancelled, cancellable
from collector.store.project.project import Project
from tests.helpers.source_samples import SAMPLES, write_source
from tests.helpers.steps import png, xml


def stored_bytes(project: Project) -> bytes:
    return b"".join(path.read_bytes() for path in project.folder.rglob("*") if path.is_file())


def test_a_file_and_a_folder_behind_links_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write_source(outside, {"secret.png": b"a secret", "more/2.png": b"a secret", "more/2.xml": b"a secret"})
    source = write_source(tmp_path / "s", {"mine/1.png": png(), "mine/1.xml": xml()})
    (source / "mine/3.png").symlink_to(outside / "secret.png")
    (source / "mine/4.png").symlink_to("1.png")
    (source / "linked").symlink_to(outside / "more")
    (source / "nowhere.png").symlink_to(tmp_path / "none")
    project = Project.create(tmp_path / "p")
    result = import_into(project, source)
    assert [len(list((folder / "states").glob("*.png"))) for folder in result.folders] == [2]
    refused = next(finding for finding in result.losses if finding.code == "link-refused")
    assert refused.steps == ("linked", "mine/3.png", "nowhere.png")
    assert b"a secret" not in stored_bytes(project)


def test_looking_at_a_whole_disk_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    """A window that a person closes waits for its jobs; one looked through ``/`` to its last folder."""
    for number in range(20):
        write_source(tmp_path / "disk", {f"{number}/x.txt": b""})
    asked = iter([False] * 5)
    looked = without_links_outside(tmp_path / "disk", ExchangeLog())
    with cancellable(lambda: next(asked, True)), pytest.raises(Cancelled), looked:
        pass


@pytest.mark.parametrize(("format_id", "linked"), [
    ("aitk", "t_1/states"), ("interdroid", "r/screenshots"), ("droidbot", "run/states"),
    ("llamatouch", "trace_0/instruction.txt"), ("dgara-runs", "base/base-9/run_log.jsonl"),
])  # fmt: skip
def test_folders_that_importers_know_by_name_are_not_entered(
    tmp_path: Path, format_id: str, linked: str
) -> None:
    source = write_source(tmp_path / "s", SAMPLES[format_id])
    outside = tmp_path / "outside"
    shutil.move(source / linked, outside)
    for path in [outside] if outside.is_file() else [path for path in outside.rglob("*") if path.is_file()]:
        path.write_bytes(path.read_bytes() + b"a secret")
    (source / linked).symlink_to(outside)
    project = Project.create(tmp_path / "p")
    result = import_into(project, source, format_id)
    assert any(linked in sentence_of(finding) for finding in result.findings)
    assert b"a secret" not in stored_bytes(project)


def test_what_lies_in_an_archive_is_named_with_the_archive(tmp_path: Path) -> None:
    archive = tmp_path / "many.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a/project.yaml", "format: waymark-project\n")
        packed.writestr("project.yaml", "format: waymark-project\n")
    project = Project.create(tmp_path / "p")
    for broken, sentence in ((archive, "Waymark's own"), (tmp_path / "torn.zip", "cannot be unpacked")):
        if not broken.exists():
            broken.write_bytes(b"PK\x03\x04 no")
        with pytest.raises(ExchangeError, match=rf"^{broken.stem}.*{sentence}"):
            import_into(project, broken)
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w") as packed:
        packed.writestr("notes.txt", "hm")
    with pytest.raises(ExchangeError, match=r"empty\.zip"):
        import_into(project, empty)
