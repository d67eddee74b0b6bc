"""Pictures that cannot be shown: an import leaves them out or says so, an export goes on without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.exchange.source.checks import picture_size
from collector.model.essential_state import EssentialState
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, TrajectoryHeader
from collector.pictures.limits import MAX_BYTES
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.hostile_pictures import HUGE, cut_png, encoded, garbage_png, huge_png
from tests.helpers.person_files import write_labels
from tests.helpers.steps import png, step, xml

HOSTILE = (huge_png(), cut_png(), garbage_png(), b"no picture", encoded("JPEG")[:300])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A golden trajectory and a labelled run, whose first picture alone can be shown."""
    project = Project.create(tmp_path / "p")
    seen = StateChange(None, EssentialState("seen", "It is seen"))
    project.save_tasks([Task("shop", "Buy it", "Shop", essential_states=("seen",))], states=[seen])
    for kind in (GOLDEN, RUN):
        with project.new_trajectory(TrajectoryHeader(kind, "shop", kind)) as writer:
            for number, picture in enumerate((png(), png(shade=9), *HOSTILE)):
                writer.append(step(number), picture, xml(f"screen {number}"))
            writer.finish()
    write_labels(project.find(RUN), Labels("lin").with_reached("seen", 1))
    return project


@pytest.mark.parametrize("name", ["aitk", "dgara", "a3rm"])
def test_an_export_goes_on_without_them_and_says_why(project: Project, tmp_path: Path, name: str) -> None:
    result = export_project(project, name, tmp_path / "out")
    left_out = [finding for finding in result.findings if finding.code == "picture-left-out"]
    assert any(f"The picture is too large: {HUGE} pixels" in finding.what for finding in left_out)
    assert any("is damaged" in finding.what for finding in left_out)
    written = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert png() in written
    assert not [data for data in written if data in HOSTILE]


def test_a_picture_over_the_limit_is_not_imported(tmp_path: Path) -> None:
    source, project = tmp_path / "source", Project.create(tmp_path / "p")
    source.mkdir()
    for number, data in enumerate((png(), huge_png())):
        (source / f"{number}.png").write_bytes(data)
        (source / f"{number}.xml").write_bytes(xml())
    with (source / "2.png").open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # sparse
    (source / "2.xml").write_bytes(xml())
    found = {finding.what: finding.steps for finding in import_into(project, source).findings}
    assert found[
        f"A screenshot was left out. The picture is too large: {HUGE} pixels. At most 36 million pixels, "
        "and 16384 a side, are decoded. Make it smaller, or take it again"
    ] == ("1",)
    assert any("Files of at most 64 MB are decoded" in what for what in found)
    assert check_project(project) == []


def test_the_size_of_a_source_picture_is_known_without_decoding_it(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    for data, size in (
        (encoded("JPEG"), Size(40, 80)),
        (cut_png(40, 80), Size(40, 80)),
        (huge_png(), Size(50_000, 50_000)),
        (b"no picture", None),
    ):
        path.write_bytes(data)
        assert picture_size(path) == size
    assert picture_size(tmp_path / "none.png") is None
