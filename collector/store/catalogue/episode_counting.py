"""Compute the facts of one run from its header, its steps and its events."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.action import (
    HALLUCINATED,
    NOT_ON_PHONE,
    Action,
    AskUser,
    Invalid,
    Type,
    action_from_dict,
)
from collector.model.anomaly_terms import COMPANION_PACKAGE, EVENT_PREFIX
from collector.model.episode import ACTING_PERSON, Episode, Outcome, is_by_agent
from collector.model.phone.android_names import is_home_screen
from collector.model.repeated_actions import RepeatCount
from collector.model.task_parameter import PARAMETERS
from collector.model.trajectory import RECORDING, RECOVERED, Step, TrajectoryHeader
from collector.model.user_reply import REPLY, UserReply
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_facts import UNCLEAR, UNKNOWN, EpisodeFacts
from collector.store.trajectory.codec import moment_ms
from collector.store.trajectory.fingerprint import AGENT, SETTINGS, stored_fingerprint
from collector.store.trajectory.interruptions import Interruption, noted_anomalies

_NO_EPISODE, _NO_OUTCOME = Episode(), Outcome()
_ENDED_BY = "ended_by"
"""Key of an outcome's ``extra``: why the runner ended the episode."""
_BUTTON = "Button"
_SHELL = (COMPANION_PACKAGE, "android", "com.android.systemui")
_SHELL_PARTS = ("permissioncontroller", "packageinstaller", "inputmethod")
"""What is no app beside home screens: keyboards, and dialogs of the phone and of anomalies."""


@dataclass(frozen=True, slots=True)
class RunStep:
    """What is needed of a step of a run. It is built from a line of a file, faster than a whole step."""

    t_ms: int
    action: Action | None
    package: str
    target: Mapping[str, str] | None
    """Attributes of the node that the action landed on; None when it landed on none."""
    has_tree: bool
    extra: Mapping[str, Any]

    @property
    def is_by_person(self) -> bool:
        return bool(self.extra.get(ACTING_PERSON))

    @property
    def is_by_agent(self) -> bool:
        return is_by_agent(self.extra)


def run_step_from_line(line: Mapping[str, Any]) -> RunStep:
    """The step of a line that :func:`collector.store.trajectory.codec.is_plain_step` accepts."""
    action, target, state = line.get("action"), line.get("target"), line["state"]
    return RunStep(
        moment_ms(line.get("t_ms", 0)),
        action_from_dict(action) if action else None,
        str(state.get("package") or ""),
        (target.get("attributes") or {}) if target else None,
        bool(state.get("tree")),
        line,
    )


def run_step_from_step(step: Step) -> RunStep:
    """What is counted of a step that is read whole."""
    target = step.target.attributes if step.target is not None else None
    return RunStep(step.t_ms, step.action, step.state.package, target, bool(step.state.tree), step.extra)


def facts_of_episode(
    header: TrajectoryHeader, steps: Sequence[RunStep], interruptions: Sequence[Interruption],
    planned: Sequence[str] | None = None,
) -> EpisodeFacts:  # fmt: skip
    """The facts of a run. ``planned`` are the anomalies of its plan; None when it has none."""
    episode, outcome = header.episode or _NO_EPISODE, header.outcome or _NO_OUTCOME
    noted = noted_anomalies(header)
    appeared = [item.anomaly for item in interruptions]
    own = [step for step in steps if step.action is not None and step.is_by_agent]
    kinds = Counter(type(step.action) for step in own)
    longest, repeated = _repeats(steps)
    asked = _replies(own)
    invalid = [step.action for step in own if isinstance(step.action, Invalid)] if kinds[Invalid] else []
    return EpisodeFacts(
        task=header.task_id,
        **_circumstances(episode),
        parameters=_parameters(header),
        anomalies=", ".join(_anomalies(episode, planned, (*noted, *appeared))),
        outcome=outcome.status,
        claimed=outcome.claimed,
        ended_by=str(outcome.extra.get(_ENDED_BY) or ""),
        phone=_phone_text(header.device),
        currency=outcome.usage.currency,
        answers=listed([f"{item.anomaly}={_answer_to(item)}" for item in interruptions if not item.native]),
        package=_main_package(own),
        started_ms=started_ms(header),
        tie=tie_of(header),
        is_finished=int(_is_finished(header) and not outcome.stopped),
        is_fault=int(bool(outcome.infrastructure) and not outcome.stopped),
        is_stopped=int(outcome.stopped),
        is_early_stop=int(outcome.early_stop),
        is_uninjected=int(bool(episode.condition) and planned == () and not (noted or appeared)),
        by_person=sum(step.action is not None and step.is_by_person for step in steps),
        steps=len(own),
        actions=len(own) - sum(kinds[kind] for kind in NOT_ON_PHONE),
        met=max(len(interruptions), len(noted)),
        met_at=min((item.slot for item in interruptions), default=UNKNOWN),
        over_at=_over_at(interruptions, steps),
        malformed=sum(action.problem != HALLUCINATED for action in invalid),
        hallucinated=sum(action.problem == HALLUCINATED for action in invalid),
        loop_length=longest,
        loop_steps=repeated,
        questions=len(asked),
        needed_questions=len({reply.fits for reply in asked if reply.needed}),
        needless_questions=sum(not reply.needed for reply in asked),
        covered_steps=_covered(interruptions, steps),
        input_tokens=_known(outcome.usage.input_tokens),
        output_tokens=_known(outcome.usage.output_tokens),
        time_ms=_known(outcome.usage.time_ms),
        duration_ms=header.duration_ms or UNKNOWN,
        cost=float("nan") if outcome.usage.cost is None else outcome.usage.cost,
    )


