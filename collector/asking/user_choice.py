"""Who answers the questions of an experiment's agents, and what happens when nobody does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.user_reply import BY_PERSON, BY_TASK

GO_ON, END = "go-on", "end"
UNANSWERED = (GO_ON, END)
"""After a question that nobody answers: the agent is told so and goes on, or the episode ends."""
DEFAULT_WITHIN_S = 120


@dataclass(frozen=True, slots=True)
class UserChoice:
    """What the key ``user`` of an experiment says."""

    who: str = BY_TASK
    """One of WHO_ANSWERS."""
    within_s: int = DEFAULT_WITHIN_S
    """How long a person may take."""
    unanswered: str = GO_ON
    """One of UNANSWERED."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the model that plays the user, as :data:`collector.endpoint.endpoint_options.ENDPOINT_OPTIONS`."""

    def as_dict(self) -> dict[str, Any]:
        """The choice as JSON, with what decides how an episode goes alone."""
        values: dict[str, Any] = {"who": self.who, "unanswered": self.unanswered}
        if self.who != BY_TASK:
            values["within_s"] = self.within_s
        return {**values, "options": dict(self.options)} if self.options else values

    @property
    def as_written(self) -> str | dict[str, Any] | None:
        """The value of the key in a file of an experiment; None for the usual choice, which needs no key."""
        values: dict[str, Any] = {"who": self.who, **self.options}
        if self.who == BY_PERSON and self.within_s != DEFAULT_WITHIN_S:
            values["within_s"] = self.within_s
        if self.unanswered != GO_ON:
            values["unanswered"] = self.unanswered
        if len(values) > 1:
            return values
        return None if self.who == BY_TASK else self.who

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> UserChoice:
        """The choice of :meth:`as_dict`. Raises ValueError or TypeError for anything else."""
        return cls(
            str(values.get("who", BY_TASK)), int(values.get("within_s", DEFAULT_WITHIN_S)),
            str(values.get("unanswered", GO_ON)), dict(values.get("options", {})),
        )  # fmt: skip


USUAL_USER = UserChoice()
"""The task's replies answer, and an agent whose question fits none is told so."""
