"""What an import refuses as a whole, so that nothing comes into a project twice or poorer than it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.imports.importing import ImportResult, import_into
from collector.exchange.registry import formats, read_formats
from collector.model.trajectory import TrajectoryHeader
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml


def recorded(folder: Path) -> Project:
    created = Project.create(folder)
    with created.new_trajectory(TrajectoryHeader("t", "one")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    return created


@pytest.mark.parametrize("place", [".", "..", "trajectories", "trajectories/one/t"])
def test_a_project_is_not_imported_into_itself(tmp_path: Path, place: str) -> None:
    project = recorded(tmp_path / "p")
    before = check_project(project)
    with pytest.raises(ExchangeError, match="belongs to the project it would be imported into"):
        import_into(project, project.folder / place)
    assert len(list(project.trajectory_folders())) == 1
    assert check_project(project) == before


def test_what_waymark_wrote_is_not_read_as_mere_pictures(tmp_path: Path) -> None:
    other = recorded(tmp_path / "other")
    project = Project.create(tmp_path / "p")
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", other.folder))
    for source in (other.folder, other.paths.trajectories_of("one") / "t", packed):
        with pytest.raises(ExchangeError, match=r"is Waymark's own: .* copy its folders"):
            import_into(project, source)
    assert not project.tasks


def test_a_file_of_another_kind_that_has_our_name_does_not_matter(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "trajectory.json").write_text("{}")
    (source / "1.png").write_bytes(png())
    (source / "1.xml").write_bytes(xml())
    assert len(import_into(Project.create(tmp_path / "p"), source).folders) == 1


def test_what_holds_nothing_says_how_it_was_read(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="Plain folder of screenshots and dumps it has no states"):
        import_into(Project.create(tmp_path / "p"), Path("/dev/null"), "plain")
    with pytest.raises(ExchangeError, match="Check the name"):
        import_into(Project.create(tmp_path / "q"), tmp_path / "nowhere")


@pytest.mark.parametrize("format_id", [name for name in read_formats() if name != "plain"])
def test_a_format_the_source_is_not_in_is_refused_and_not_called_done(tmp_path: Path, format_id: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "notes.txt").write_text("nothing")
    with pytest.raises(ExchangeError, match="Name the folder that holds the trajectories, or another format"):
        import_into(Project.create(tmp_path / "p"), source, format_id)


def test_what_could_only_be_reported_on_is_in_vain() -> None:
    report = ExchangeLog()
    report.add("json-damaged", "A file cannot be read")
    assert ImportResult(formats().kinds["aitk"], findings=report.findings).is_vain


def test_what_was_imported_before_is_not_in_vain(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "1.png").write_bytes(png())
    project = Project.create(tmp_path / "p")
    assert not import_into(project, source).is_vain
    again = import_into(project, source)
    assert (again.folders, again.is_vain) == ([], False)
