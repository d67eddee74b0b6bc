"""The verdicts that people give, as the commands of Review and of labels in States show them."""

from __future__ import annotations

from collector.model.i18n import N_

VERDICT_COMMANDS = (
    ("success", "state-ok", N_("Judge as success"), N_("Your verdict: the trajectory did its task")),
    ("failure", "state-err", N_("Judge as failure"), N_("Your verdict: the trajectory did not do its task")),
    (
        "uncompleted",
        "state-unc",
        N_("Judge as uncompleted"),
        N_("Your verdict: the trajectory was cut off before the agent said it was done"),
    ),
    ("undecided", "state-todo", N_("Cannot be judged"), N_("Your verdict: what is recorded cannot say")),
)
"""The verdict, its icon, the title and the tooltip."""
