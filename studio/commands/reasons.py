"""Why a command cannot be run now: a sentence for each name of the when-clauses."""

from __future__ import annotations

from collections.abc import Mapping

from collector.model.i18n import N_, _
from studio.commands.when import compile_clause

MISSING = {
    "project.open": N_("no project is open"),
    "workspace.project": N_("it works in Project and Record"),
    "workspace.record": N_("it works in Project and Record"),
    "project.trusted": N_("no commands of this project are trusted"),
    "undo.possible": N_("there is nothing to undo"),
    "redo.possible": N_("there is nothing to redo"),
    "anomaly.active": N_("no anomaly is active on the phone"),
    "solvability.running": N_("no solvability check is running"),
    "task.selected": N_("no task is selected"),
    "task.chosen": N_("no task is chosen"),
    "trajectory.selected": N_("no trajectory is selected"),
    "device.live": N_("no phone is connected"),
    "phones.several": N_("the window has no second phone"),
    "phones.shown": N_("the window has no phone"),
    "device.taken": N_("no other program uses the phone"),
    "recording": N_("nothing is being recorded"),
    "paused": N_("the recording is not paused"),
    "trajectory.open": N_("no trajectory is open"),
    "trajectory.stored": N_("no stored trajectory is open"),
    "metrics.episodes": N_("there is no episode yet"),
    "review.open": N_("no trajectory is open in Review"),
    "review.several": N_("only one trajectory is open in Review"),
    "review.judged": N_("you gave no verdict yet"),
    "review.commented": N_("no comment is being written"),
    "review.others": N_("there is no review that somebody else submitted and you may see"),
    "review.range": N_("no range is selected on the timeline"),
    "review.golden": N_("the chosen trajectory is no golden one"),
    "review.video": N_("the chosen trajectory has no video"),
    "review.other": N_("the chosen trajectory is the reference already"),
    "experiment.chosen": N_("the project has no experiment"),
    "experiment.valid": N_("no experiment that can be run is chosen"),
    "run.stale": N_("no result of the experiment is stale"),
    "run.attached": N_("the experiment is not being run"),
    "run.asked": N_("no agent waits for an answer of a person"),
    "run.on-phones": N_("the run has no phones: golden steps are asked offline"),
    "run.episode": N_("no phone with a running episode is selected"),
    "run.cell": N_("no cell of the results is selected"),
    "run.cell-stored": N_("no cell with a stored run is selected"),
    "run.logged": N_("no run of this experiment was started from a window"),
    "metrics.stale": N_("no episode is stale"),
    "metrics.pivot": N_("the tables of a paper have rows and columns of their own"),
    "metrics.narrowed": N_("all episodes are counted"),
    "metrics.tables": N_("no numbers are on show"),
    "metrics.number": N_("no number is selected"),
    "metrics.episode": N_("no episode is selected"),
    "step.selected": N_("no step is selected"),
    "edit.step": N_("no step of a golden trajectory is on show"),
    "edit.stored": N_("no step of a stored golden trajectory is on show"),
    "phone.replaying": N_("no recorded steps are being replayed"),
    "insert.armed": N_("no steps are being inserted"),
    "rerecord.armed": N_("no step waits to be recorded again"),
    "mirror.shown": N_("there is no phone and no recorded screen"),
    "rules.open": N_("no rule file is open"),
    "rule.selected": N_("no rule is selected"),
    "rule.listed": N_("no rule is selected"),
    "anomaly.listed": N_("no anomaly is selected"),
    "rules.recorded": N_("nothing is recorded to try rules on"),
    "rehearsal.ready": N_("no rehearsal is running"),
    "rehearsal.has_states": N_("the rehearsal is empty"),
    "states.task": N_("no task is chosen"),
    "states.recorded": N_("nothing is recorded of this task"),
    "state.selected": N_("no essential state is selected"),
    "states.labelling": N_("no trajectory is labelled: open the tab Labels of States"),
    "variations.shown": N_("the tab Variations of Rules is not open"),
    "variation.own": N_("no variation of the project is selected"),
    "anomalies.open": N_("no library of anomalies is open"),
    "anomaly.selected": N_("no anomaly is selected"),
    "anomaly.dialog": N_("no anomaly with a dialog is selected"),
    "proposal.startable": N_("you have a proposal already, audit the task, or two others propose its states"),
    "proposal.open": N_("you have no open proposal for this task"),
    "proposal.signed": N_("you have no signed proposal for this task"),
    "definition.open": N_("there are no two signed proposals, yours among them, that are to be settled"),
    "definition.settled": N_("not every difference is settled"),
    "definition.stale": N_("no proposal was changed since both were aligned"),
    "definition.finished": N_("the operators have not agreed on the states yet"),
    "audit.startable": N_("no agreed states wait for you to audit them"),
    "audit.open": N_("you have no open audit of this task"),
    "audit.signed": N_("you have no signed audit of this task"),
    "anomaly.form": N_("the selected anomaly has no form with one or two buttons"),
}
"""Sentences for names that a command needs."""
IN_THE_WAY = {
    "variations.shown": N_("the tab Variations is open"),
    "virtual.starting": N_("a virtual phone is being started"),
    "solvability.running": N_("a solvability check is running"),
    "project.read-only": N_("the project is read-only"),
    "states.labelling": N_("a trajectory is being labelled"),
    "phone.replaying": N_("the recorded steps are being replayed"),
    "device.forced": N_("the phone is used already"),
    "recording": N_("a recording is running"),
    "paused": N_("the recording is paused"),
    "trajectory.stored": N_("a stored trajectory is open"),
    "run.active": N_("the experiment is running"),
    "metrics.studying": N_("a study of windows is running"),
    "run.stopping": N_("the run is being stopped"),
    "run.selected": N_("a run is selected, whose id names its cell"),
}
"""Sentences for names that must not hold."""


def reason(when: str, context: Mapping[str, object]) -> str:
    """Why a when-clause does not hold, without a full stop; empty when it holds."""
    clause = compile_clause(when)
    if clause(context):
        return ""
    name, wanted = clause.unmet(context)
    sentence = (MISSING if wanted else IN_THE_WAY).get(name)
    return _(sentence) if sentence else _("there is nothing it could work on")