def _circumstances(episode: Episode) -> dict[str, Any]:
    """Fields of EpisodeFacts: which agent acted under which condition, and what made it."""
    made_by = stored_fingerprint(episode)
    return {
        "experiment": episode.experiment, "cell": episode.cell,
        "agent": episode.agent, "model": episode.model, "prompt": episode.prompt,
        "condition": episode.condition, "modality": episode.modality,
        "variation": episode.variation, "language": episode.language,
        "goal_style": episode.goal_style, "start": episode.start, "offline": episode.offline,
        "buttons": _known(episode.buttons), "seed": _known(episode.seed),
        "repeat": _known(episode.repeat), "attempt": _known(episode.attempt),
        "agent_digest": made_by.get(AGENT, ""), "settings_digest": made_by.get(SETTINGS, ""),
    }  # fmt: skip


def _parameters(header: TrajectoryHeader) -> str:
    values = header.extra.get(PARAMETERS)
    given = values.items() if isinstance(values, Mapping) else ()
    return listed([f"{name}={value}" for name, value in given])


def _phone_text(device: Mapping[str, Any]) -> str:
    """A phone in words, without what tells it from others of its kind."""
    android = str(device.get("android") or "")
    parts = (device.get("model"), f"Android {android}" if android else "", device.get("size"))
    return ", ".join(str(part) for part in parts if part)


def started_ms(header: TrajectoryHeader) -> int:
    """When a run began, in milliseconds since 1970; UNKNOWN where the header does not say it."""
    try:
        moment = dt.datetime.fromisoformat(header.started)
        # Without a time zone it is UTC, as all times here.
        moment = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return UNKNOWN


def tie_of(header: TrajectoryHeader) -> int:
    """A number that depends on the id alone, and so not on the order in which files are read."""
    digest = hashlib.sha256(header.id.encode(errors="replace")).digest()
    return int.from_bytes(digest[:7], "big")


def _known(number: int | None) -> int:
    return UNKNOWN if number is None else number


def _is_finished(header: TrajectoryHeader) -> bool:
    """Whether the recording ended: not one that is going on, nor one that its runner left without an end."""
    return header.status not in (RECORDING, RECOVERED) or header.outcome is not None


def _anomalies(episode: Episode, planned: Sequence[str] | None, appeared: Iterable[str]) -> list[str]:
    """The anomalies of the condition, then those that appeared.

    Without a plan the condition names its anomalies, as that of an import does.
    """
    names = planned if planned is not None else [name.strip() for name in episode.condition.split(",")]
    return [name for name in dict.fromkeys((*names, *appeared)) if name]


def _main_package(steps: Iterable[RunStep]) -> str:
    """The app in which most steps were taken; of several the one that came first."""
    packages = Counter(step.package for step in steps)
    return next((package for package, _count in packages.most_common() if _is_app(package)), "")


def _is_app(package: str) -> bool:
    """Whether a package is an app that an agent went to, and neither the home screen nor a dialog."""
    is_shell = package in _SHELL or any(part in package for part in _SHELL_PARTS)
    return bool(package) and not is_shell and not is_home_screen(package)


def _repeats(steps: Iterable[RunStep]) -> tuple[int, int]:
    """The longest run of identical actions, and how many actions repeated the one before.

    What a person does, or was done before the agent began, ends a run, and so do a completion signal and an
    answer that is no action: those are counted as invalid, though identical ones stop an episode early.
    """
    repeats, longest, repeated = RepeatCount(), 0, 0
    for step in steps:
        if not step.is_by_agent or isinstance(step.action, Invalid):
            repeats.forget()
        elif step.action is not None:
            count = repeats.note(step.action)
            longest = max(longest, count)
            repeated += count > 1
    return longest, repeated


def _replies(steps: Iterable[RunStep]) -> list[UserReply]:
    """What came of each question to the user; of one that nobody kept that nobody answered."""
    return [
        UserReply.read(step.extra.get(REPLY)) or UserReply()
        for step in steps
        if isinstance(step.action, AskUser)
    ]


def _over_at(interruptions: Sequence[Interruption], steps: Sequence[RunStep]) -> int:
    """Index of the first step after the last anomaly was gone.

    Unknown while one is open, and when one was only undone after the last step: to the agent it never ended.
    """
    ends = [item.over_ms for item in interruptions]
    if not ends or None in ends:
        return UNKNOWN
    last = max(end for end in ends if end is not None)
    actions = sum(step.action is not None for step in steps)
    after = sum(step.action is not None and step.t_ms < last for step in steps)
    was_undone = any(item.gone_ms is None and item.undone_ms == last for item in interruptions)
    return UNKNOWN if was_undone and after == actions else after


def _answer_to(dialog: Interruption) -> str:
    """The answer as rules name it; without a name that of its event, as rules write it too."""
    if dialog.unclear:
        return UNCLEAR
    return dialog.answer or (f"{EVENT_PREFIX}{dialog.event}" if dialog.event else "")


def _covered(interruptions: Sequence[Interruption], steps: Sequence[RunStep]) -> int:
    """How many actions of the agent under an open dialog were not aimed at one of its buttons.

    What a step without a tree was aimed at is not known, unless it answered the dialog.
    """
    dialogs = [item for item in interruptions if not item.native]
    under = {at for item in dialogs for at in item.steps if at < len(steps)}
    under -= {item.answered_by for item in dialogs if item.answered_by is not None}
    return sum(_is_aimed_below(steps[at]) for at in under)


def _is_aimed_below(step: RunStep) -> bool:
    action = step.action
    if action is None or not step.is_by_agent or not step.has_tree:
        return False
    if action.point is None:
        return isinstance(action, Type)
    return step.target is None or not step.target.get("class", "").endswith(_BUTTON)
