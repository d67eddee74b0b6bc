"""A recording that was not finished is a golden trajectory nowhere, and counts nowhere as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.agents.golden_choice import golden_trajectories
from collector.judge.progress.state_overview import missed_by_goldens
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import FINISHED, IMPORTED, RECORDING, RECOVERED, TrajectoryHeader
from collector.project_rules.project_rules import ProjectRules
from collector.replay.solvability.cases import solvability_task
from collector.rules.columns.corpus import Corpus
from collector.states.golden_check import check_goldens
from collector.states.suggestions.suggest import SuggestionRequest, suggest_states
from collector.states.work_files.goldens import open_golden, own_goldens
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

TASK = Task("shop", "Buy", "Shop", "com.shop", essential_states=("paid",))
STATES = """\
states:
  - id: paid
    task: shop
    conditions: [{type: element_exists, selector: "text='Paid'"}]
"""
GOLDEN_IDS = {"finished", "imported"}
UNFINISHED_IDS = {"recording", "recovered"}
QUERIES = {"kind:golden": GOLDEN_IDS, "kind:unfinished": UNFINISHED_IDS, "-kind:golden": UNFINISHED_IDS}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A task with a trajectory of each status; its state is reached in none of them."""
    project = Project.create(tmp_path / "project")
    put_task(project, TASK)
    rules = project.folder / "rules"
    rules.mkdir(exist_ok=True)
    (rules / "states.yaml").write_text(STATES, "utf-8")
    for number, status in enumerate((RECORDING, FINISHED, RECOVERED, IMPORTED)):
        header = TrajectoryHeader(status, "shop", who="ann", started=f"2026-11-0{number + 1}T00:00:00Z")
        with project.new_trajectory(header) as writer:
            for place in range(2):
                writer.append(step(place), png(), xml(f"Screen {place}"))
            writer.update_header(status=status)
    return project


def test_people_agents_and_checks_take_finished_recordings_alone(project: Project) -> None:
    rules = ProjectRules(project)
    assert set(own_goldens(project, "shop", "ann")) == GOLDEN_IDS
    assert {item.header.id for item in solvability_task(project, TASK, []).goldens} == GOLDEN_IDS
    assert {item.header.id for item in golden_trajectories(project, "shop")} == GOLDEN_IDS
    assert {item.trajectory for item in missed_by_goldens(rules)} == GOLDEN_IDS
    assert sorted(item.title for item in check_goldens(rules, "ann")) == ["golden-1", "golden-2"]
    assert suggest_states(rules, SuggestionRequest("shop")).goldens
    with pytest.raises(UserError, match="recovered is not finished"):
        open_golden(project, "shop", "recovered")
    with pytest.raises(UserError, match="recording is not finished"):
        golden_trajectories(project, "shop", name="recording")
    assert golden_trajectories(project, "shop", name="imported")[0].header.id == "imported"


def test_lists_name_them_unfinished_and_golden_ones_keep_their_numbers(project: Project) -> None:
    corpus = Corpus(list(project.open_trajectories(task_id="shop")), tasks=[TASK])
    titles = {ref.id: ref.title for ref in corpus.trajectories}
    assert sorted(titles[name] for name in GOLDEN_IDS) == ["golden-1", "golden-2"]
    assert sorted(titles[name] for name in UNFINISHED_IDS) == ["unfinished-1", "unfinished-2"]


def test_a_search_finds_them_as_what_they_are(project: Project) -> None:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        found = {
            kind: {row.id for row in catalogue.find(f"kind:{kind}")} for kind in ("golden", "unfinished")
        }
        assert found == {"golden": GOLDEN_IDS, "unfinished": {"recording", "recovered"}}
        assert {row.id for row in catalogue.find("-kind:golden")} == found["unfinished"]
        assert catalogue.golden_counts() == {"shop": 2}
