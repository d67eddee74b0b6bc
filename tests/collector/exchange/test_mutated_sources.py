"""A valid source of every format with something wrong in it: a report or a sentence, the project whole."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from collector.exchange.imports.importing import import_into
from collector.exchange.registry import read_formats
from collector.model.errors import UserError
from collector.store.catalogue.catalogue import Catalogue
from collector.store.checks.check import check_project
from collector.store.files.findings import ERROR
from collector.store.project.project import Project
from tests.helpers.source_samples import SAMPLES, write_mutated, write_source

SEEDS = 8  # for each format; a run of hours found no more than such a run in its first minutes


def test_there_is_a_sample_of_every_format() -> None:
    assert set(SAMPLES) | {"dgara"} == set(read_formats())  # which is several of the others


@pytest.mark.parametrize("format_id", SAMPLES)
def test_the_sample_is_valid(tmp_path: Path, format_id: str) -> None:
    result = import_into(Project.create(tmp_path / "p"), write_source(tmp_path / "s", SAMPLES[format_id]))
    assert result.format.id == format_id
    assert result.folders or result.tasks
    assert not {"action-unknown", "task-incomplete", "not-understood"} & {
        finding.code for finding in result.findings
    }


@pytest.mark.parametrize("format_id", SAMPLES)
def test_a_mutated_source_gives_a_report_or_a_sentence(tmp_path: Path, format_id: str) -> None:
    project = Project.create(tmp_path / "p")
    refused: list[UserError] = []
    for seed in range(SEEDS):
        source = write_mutated(tmp_path / str(seed), SAMPLES[format_id], random.Random(f"{format_id} {seed}"))
        try:
            result = import_into(project, source, format_id if seed % 2 else "auto")
        except UserError as error:
            refused.append(error)
        else:
            assert result.folders or result.tasks or result.findings, seed
        assert Project.open(project.folder).tasks == project.tasks
    # The sentence made of an unexpected error is none for a person.
    causes = [error.__cause__ for error in refused]
    assert all(cause is None or isinstance(cause, UserError | OSError) for cause in causes), causes
    with Catalogue(project) as catalogue:
        catalogue.refresh()
    assert not [finding for finding in check_project(project) if finding.severity == ERROR]
