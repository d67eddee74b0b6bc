"""A secret that stands in every field of a trajectory is in no byte of any file after its redaction."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.exchange.exports.exporting import export_project
from collector.exchange.registry import written_formats
from collector.model.errors import UserError
from collector.redaction_rules.audit import RedactionAudit
from collector.redaction_rules.project_redaction import ProjectRedaction
from collector.store.checks.check import check_trajectory
from collector.store.project.project import Project
from tests.helpers.secret_project import SECRET, add_rules, leaks, secret_project
from tests.helpers.shared_trajectories import shared


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that was redacted, once for all tests of this file, which only read it."""
    made = secret_project(tmp_path_factory.mktemp("secret") / "p")
    assert len(leaks(made.folder)) > 30
    add_rules(made)
    report = ProjectRedaction(made).apply()
    assert not report.problems
    return made


def test_no_file_of_the_project_has_the_secret(project: Project) -> None:
    assert leaks(project.folder) == []
    for folder in ProjectRedaction(project).folders():
        assert check_trajectory(folder) == []
    result = RedactionAudit(project).project()
    assert result.findings == []
    assert result.knows_words


def test_a_second_time_there_is_nothing_to_do(project: Project) -> None:
    assert ProjectRedaction(project).look().trajectories == []


def test_no_export_has_the_secret(project: Project, tmp_path: Path) -> None:
    written = []
    for name, each in written_formats().items():
        if each.missing:
            continue
        try:
            export_project(project, name, tmp_path / f"{name}{each.ending}")
        except UserError:  # a format that this project does not fit
            continue
        written.append(name)
    assert len(written) > 15
    assert leaks(tmp_path) == []
    audit = RedactionAudit(project, [SECRET])
    assert audit.search([tmp_path]).findings == []
    assert audit.result.files > len(written)


def test_no_shared_page_has_the_secret(project: Project, tmp_path: Path) -> None:
    from collector.sharing.export_options import FIXED, ExportOptions
    from collector.sharing.exports import FORMATS, export_review

    review = shared(*ProjectRedaction(project).folders())
    for name in FORMATS:
        export_review(review, name, tmp_path / f"r.{name}", ExportOptions(timing=FIXED, height=120))
    assert leaks(tmp_path) == []
    assert RedactionAudit(project, [SECRET]).search([tmp_path]).findings == []
