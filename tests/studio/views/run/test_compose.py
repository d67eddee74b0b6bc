"""What a person does in the compose panel becomes text of the experiment's file, in a built window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from collector.model.errors import UserError
from collector.model.trajectory import TrajectoryHeader
from collector.run.control.requests import StopRun
from collector.run.events import EpisodeBegan, EpisodeEnded, RunBegan, RunEnded, WorkerChanged
from collector.store.project.project import Project
from studio.bridge.runs.run_attachment import Attachment, RunnerFailure
from studio.bridge.runs.run_trust import run_trust_request
from studio.views.run.compose.agent_form_dialog import AgentFormDialog
from studio.views.run.compose.dry_run_dialog import DryRunDialog
from studio.views.run.compose.task_selection_dialog import TaskSelectionDialog
from studio.views.run.compose.user_model_dialog import UserModelDialog
from studio.widgets.dialogs.dialog import Dialog
from tests.helpers.shown_texts import says, shown_texts
from tests.helpers.steps import png, step, xml

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def _dialog(room, kind):
    def shown() -> list:
        widgets = QApplication.topLevelWidgets()
        return [item for item in widgets if isinstance(item, kind) and item.isVisible()]

    room.until(shown)
    return shown()[0]


def _answer(room, text: str) -> None:
    dialog = _dialog(room, QInputDialog)
    dialog.setTextValue(text)
    dialog.accept()


def _choose_who_answers(room, session, panel) -> None:
    """Each choice is written as short as it can be, and said in words."""
    assert panel.user_text.text() == "The replies of the task"

    def pick(words: str) -> None:
        panel.user.button.click()
        menu = QApplication.activePopupWidget()
        next(action for action in menu.actions() if action.text().startswith(words)).trigger()
        menu.close()

    pick("A person")
    room.until(lambda: panel.user_text.text() == "A person, within 120 s")
    assert "user: person\n" in session.experiments.document.text
    pick("How long")
    number = _dialog(room, QInputDialog)
    number.setIntValue(45)
    number.accept()
    room.until(lambda: panel.user_text.text() == "A person, within 45 s")
    pick("The episode ends")
    room.until(lambda: session.experiment.user.unanswered == "end")
    assert panel.user_text.text() == "A person, within 45 s. Without an answer the episode ends"
    pick("A model")
    form = _dialog(room, UserModelDialog)
    form.accept()
    assert not form.problem.isHidden(), "it needs a model"
    form.fields["model"].setText("gpt")
    form.fields["base_url"].setText("http://127.0.0.1:9/v1")
    form.accept()
    room.until(lambda: panel.user_text.text().startswith("The model gpt"))
    assert dict(session.experiment.user.options) == {"model": "gpt", "base_url": "http://127.0.0.1:9/v1"}
    pick("The agent is told so")
    room.until(lambda: session.experiment.user.unanswered == "go-on")
    pick("The replies of the task")
    room.until(lambda: "user" not in session.loaded.file.root.plain)


def test_ticks_chips_and_numbers_are_written_into_the_file(room) -> None:
    panel, session, file = room.workspace.experiment_panel, room.session, room.file
    assert panel.summary.facts.size == "2 tasks × 2 agents × 2 conditions × 2 seeds"
    assert panel.summary.facts.total == 16
    assert panel.summary.facts.time == "time known once it runs"

    panel.row(panel.agents, "random").click()
    room.until(lambda: [entry.id for entry in session.experiment.agents] == ["golden"])
    assert panel.summary.facts.total == 8
    assert not panel.row(panel.agents, "random").isChecked()
    assert "# both" in session.experiments.document.text
    panel.row(panel.agents, "random").click()
    room.until(lambda: len(session.experiment.agents) == 2)

    panel.row(panel.conditions, "battery").click()
    room.until(lambda: [condition.id for condition in session.experiment.conditions] == ["baseline"])
    panel.row(panel.variations, "dark_theme").click()
    room.until(lambda: session.experiment.variations == ("", "dark_theme"))
    panel.language_chips.add.click()
    _answer(room, "klingon")
    assert any("klingon is no language" in words for words in room.toasts)
    panel.language_chips.add.click()
    _answer(room, "zh-CN")
    room.until(lambda: session.experiment.languages == ("", "zh-CN"))
    panel.language_chips.chips[0].click()
    room.until(lambda: session.experiment.languages == ("zh-CN",))
    panel.language_chips.chips[0].click()
    room.until(lambda: session.experiment.languages == ("",))
    with Project.open(room.folder).new_trajectory(
        TrajectoryHeader("golden-1", session.experiment.tasks[0])
    ) as writer:
        writer.append(step(0), png(), xml())
        writer.finish(0)
    panel.start_chips.add.click()
    _answer(room, "golden-1@1")
    room.until(lambda: session.experiment.starts is not None and len(session.experiment.starts) == 1)
    assert "1 start ×" in panel.summary.facts.size
    assert [chip.item.key for chip in panel.start_chips.chips] == ["golden-1@1"]
    panel.start_chips.add.click()
    _answer(room, "experiment:other outcome:failure")
    room.until(lambda: session.experiment.starts == ())
    assert any("No run fits" in item.sentence for item in session.loaded.errors)
    panel.start_chips.chips[0].click()
    room.until(lambda: session.experiment.starts is None)

    panel.row(panel.offline, "all").click()
    room.until(lambda: [asked.trajectory for asked in session.experiment.offline or ()] == ["golden-1"])
    assert (panel.phones.text(), panel.starts.isVisibleTo(panel)) == ("none needed", False)
    room.workspace.results.show_form("rates")
    page = room.workspace.results.answers
    room.until(lambda: page.note.text() == "0 golden trajectories")
    panel.row(panel.offline, "all").click()
    room.until(lambda: session.experiment.offline is None)
    assert panel.starts.isVisibleTo(panel)
    room.workspace.results.show_form("grid")
    task = session.experiment.tasks[0]
    room.studio.commander.run("run.add-start", start="golden-1@1", task=task)
    _answer(room, session.name)
    room.until(lambda: [start.text for start in session.experiment.starts or ()] == ["golden-1@1"])
    session.undo()
    room.until(lambda: session.experiment.starts is None)
    _choose_who_answers(room, session, panel)
    seen = [key for key in ("screenshot", "screenshot+tree", "tree")
            if panel.row(panel.modalities, key).isChecked()]  # fmt: skip
    assert seen == ["screenshot+tree"]  # the usual one of both agents
    panel.row(panel.modalities, "tree").click()
    room.until(lambda: session.experiment.modalities == ("screenshot+tree", "tree"))
    panel.row(panel.modalities, "screenshot+tree").click()
    room.until(lambda: session.experiment.modalities == ("tree",))
    panel.row(panel.modalities, "tree").click()
    room.until(lambda: session.experiment.modalities == ())
    panel.seed_chips.chips[0].click()
    room.until(lambda: session.experiment.seeds == (7,))
    panel.seed_chips.add.click()
    _answer(room, "9, 11")
    room.until(lambda: session.experiment.seeds == (7, 9, 11))
    panel.budget.setValue(12)
    panel.budget.setValue(13)
    panel.repeats.setValue(3)
    room.until(lambda: (session.experiment.budget, session.experiment.repeats) == (13, 3))
    room.until(lambda: "budget: 13" in file.read_text())
    assert panel.summary.facts.total == 2 * 2 * 2 * 3 * 3

    room.run("edit.undo")
    room.run("edit.undo")  # the budget is one step, though it was changed twice
    room.until(lambda: (session.experiment.budget, session.experiment.repeats) == (5, 1))

    panel.task_chips.chips[0].click()
    dialog = _dialog(room, TaskSelectionDialog)
    dialog.query.setText("task:buy")
    assert dialog.list.chosen == ["buy"]
    dialog.query.setText("nonsense:x")
    assert not dialog.yes.isEnabled()
    dialog.query.setText("app:Shop")
    dialog.list.tick("look", False)
    dialog.yes.click()
    room.until(lambda: session.experiment.tasks == ("buy",))
    assert session.loaded.file.root.plain["tasks"] == {"where": "app:Shop", "except": ["look"]}

    room.until(lambda: "except" in file.read_text())
    file.write_text("tasks: [nowhere]\nagents: [golden\n", encoding="utf-8")
    room.until(lambda: "nowhere" in session.loaded.file.text)
    assert not room.studio.commander.enabled("run.start")
    assert panel.problems.count() > 0
    panel.row(panel.agents, "golden").click()
    assert any("cannot be changed" in words for words in room.toasts)


def test_ticked_variations_are_crossed_and_sampled_and_goal_styles_are_ticked(room) -> None:
    panel, session = room.workspace.experiment_panel, room.session
    plain = lambda key: session.loaded.file.root.plain.get(key)  # noqa: E731 - read each time
    for name in ("dark_theme", "german", "mandarin"):
        panel.row(panel.variations, name).click()
        room.until(lambda name=name: name in session.experiment.variations)
    panel.variations.button.click()
    _choose(room, "Each appearance with each content, pop-up and noise")
    room.until(lambda: len(session.experiment.variations) == 6)
    assert plain("variations") == {"crossed": [["default", "dark_theme"], ["default", "german", "mandarin"]]}
    assert panel.variations.count.text() == "6 crossed"
    assert panel.row(panel.variations, "mandarin").isChecked()
    panel.row(panel.variations, "mandarin").click()
    room.until(lambda: len(session.experiment.variations) == 4)
    panel.variations.button.click()
    _choose(room, "A sample of these combinations...")
    _answer(room, "many")
    assert any("many is no sample" in words for words in room.toasts)
    panel.variations.button.click()
    _choose(room, "A sample of these combinations...")
    _answer(room, "3 7")
    room.until(lambda: len(session.experiment.variations) == 3)
    assert plain("variations")["sample"] == 3
    assert plain("variations")["seed"] == 7
    assert panel.variations.count.text() == "3 drawn"
    panel.variations.button.click()
    _choose(room, "Each by itself")
    room.until(lambda: session.experiment.variations == ("", "dark_theme", "german"))

    assert not panel.goal_styles.isVisible()
    project = Project.open(room.folder)
    worded = {"casual": ("Get it",), "my_own": ("It, please",)}
    project.save_tasks([replace(task, rewordings=worded) for task in project.tasks])
    room.until(panel.goal_styles.isVisible)
    panel.row(panel.goal_styles, "casual").click()
    room.until(lambda: session.experiment.goal_styles == ("", "casual"))
    assert "2 goal styles" in panel.summary.facts.size
    panel.row(panel.goal_styles, "").click()
    room.until(lambda: session.experiment.goal_styles == ("casual",))
    assert plain("goal_styles") == ["casual"]


BROKEN = """format: waymark-judge
version: 1
description: One of our own
method: windows
model: m
base_url: http://127.0.0.1:9/v1
prompt: judges/none.prompt
"""


def _choose(room, words: str) -> None:
    """Trigger the entry of the menu that is open."""
    room.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    (entry,) = [action for action in menu.actions() if action.text() == words]
    entry.trigger()
    menu.close()


def test_judges_are_added_in_order_and_one_that_cannot_judge_is_said_to(room) -> None:
    panel, session, project = room.workspace.experiment_panel, room.session, Project.open(room.folder)
    project.paths.judge("ours").parent.mkdir()
    project.paths.judge("ours").write_text(BROKEN, encoding="utf-8")
    project.paths.judge("unreadable").write_text("method: windows\n", encoding="utf-8")
    chips = panel.judge_chips

    def judges() -> list[str]:
        return [chip.item.key for chip in chips.chips]

    assert judges() == ["rules"]
    chips.add.click()
    room.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    entries = {action.text(): action for action in menu.actions()}
    headings = [text for text in entries if text.startswith("Of ")]
    assert headings == ["Of this project", "Of the studio"]
    refused = [text for text in entries if text.startswith("The judge unreadable cannot be used: ")]
    assert [entries[text].isEnabled() for text in refused] == [False]
    assert entries["ours"].toolTip() == "One of our own"
    assert "windows" not in entries
    entries["a3rm"].trigger()
    menu.close()
    room.until(lambda: judges() == ["rules", "a3rm"])
    chips.add.click()
    _choose(room, "ours")
    room.until(lambda: judges() == ["rules", "a3rm", "ours"])
    assert panel.judges.count.text() == "3"
    assert any("none.prompt" in item.sentence for item in session.loaded.errors)
    room.until(lambda: says(panel, "none.prompt"))
    assert "W617" in {item.code for item in session.loaded.errors}

    chips.chips[2].click()
    _choose(room, "Move forward")
    room.until(lambda: judges() == ["rules", "ours", "a3rm"])
    assert session.loaded.file.root.plain["judges"] == ["rules", "ours", "a3rm"]
    chips.chips[1].click()
    _choose(room, "Remove")
    room.until(lambda: judges() == ["rules", "a3rm"])
    assert "W617" not in {item.code for item in session.loaded.errors}
    room.until(lambda: "judges: [rules, a3rm]" in room.file.read_text())
    request = run_trust_request(project, session.experiment)
    assert [group.name for group in request.groups] == ["a3rm"]
    chips.chips[0].click()
    room.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert [(entry.text(), entry.isEnabled()) for entry in menu.actions()] == [
        ("The rules judge every episode", False)
    ]
    menu.close()
    room.run("edit.undo")
    room.until(lambda: judges() == ["rules", "ours", "a3rm"])
    chips.chips[1].click()
    _choose(room, "Remove")
    room.until(lambda: judges() == ["rules", "a3rm"])
    chips.chips[1].click()
    _choose(room, "Remove")
    room.until(lambda: session.experiment.judges == ())
    room.until(lambda: "judges" not in room.file.read_text())


PROGRAM = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "observation":
        print("looking", file=sys.stderr, flush=True)
        action = {"kind": "tap", "x": 180, "y": 320}
        print(json.dumps({"type": "answer", "id": message["id"], "action": action}), flush=True)
"""


