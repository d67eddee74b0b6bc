"""Files that decide how an agent acts are settings of its episodes, as its options are."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.agents.registry import agent_kinds
from collector.model.task import Task
from collector.run.cycle.agent_files import AgentFiles
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.lint import lint
from collector.run.experiment.model import AgentEntry, Cell, Experiment
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.scope import scope_of
from collector.store.project.project import Project

PROMPT = "=== user ===\nDo {{task}}. {{image}}\n"


@pytest.fixture
def project(tmp_path):
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("buy", "Buy it")])
    (project.folder / "mine.prompt").write_text(PROMPT, encoding="utf-8")
    program = project.folder / "mine"
    program.mkdir()
    (program / "agent.py").write_text("import sys\nfrom helpers.parse import answer\n", encoding="utf-8")
    (program / "helpers").mkdir()
    (program / "helpers" / "parse.py").write_text("from . import words\n", encoding="utf-8")
    (program / "helpers" / "words.py").write_text("YES = 'yes'\n", encoding="utf-8")
    (program / "other.py").write_text("import agent\n", encoding="utf-8")
    (project.folder / "scripts").mkdir()
    (project.folder / "scripts" / "buy.yaml").write_text("- back\n", encoding="utf-8")
    return project


def digest(project, kind, **options):
    entry = AgentEntry("agent", kind, options)
    experiment = Experiment("pilot", ("buy",), (entry,))
    cell = Cell("buy", "agent", "baseline", "", "", "", 1, 0)
    files = AgentFiles(project).digests(entry, "buy")
    plan = EpisodePlan.of(experiment, cell, project.task("buy"), files)
    return EpisodeProject.load(project.folder).fingerprint(plan, project.task("buy"))["agent"]


@pytest.mark.parametrize(
    ("kind", "file", "options"),
    [
        ("openai", "mine.prompt", {"model": "gpt", "prompt": "mine.prompt"}),
        ("scripted", "scripts/buy.yaml", {"file": "scripts/{task}.yaml"}),
        ("process", "mine/agent.py", {"command": ["{python}", "agent.py"], "cwd": "mine"}),
        ("process", "mine/helpers/words.py", {"command": ["{python}", "mine/agent.py"]}),
        ("process", "mine/helpers/parse.py", {"command": ["{python}", "-m", "agent"], "cwd": "mine"}),
    ],
)
def test_another_content_is_another_plan(project, kind, file, options, monkeypatch):
    path = project.folder / file
    before = digest(project, kind, **options)
    monkeypatch.chdir(project.folder)
    link = project.folder.parent / "link"
    link.symlink_to(project.folder, target_is_directory=True)
    for folder in (Path(), link):
        assert digest(Project.open(folder), kind, **options) == before, "it is the same project"
    text = path.read_text(encoding="utf-8")
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert digest(project, kind, **options) == before, "the ends of lines say nothing"
    path.write_text(text + "# more\n", encoding="utf-8")
    assert digest(project, kind, **options) != before
    path.unlink()
    assert digest(project, kind, **options) != before


def test_only_the_files_that_a_program_names_or_imports_count(project):
    entry = AgentEntry(
        "a", "process", {"command": ["{python}", "agent.py", "--log", "/etc/hosts"], "cwd": "mine"}
    )
    found = AgentFiles(project).digests(entry, "buy")
    assert set(found) == {"mine/agent.py", "mine/helpers/parse.py", "mine/helpers/words.py"}
    (project.folder / "mine" / "agent.py").write_text("def broken(:\n", encoding="utf-8")
    assert set(AgentFiles(project).digests(entry, "buy")) == {"mine/agent.py"}


def test_a_program_of_a_stranger_is_searched_as_text_and_within_its_folder(project, tmp_path):
    (tmp_path / "secret.py").write_text("KEY = 1\n", encoding="utf-8")
    mine = project.folder / "mine"
    (mine / "linked.py").symlink_to(tmp_path / "secret.py")
    imports = (
        "import linked\nfrom ...secret import KEY\nfrom helpers import (\n    words,\n    parse as p,\n)\n"
    )
    nested = "from x import (" * 10_000 + "-" * 50_000 + "(" * 50_000
    (mine / "agent.py").write_text(imports + nested, encoding="utf-8")
    entry = AgentEntry("a", "process", {"command": ["{python}", "agent.py"], "cwd": "mine"})
    found = AgentFiles(project).digests(entry, "buy")
    assert set(found) == {"mine/agent.py", "mine/helpers/parse.py", "mine/helpers/words.py"}


def test_the_prompts_of_the_studio_count_and_agents_without_files_keep_their_plan(project):
    files = AgentFiles(project)
    assert set(files.digests(AgentEntry("a", "openai", {"model": "gpt"}), "buy")) == {"android-world.prompt"}
    for kind in ("golden", "careful", "monkey", "unknown"):
        assert files.digests(AgentEntry("a", kind), "buy") == {}


@pytest.mark.parametrize(("modality", "count"), [("screenshot", 1), ("tree", 1), ("screenshot+tree", 0)])
def test_marks_without_the_tree_are_refused_before_anything_runs(project, modality, count):
    scope = scope_of(project, agent_kinds().kinds)
    text = (
        "tasks: [buy]\nagents:\n"
        f"  - {{id: seer, kind: openai, model: gpt, set_of_marks: true, modality: [{modality}]}}\n"
    )
    found = [item for item in lint(read_experiment(text, scope, "pilot"), scope) if item.code == "W615"]
    assert len(found) == count
    assert all("Marks cannot be drawn" in item.sentence and item.place.line == 3 for item in found)
