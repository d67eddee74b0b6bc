"""Values that YAML has and rules, tasks and libraries do not: a sentence for each, and never a traceback."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from collector.anomalies.builtin_library import builtin_library_text
from collector.cli.main import main
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.rules.grammar.condition_registry import condition_specs
from collector.store.files.format_versions import PROJECT
from collector.store.project.project import Project
from collector.store.tasks.task_file import new_file
from tests.helpers import libyaml
from tests.helpers.condition_samples import sample_condition
from tests.helpers.steps import png, step, xml

HOSTILE = (
    ".nan", ".inf", "-.inf", "!!int ''", "!!int x", "!!bool x", "!!timestamp x", "!!float ''", "!!binary '*'",
    "!foo bar", "!!python/object:os.system x", "!!set {a}", "!!omap [a: 1]", "!!omap x", "!!map x",
    "!!merge x", "9" * 400, "9" * 5000, "2024-99-99", "<<", "[.nan]", "{.nan: .nan}", "{[1]: 2}",
    "{? {a: 1} : 2}",
    "&a *a", "{<<: 3}", "{<<: [3]}", r'"\ud800"', "-9999999999999999999999",
)  # fmt: skip
MARK = "MARKED"
TASK = Task("buy", "Buy", max_steps=3, rule_key="ok", target_rule_ids=("r1",), essential_states=("s",))
VERBS = 1  # for each value in each file; seeded, so that a failure comes back


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    created = Project.create(tmp_path_factory.mktemp("hostile") / "p")
    with created.new_trajectory(TrajectoryHeader("t", "buy")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    for name, document in DOCUMENTS.items():
        (created.folder / name).parent.mkdir(exist_ok=True)
        (created.folder / name).write_text(written(document), "utf-8")
    return created


def documents() -> dict[str, Any]:
    """A file of each kind, with every condition type and every shape of anomaly."""
    conditions = [sample_condition(random.Random(7), spec) for spec in condition_specs().values()]
    action = {"type": "inject_interference", "interference_id": "x", "trigger_probability": 0.5}
    library = libyaml.safe_load(builtin_library_text())["interference_library"]
    native = next(entry for entry in library if "commands" in entry and "params" in entry)
    return {
        "rules/injection.yaml": {
            "rules": [
                {
                    "id": f"r{at}",
                    "priority": 5,
                    "conditions": {"all": [one, {"not": one}]},
                    "actions": [action],
                }
                for at, one in enumerate(conditions)
            ]
        },
        "rules/success.yaml": {"ok": {"conditions": [{"type": "any_of", "sub_conditions": conditions[:3]}]}},
        "rules/states.yaml": {"states": [{"id": "s", "after": ["q"], "conditions": conditions[:2]}]},
        "anomalies/library.yaml": {"interference_library": [native, library[0]]},
        "tasks.yaml": libyaml.safe_load(new_file((TASK,))),
        "project.yaml": PROJECT.stamp({"name": "p", "semantics": "waymark", "trusted": False}),
    }


DOCUMENTS = documents()


def written(document: Any) -> str:
    return libyaml.safe_dump(document, allow_unicode=True, width=4000, sort_keys=False)


def marked(value: Any) -> Iterator[Any]:
    """The document with a mark in place of each key and each value, one at a time."""
    yield MARK
    if isinstance(value, dict):
        for key in value:
            yield {(MARK if known == key else known): entry for known, entry in value.items()}
            for changed in marked(value[key]):
                yield {**value, key: changed}
    elif isinstance(value, list):
        for at in range(len(value)):
            for changed in marked(value[at]):
                yield [*value[:at], changed, *value[at + 1 :]]


def verbs(project: Project, name: str, rng: random.Random) -> list[list[str]]:
    folder, file = str(project.folder), str(project.folder / name)
    on = str(next(project.trajectory_folders()))
    of_all = [["project", "check", folder], ["rules", "backtest", folder, "--json"]]
    if name.startswith("rules"):
        test = ["rules", "test", file, "--rule", rng.choice(("r0", "r5", "ok", "s")), "--on", on, "--explain"]
        return [*of_all, ["rules", "check", file], test, ["rules", "follow", folder]]
    if name.startswith("anomalies"):
        anomaly_id = DOCUMENTS[name]["interference_library"][0]["id"]
        fire = ["anomaly", "fire", anomaly_id, "--project", folder, "--device", "none"]
        show = ["anomaly", "show", anomaly_id, "--library", file, "--json"]
        return [["anomaly", "check", file], fire, show, ["project", "trust", folder]]
    return [*of_all, ["project", "list", folder]]


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: value[:16])
@pytest.mark.fault("F23")
def test_every_verb_answers_with_a_report_or_a_sentence(
    project: Project, value: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collector.cli.device.phone.choose_device", refuse_device)
    rng = random.Random(value)
    for name, document in DOCUMENTS.items():
        path = project.folder / name
        intact = path.read_bytes()
        try:
            text = written(rng.choice(list(marked(document))))
            path.write_text(text.replace(MARK, value), "utf-8")
            for verb in rng.sample(verbs(project, name, rng), VERBS):
                assert main(verb) in (0, 1), verb
                said = capsys.readouterr()
                assert "Traceback" not in said.out + said.err
        finally:
            path.write_bytes(intact)


def refuse_device(_serial: str) -> None:
    raise UserError("There is no phone")