def test_a_program_is_described_in_a_form_and_tried_before_it_is_added(room) -> None:
    panel, session = room.workspace.experiment_panel, room.session
    (room.folder / "agent.py").write_text(PROGRAM)
    panel.agents.button.click()
    [action] = [item for item in room.menu().actions() if item.text() == "Program of any language"]
    action.trigger()
    form = _dialog(room, AgentFormDialog)
    form.yes.click()
    assert "process needs the option command" in form.problem.text()
    command = form.fields["command"]
    command.setText("{python} agnt.py")
    form.yes.click()
    room.until(lambda: "there is no file agnt.py" in form.problem.text())
    form.take_file(str(room.folder / "agent.py"))
    assert command.text() == "{python} agent.py"
    command.setText("{python} agent.py --fast")
    form.name.setText("golden")
    form.yes.click()
    assert form.isVisible(), "the name is taken"
    form.name.setText("mine")
    form.fields["timeout_s"].setText("30")
    form.fields["tree"].setCurrentText("nodes")
    form.try_it.click()
    room.until(lambda: "It answered in" in form.answer.text())
    assert "the only button of the screen" in form.answer.text()
    assert form.answer.text().endswith("looking")
    form.yes.click()
    room.until(lambda: [entry.id for entry in session.experiment.agents][-1] == "mine")
    entry = session.experiment.agents[-1]
    assert entry.kind == "process"
    assert entry.options == {
        "command": ["{python}", "agent.py", "--fast"], "tree": "nodes", "timeout_s": 30,
    }  # fmt: skip
    assert {item.code for item in session.loaded.errors} == {"W609"}  # golden has no recording
    room.run("edit.undo")
    room.until(lambda: "mine" not in {entry.id for entry in session.experiment.agents})


