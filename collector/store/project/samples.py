"""The sample projects to start from: the whole sample, and the parts of it that show one thing each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from collector.model.i18n import N_, _


@dataclass(frozen=True, slots=True)
class SampleProject:
    """A part of the sample project: some of its tasks with all that belongs to them, and some experiments."""

    id: str
    title: str
    doc: str
    """What there is to see in it."""
    tasks: frozenset[str] = frozenset()
    """Ids of its tasks; none for all."""
    experiments: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """The title in the person's language."""
        return _(self.title)

    @property
    def help(self) -> str:
        """What there is to see, in the person's language."""
        return _(self.doc)

    @property
    def command(self) -> str:
        """The command of the window that opens the person's copy."""
        return f"project.open-{'sample' if self.is_whole else self.id}"

    @property
    def is_whole(self) -> bool:
        """Whether it is the sample project with everything."""
        return not self.tasks


WHOLE = SampleProject("everything", N_("Everything"), N_("All tasks, reviews and runs in one project"))
ROBUSTNESS = SampleProject(
    "robustness",
    N_("Robustness"),
    N_("Anomalies, the rules that inject them, and 27 runs with and without interruptions"),
    frozenset({"shop-13", "shop-18", "todo-01", "todo-04", "messenger-02", "messenger-05", "settings-03"}),
    frozenset({"quick", "rule-driven"}),
)
ESSENTIAL_STATES = SampleProject(
    "essential-states",
    N_("Essential states"),
    N_("States that two people proposed, settled and audited, with labels and 27 judged runs"),
    frozenset({"shop-11", "shop-13", "shop-14", "todo-01", "todo-04", "messenger-02", "messenger-05",
               "settings-03"}),
    frozenset({"quick"}),
)  # fmt: skip
VARIATIONS = SampleProject(
    "variations",
    N_("Variations"),
    N_("32 runs of two agents on a phone that looks and reads differently"),
    frozenset({"todo-06", "todo-07"}),
    frozenset({"variations"}),
)
SAMPLES: Mapping[str, SampleProject] = {
    sample.id: sample for sample in (ROBUSTNESS, ESSENTIAL_STATES, VARIATIONS, WHOLE)
}
"""By id, those that show one thing first."""
