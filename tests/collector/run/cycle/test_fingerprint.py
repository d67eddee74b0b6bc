"""What of an experiment's phones is part of the fingerprint of its episodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from collector.model.episode import Episode
from collector.model.geometry import Size
from collector.model.i18n import SOURCE_LANGUAGE, use_language
from collector.model.resources import asset
from collector.model.task import Task
from collector.run.cycle.episode_plan import EpisodePlan, plan_from_dict
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.model import (
    AgentEntry,
    Cell,
    Experiment,
    PhoneChoice,
    PlannedInjection,
    RunCondition,
)
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.recomputation.current_fingerprints import current_fingerprints
from collector.store.project.project import Project
from collector.store.trajectory.fingerprint import CONDITION, PHONE, RULES, TASK, VARIATION, changed_parts

CELL = Cell("buy", "monkey", "baseline", "tree", seed=1)


def fingerprint(folder: Path, phones: PhoneChoice, cell: Cell = CELL) -> dict[str, str]:
    experiment = Experiment("exp", ("buy",), (AgentEntry("monkey", "monkey"),), (RunCondition("baseline"),))
    now = current_fingerprints(EpisodeProject.load(folder), replace(experiment, phones=phones), [cell])
    return dict(now[cell.key])


def test_the_size_and_the_kind_of_phones_make_results_stale_and_their_number_does_not(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("buy", "Buy a poster")])
    before = fingerprint(project.folder, PhoneChoice(virtual=1, size=Size(300, 666)))
    assert (
        changed_parts(before, fingerprint(project.folder, PhoneChoice(virtual=8, size=Size(300, 666)))) == ()
    )
    for other in (
        PhoneChoice(virtual=1), PhoneChoice(virtual=1, size=Size(300, 666), density=420),
        PhoneChoice(serials=("emulator-5554",)), PhoneChoice(avd="pixel"),
        PhoneChoice(virtual=1, size=Size(300, 666), asks_permissions=True),
    ):  # fmt: skip
        assert changed_parts(before, fingerprint(project.folder, other)) == (PHONE,)
    one, two = (PhoneChoice(serials=(serial,)) for serial in ("a", "b"))
    assert fingerprint(project.folder, one) == fingerprint(project.folder, two)


def test_another_text_of_its_variation_makes_an_episode_stale(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("buy", "Buy a poster")])
    file = project.folder / "variations" / "mine.yaml"
    file.parent.mkdir()
    file.write_text("appearance: {all: {spacing: 0.5}}", "utf-8")
    cell = replace(CELL, variation="mine+dark_theme")
    before = fingerprint(project.folder, PhoneChoice(virtual=1), cell)
    file.write_text("# as before\nappearance:\n  all: {spacing: 0.5}\n", "utf-8")
    assert changed_parts(before, fingerprint(project.folder, PhoneChoice(virtual=1), cell)) == ()
    file.write_text("appearance: {all: {spacing: 0.6}}", "utf-8")
    assert changed_parts(before, fingerprint(project.folder, PhoneChoice(virtual=1), cell)) == (VARIATION,)


def test_a_rewording_makes_episodes_of_its_style_stale_and_no_others(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "project")
    task = Task("buy", "Buy a poster", rewordings={"casual": ("Get one", "A poster!"), "formal": ("Kindly",)})
    project.save_tasks([task])
    cells = {style: replace(CELL, goal_style=style) for style in ("", "casual", "casual:1", "formal")}

    def now() -> dict[str, dict[str, str]]:
        return {style: fingerprint(project.folder, PhoneChoice(), cell) for style, cell in cells.items()}

    before = now()
    assert len({made_by[TASK] for made_by in before.values()}) == 4
    project.save_tasks([replace(task, rewordings={**task.rewordings, "casual": ("Get one", "One poster!")})])
    changed = {style: changed_parts(before[style], made_by) for style, made_by in now().items()}
    assert changed == {"": (), "casual": (TASK,), "casual:1": (), "formal": ()}


def test_what_must_never_happen_makes_a_verdict_stale_and_the_risk_of_an_anomaly_nothing(
    tmp_path: Path,
) -> None:
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("buy", "Buy a poster")])
    paths, written = (
        project.paths,
        "interference_library:\n- {id: pay, target_activity: LowBatteryActivity%s}\n",
    )
    condition = RunCondition("pay", (PlannedInjection("pay", 3),))
    experiment = Experiment("exp", ("buy",), (AgentEntry("monkey", "monkey"),), (condition,))
    cell = replace(CELL, condition="pay")

    def now(risk: str = "", safety: str = "") -> dict[str, str]:
        for path, text in (
            (paths.library, written % risk),
            (paths.rule_file("safety"), f"safety: [{safety}]"),
        ):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return dict(current_fingerprints(EpisodeProject.load(project.folder), experiment, [cell])[cell.key])

    before, rule = now(), "{id: never, conditions: [{type: min_step, value: 99}]}"
    assert changed_parts(before, now(", risk: payment")) == ()
    assert changed_parts(before, now(safety=rule)) == ()
    project.save_tasks([Task("buy", "Buy a poster", forbidden=("never",))])
    assert changed_parts(before, now(safety=rule)) == (RULES,)


def test_the_language_of_the_person_makes_no_result_stale(tmp_path: Path) -> None:
    """The description of an anomaly of the studio is shown in words of that language."""
    crash = RunCondition("crash", (PlannedInjection("app_crash", 3),))
    experiment = Experiment("exp", ("buy",), (AgentEntry("monkey", "monkey"),), (crash,))
    cell, digests, shown = replace(CELL, condition="crash"), [], []
    try:
        for language in (SOURCE_LANGUAGE, "zh_CN"):
            assert use_language(language, asset("translations"))
            created = Project.create(tmp_path / language)
            created.save_tasks([Task("buy", "Buy a poster")])
            project = EpisodeProject.load(created.folder)
            shown.append(next(item.anomaly.description for item in project.anomalies.listed()
                              if item.anomaly.id == "app_crash"))  # fmt: skip
            digests.append(current_fingerprints(project, experiment, [cell])[cell.key][CONDITION])
    finally:
        use_language(SOURCE_LANGUAGE, asset("translations"))
    assert shown[0] != shown[1]
    assert digests[0] == digests[1]


def test_a_stored_plan_keeps_what_was_asked_of_the_phone_and_an_older_plan_has_nothing() -> None:
    experiment = Experiment("exp", ("buy",), (AgentEntry("monkey", "monkey"),), (RunCondition("baseline"),))
    plan = EpisodePlan.of(experiment, CELL, None)
    stored, episode = plan.as_dict(), Episode("exp", CELL.key, "monkey", modality="tree", seed=1, repeat=0)
    assert plan_from_dict(stored, "buy", episode) == plan
    del stored["phone"]
    assert plan_from_dict(stored, "buy", episode).phone == {}


def test_a_phone_is_the_same_on_its_side_and_another_with_another_screen_or_android() -> None:
    header = {"virtual": False, "model": "Pixel 7", "android": "14", "size": "1080x2400", "density": 420}
    phone = PhoneFacts.of_header(header)
    for same in (
        {"size": "2400x1080"},
        {"serial": "other"},
        {"android": ""},
        {"size": "large", "density": "x"},
    ):
        assert phone.fits(PhoneFacts.of_header({**header, **same})), same
    others = (
        {"size": "1080x2340"},
        {"density": 400},
        {"android": "15"},
        {"model": "Pixel 8"},
        {"virtual": True},
    )
    for other in others:
        assert not phone.fits(PhoneFacts.of_header({**header, **other})), other
    assert phone.fits(PhoneFacts.of_header({}))