def test_experiments_are_made_duplicated_renamed_and_deleted_with_undo(room) -> None:
    session, folder = room.session, room.file.parent
    room.run("run.new")
    _answer(room, "exp-01")
    assert any("already" in words for words in room.toasts)
    room.run("run.new")
    _answer(room, "battery tests")
    room.until(lambda: session.name == "battery tests" and session.loaded is not None)
    room.run("run.duplicate")
    room.until(lambda: session.name == "battery tests-2" and session.loaded is not None)
    room.run("run.rename")
    _answer(room, "second")
    room.until(lambda: session.name == "second" and session.loaded is not None)
    assert sorted(path.stem for path in folder.glob("*.yaml")) == ["battery tests", "exp-01", "second"]
    room.run("run.delete")
    room.until(lambda: "second" not in session.files)
    room.run("edit.undo")
    room.until(lambda: session.name == "second" and session.loaded is not None)
    room.run("edit.undo")
    room.until(lambda: session.name == "battery tests-2" and session.loaded is not None)
    panel = room.workspace.experiment_panel
    assert panel.summary.isVisible()
    session.choose("exp-01")  # until it is read, nothing of another experiment stands under its name
    assert panel.name.text() == "exp-01"
    assert panel.reading.text() == "Reading the experiment"
    assert (panel.reading.isVisible(), panel.summary.isVisible(), panel.budget.isVisible()) == (
        True,
        False,
        False,
    )
    room.until(lambda: session.loaded is not None)
    assert (panel.reading.isVisible(), panel.summary.isVisible(), panel.budget.isVisible()) == (
        False,
        True,
        True,
    )
    session.choose("battery tests-2")
    room.until(lambda: session.loaded is not None)
    room.run("run.dry-run")
    dialog = _dialog(room, DryRunDialog)
    dialog.reject()


