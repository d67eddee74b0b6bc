"""Open the dialogs of rules, states, judges, reviews, metrics and runs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from PySide6.QtWidgets import QDialog

from collector.agents.registry import agent_kinds
from collector.anomalies.anomaly_source import ListedAnomaly
from collector.model.episode import AgentTurn
from collector.model.i18n import _
from collector.model.verdicts.failure_reason import DEFAULT_REASONS
from collector.states.documents.proposal import ProposedState
from tests.helpers.every_dialog import TASK, DialogStage, newest_dialog, opens
from tests.helpers.solvability import LOW, QUIET, case, ground


# -- rules and states -----------------------------------------------------------------------
@opens("RuleUsersDialog")
def _users(stage: DialogStage) -> QDialog:
    from studio.views.rules.rule_users import RuleUsersDialog

    rule = stage.task.rule_key
    return RuleUsersDialog(stage.window, "success", rule, stage.project.tasks, TASK)


@opens("SuggestionDialog")
def _suggestions(stage: DialogStage) -> QDialog:
    from collector.rules.grammar.model import Group
    from collector.states.suggestions.suggestion import (
        FROM_GOLDENS,
        ComparedGolden,
        StateSuggestion,
        StateSuggestions,
    )
    from studio.views.states.suggestion_dialog import SuggestionDialog

    goldens = tuple(ComparedGolden(f"{TASK}-{who}", who, f"golden-{who}") for who in ("lin", "sara"))
    suggestion = StateSuggestion(
        "found", "The search shows what was asked for", Group(), FROM_GOLDENS,
        {golden.id: 3 for golden in goldens}, 90, "Both golden trajectories reach it, and no other task",
        after=("begun",),
    )  # fmt: skip
    dialog = SuggestionDialog(stage.window, TASK)
    dialog.show_result(StateSuggestions(TASK, goldens, (suggestion,)))
    return dialog


@opens("CommentDialog")
def _comment(stage: DialogStage) -> QDialog:
    from collector.store.trajectory.reviews.labels import Comment
    from studio.views.states.labels.comment_dialog import CommentDialog

    return CommentDialog(stage.window, 3, "", Comment("It is the wrong shop", 3))


@opens("ReasonsDialog")
def _reasons(stage: DialogStage) -> QDialog:
    from studio.views.states.labels.reasons_dialog import ReasonsDialog

    return ReasonsDialog(stage.window, DEFAULT_REASONS)


@opens("RejectDialog")
def _reject(stage: DialogStage) -> QDialog:
    from studio.views.states.proposals.audit_controller import RejectDialog

    return RejectDialog(stage.window, "The search shows what was asked for")


@opens("StateEditDialog")
def _state(stage: DialogStage) -> QDialog:
    from studio.views.states.proposals.state_edit_dialog import StateEditDialog, StateSource

    state = ProposedState("found", "The search shows what was asked for", step=3)
    title, sentence = _("The state as you agree on it"), _("It takes the place of both proposals.")
    sources = [StateSource(who, state) for who in ("lin", "sara")]
    return StateEditDialog(stage.window, title, sentence, state, sources, [("a", "a  The shop is open")])


@opens("SolvabilitySetupDialog")
def _solvability(stage: DialogStage) -> QDialog:
    from studio.views.solvability.setup_dialog import SolvabilitySetupDialog

    dialog = SolvabilitySetupDialog(stage.window, lambda _link: 1.0)
    shelf = (ListedAnomaly(QUIET, False), ListedAnomaly(LOW, True))
    dialog.offer(ground(case("one", "low"), case("two")), shelf, ())
    return dialog


# -- judges, reviews and metrics ---------------------------------------------------------------
@opens("JudgeDialog")
def _judge(stage: DialogStage) -> QDialog:
    from collector.model.verdicts.judgement import FAILURE, SUCCESS, Subject
    from studio.widgets.dialogs.judge_dialog import Dispute, JudgeDialog, VerdictChoice

    choices = tuple(VerdictChoice(Subject(), verdict, verdict) for verdict in (SUCCESS, FAILURE))
    disputes = [Dispute(f"State {number}", "lin: reached, sara: missed", choices) for number in range(3)]
    sentence = _("It counts above the verdicts of all others. Undo takes it back.")
    return JudgeDialog(stage.window, disputes, DEFAULT_REASONS, _("Adjudicate"), sentence)


@opens("JudgeFormDialog")
def _judge_form(stage: DialogStage) -> QDialog:
    from collector.model_judges.listed_judges import listed_judges
    from studio.bridge.judges.judge_library import JudgeLibrary
    from studio.views.states.judges.judge_form_dialog import JudgeFormDialog

    judges = [judge for judge in listed_judges(stage.project) if judge.kind is not None]
    widest = max(judges, key=lambda judge: len(judge.kind.options) if judge.kind is not None else 0)
    library = JudgeLibrary(stage.runner, stage.window)
    return JudgeFormDialog(stage.window, library, stage.project, widest, [])


@opens("RunManyDialog")
def _run_many(stage: DialogStage) -> QDialog:
    from studio.bridge.judges.judging_job import JudgingJob, JudgingRequest
    from studio.views.states.judges.run_many_dialog import RunManyDialog

    judging = JudgingJob(stage.runner, stage.window)
    return RunManyDialog(stage.window, judging, stage.project, JudgingRequest("simulated", "lin", task=TASK))


@opens("WindowStudyDialog")
def _study(stage: DialogStage) -> QDialog:
    from studio.bridge.judges.window_studies import WindowStudies
    from studio.views.metrics.window_study_dialog import WindowStudyDialog

    studies = WindowStudies(stage.runner, stage.window)
    return WindowStudyDialog(stage.window, studies, stage.project, ["simulated", "other"], "lin")


@opens("ShareDialog")
def _share(stage: DialogStage) -> QDialog:
    from studio.views.review.share_controller import ShareDialog

    return ShareDialog(stage.window, 2)


@opens("VideoDialog")
def _video(stage: DialogStage) -> QDialog:
    from studio.views.review.video_dialog import VideoDialog

    return VideoDialog(stage.project.folder / "none.mkv", 0, f"{TASK}-lin: video.mkv", stage.window)


@opens("RequestDialog")
def _request(stage: DialogStage) -> QDialog:
    from studio.views.review.request_dialog import RequestDialog

    stored = stage.stored
    request = {"model": "m", "messages": [{"role": "user", "text": "Buy"}]}
    turn = AgentTurn("Open it", "raw", stored.steps[0].action, extra={"request": request})
    steps = (replace(stored.steps[0], agent=turn), *stored.steps[1:])
    asked = replace(stored, trajectory=replace(stored.trajectory, steps=steps))
    return RequestDialog(stage.project, asked, 0, stage.library, stage.runner, stage.window)


# -- runs ---------------------------------------------------------------------------------------
@opens("AgentFormDialog")
def _agent(stage: DialogStage) -> QDialog:
    from studio.views.run.compose.agent_form_dialog import AgentFormDialog

    kind = agent_kinds().kinds["openai"]
    return AgentFormDialog(stage.window, kind, "openai", frozenset(), stage.project, stage.runner)


@opens("UserModelDialog")
def _user_model(stage: DialogStage) -> QDialog:
    from studio.views.run.compose.user_model_dialog import UserModelDialog

    return UserModelDialog({}, stage.window)


@opens("TaskSelectionDialog")
def _task_selection(stage: DialogStage) -> QDialog:
    from collector.run.experiment.scope import scope_of
    from studio.views.run.compose.task_selection_dialog import TaskSelectionDialog

    scope = scope_of(stage.project, agent_kinds().kinds)
    return TaskSelectionDialog(stage.window, scope, (TASK,), "", is_all=False)


@opens("DryRunDialog")
def _dry_run(stage: DialogStage) -> QDialog:
    from collector.run.progress import RunProgress
    from studio.bridge.runs.experiment_reading import read_scene, read_text_of_experiment
    from studio.views.run.compose.dry_run_dialog import DryRunDialog

    path = stage.project.paths.experiment("robustness")
    loaded = read_text_of_experiment("robustness", path, path.read_text("utf-8"), read_scene(stage.project))
    return DryRunDialog(loaded, RunProgress(), stage.window)


@opens("run_controller/ask_stop")
def _stop(stage: DialogStage) -> QDialog:
    from studio.views.run.run_controller import RunController

    progress = SimpleNamespace(counts={"running": 2})
    session = SimpleNamespace(progress=progress, name="robustness", request=lambda _request: None)
    RunController.ask_stop(SimpleNamespace(_session=session, _window=stage.window))  # type: ignore[arg-type]
    return newest_dialog()


@opens("device_owner_controller/show_owner")
def _owner(stage: DialogStage) -> QDialog:
    from studio.app.device_owner_controller import DeviceOwnerController

    ownership = SimpleNamespace(owner=object(), sentence="A recording of lin, since 12:00", is_forced=False)
    asking: Any = SimpleNamespace(
        _ownership=ownership, _window=stage.window, dialog=None, use_anyway=lambda: None, _closed=lambda: None
    )
    DeviceOwnerController.show_owner(asking)
    dialog: QDialog = asking.dialog
    return dialog
