"""The steps of the guided tour: what each says, what it points to, and when it is done. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from collector.model.i18n import N_, _, join_sentences, ngettext
from studio.app.guided_tour.tour_facts import TourFacts


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step. The first that is not done is shown: nothing counts as done that is not."""

    id: str
    title: str
    sentence: str
    is_done: Callable[[TourFacts], bool]
    command: str = ""
    """What its button runs."""
    targets: tuple[str, ...] = ()
    """Commands whose button it points to, or texts of buttons; the first that is seen."""
    dialog_notes: Mapping[str, str] = field(default_factory=dict)
    """What it says in a dialog, by the class of the dialog."""
    on_phone: bool = False
    """Whether it points to the screen of the phone."""


_SUGGESTED = "todo-finish-expenses"
"""The task that the tour suggests."""
_WHERE = N_("In To-do the menu at the upper left has the lists; the box stands at the left of the line")
STEPS = (
    TourStep(
        "project",
        N_("Make a project of your own"),
        N_("It is a folder for your tasks and recordings. The virtual phone starts with it."),
        lambda facts: bool(facts.project),
        "project.new-with-phone",
        (N_("Start the virtual phone"), "project.new"),
        {"NewProjectDialog": N_("Keep the name or type another, then press Enter.")},
    ),
    TourStep(
        "phone",
        N_("Start the virtual phone"),
        N_("A simulated Android phone: it records like a real one, and takes a few seconds to start."),
        lambda facts: facts.phone or facts.recorded is not None,
        "device.start-virtual",
        ("device.start-virtual",),
    ),
    TourStep(
        "task",
        N_("Add a task that judges itself"),
        N_("A built-in task says what must be different in the apps afterwards, so the studio can judge it."),
        lambda facts: facts.task is not None,
        "task.add-built-in",
        ("task.add-built-in",),
        {"BuiltInTasksDialog": N_("Type expenses, tick the task (Down, then Space), and press Ctrl+Enter.")},
    ),
    TourStep(
        "record",
        N_("Record how you do it"),
        N_("Every touch on the phone becomes a step, with its screen. Nothing has to be saved."),
        lambda facts: facts.is_recording or facts.recorded is not None,
        "record.task",
        ("task.record", "record.start"),
    ),
    TourStep(
        "act",
        N_("Do the task on the phone"),
        N_("Click where a finger would tap. By keyboard: press T, type what to tap, press Enter."),
        lambda facts: facts.recorded is not None or (facts.is_recording and facts.is_done),
        on_phone=True,
    ),
    TourStep(
        "finish",
        N_("Finish the recording"),
        N_("The task is done on the phone. Finish writes the last screen and has the task judged."),
        lambda facts: facts.recorded is not None,
        "record.finish",
        ("record.finish",),
    ),
    TourStep(
        "verdict",
        N_("Read the verdict"),
        N_("The studio compared the apps before and after. Open the recording to see it at its steps."),
        lambda facts: facts.is_read,
        "tour.open-recording",
    ),
)


def current_step(facts: TourFacts) -> int:
    """The place of the first step that is not done; the number of steps when all are."""
    return next((place for place, step in enumerate(STEPS) if not step.is_done(facts)), len(STEPS))


def fact_of(step: TourStep, facts: TourFacts) -> str:
    """What has really happened of a step; empty where there is nothing to say."""
    if step.id == "phone" and facts.own_phone:
        return _(
            "{phone} stays connected: the tour's task is for the apps of the virtual one, "
            "yours is judged by rules that you make later", phone=facts.own_phone,
        )  # fmt: skip
    if step.id in ("record", "act", "finish") and facts.task is not None:
        count = ngettext("{count} step is recorded", "{count} steps are recorded", facts.steps)
        where = _(_WHERE) if step.id == "act" and facts.task.id == _SUGGESTED else ""
        return join_sentences(facts.task.instruction, where, count if facts.is_recording else "")
    if step.id == "verdict" and facts.recorded is not None:
        return _verdict(facts)
    return ""


def _verdict(facts: TourFacts) -> str:
    assert facts.recorded is not None
    judgement = facts.recorded.judgement
    if judgement is None:
        return _("Nobody judged it: its task does not say when it is done")
    if facts.recorded.is_success:
        return _("Verdict: the task is done")
    return _("Verdict: not done. {reason}", reason=judgement.reason)