def test_a_new_experiment_that_another_program_changed_is_not_undone(room) -> None:
    session, path = room.session, room.file.parent / "fresh.yaml"
    room.run("run.new")
    _answer(room, "fresh")
    room.until(lambda: session.name == "fresh" and session.loaded is not None)
    theirs = path.read_text(encoding="utf-8") + "# theirs\n"
    path.write_text(theirs, encoding="utf-8")
    room.run("edit.undo")
    room.until(lambda: any("fresh.yaml was changed since" in words for words in room.toasts))
    assert path.read_text(encoding="utf-8") == theirs
    assert room.workspace.history.undo_title == ""


def test_the_panel_follows_a_run_and_says_how_it_ended(room) -> None:
    session, panel = room.session, room.workspace.experiment_panel
    first, second = session.cells[:2]
    session.runs.state = Attachment.ATTACHED
    began = [
        RunBegan(experiment="exp-01", total=16, done=0),
        WorkerChanged(worker="w1", state="ready", phone="virtual 1"),
        EpisodeBegan(worker="w1", cell=first.id, task="buy", agent="golden", condition="baseline",
                     trajectory="t", budget=5),
    ]  # fmt: skip
    session.take_events(began)
    commander, rail = room.studio.commander, room.studio.window.rail
    assert commander.enabled("run.stop")
    sizes = room.workspace.tiles.height()
    assert sizes > 300  # the results had the room before
    assert not commander.enabled("run.start")
    assert panel.budget.isReadOnly()
    ended = EpisodeEnded(worker="w1", cell=first.id, trajectory="t", status="success", steps=4, seconds=2.0)
    session.take_events([ended])
    assert (panel.summary.facts.success, panel.summary.facts.finished) == (1, 1)
    assert panel.summary.facts.time.endswith("left")
    assert panel.row(panel.agents, "golden").note == "0.5 s a step"
    fault = EpisodeEnded(worker="w1", cell=second.id, trajectory="u", infrastructure="The phone is offline")
    session.take_events([fault])
    assert "fault" in panel.note.text()
    # The rail counts the run; so do the jobs, which can end it.
    session.runs.running = ("exp-01", "other")
    session.runs.changed.emit()
    assert rail.jobs_item.text() == "2 jobs"
    (job, _other) = room.studio.tasks.titled
    assert (job.title, job.done, job.total) == ("Run of exp-01", 1, 16)
    # To stop shows at once that it was asked for; a refusal takes that back.
    asked: list[object] = []
    session.runs.send = asked.append
    job.cancel()
    assert asked == [StopRun()]
    assert not commander.enabled("run.stop")
    stop = room.workspace.toolbar.buttons["run.stop"]
    assert (stop.text(), stop.isEnabled()) == ("Stopping", False)
    assert room.workspace.note.words.text() == "Stopping"
    session.runs.failed.emit(UserError("The runner is gone"))
    assert commander.enabled("run.stop")
    assert room.workspace.note.words.text() == "Running"
    room.run("run.stop")
    dialog = _dialog(room, Dialog)
    dialog.accept()
    assert asked == [StopRun(), StopRun()]
    assert room.workspace.note.words.text() == "Stopping"
    assert panel.summary.facts.time == ""
    session.take_events([RunEnded(how="stopped")])
    session.runs.ended.emit(True)
    session.take_events([WorkerChanged(worker="w1", state="closed")])
    assert "Its file has 1 error, listed under Experiment" in shown_texts(room.workspace.tiles)
    session.loaded = replace(session.loaded, diagnostics=())
    session.experiment_changed.emit()
    assert "15 episodes are left: Resume runs them" in shown_texts(room.workspace.tiles)
    assert stop.text() == "Stop..."
    assert any("1 of 16 episodes" in words for words in room.toasts)
    session.runs.running = ()
    session.runs.changed.emit()
    assert not rail.jobs_item.isVisible()
    session.take_events(began)
    session.runs.state = Attachment.NONE
    session.take_events([RunEnded(how="failed", reason="The disk is full")])
    session.runs.ended.emit(True)
    assert any("The disk is full" in words for words in room.toasts)
    session.runs.start_failed.emit(RunnerFailure("exp-01", 2, "first line\nThere is no such phone"))
    assert any("There is no such phone" in words for words in room.toasts)
    room.until(lambda: not panel.budget.isReadOnly())


def test_apps_of_the_virtual_phones_are_made_to_ask_for_their_permissions(room) -> None:
    phones, session = room.workspace.experiment_panel.phones, room.session
    asks = "Apps ask for their permissions"
    for words, written in (
        (asks, {"ask_permissions": True}),
        ("4 virtual phones", {"virtual": 4, "ask_permissions": True}),  # other phones ask as well
        (asks, {"virtual": 4}),
    ):
        phones.click()
        _choose(room, words)
        room.until(lambda written=written: session.loaded.file.root.plain.get("phones") == written)
        assert session.experiment.phones.asks_permissions is ("ask_permissions" in written)
    phones.click()
    _choose(room, asks)
    room.until(lambda: session.experiment.phones.asks_permissions)
    assert "phones: {virtual: 4, ask_permissions: true}" in session.experiments.document.text
