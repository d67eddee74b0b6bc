"""What metrics need of an episode, read from its files once and kept in the catalogue as fixed records.

A record is packed by :func:`packed` and read back a hundred thousand at a time as one array of numbers, so
texts are kept as codes of the catalogue's table ``texts``. Code 0 is the empty text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from struct import Struct
from struct import error as struct_error
from typing import get_type_hints

UNKNOWN = -1
"""A whole number that is not known."""
LOOP = 3
"""So many identical actions in a row are a loop. An early stop, which ends an episode, needs more."""
SAFE, UNSAFE = 1, 2
UNCLEAR = "unclear"
"""In place of an answer: nobody knows what became of the dialog."""
Code = str
"""A text that the record keeps as a code."""


@dataclass(frozen=True, slots=True)
class EpisodeFacts:
    """One run of an agent. Texts are empty and whole numbers :data:`UNKNOWN` when they are not known.

    What the definition of the task says is not in it: it is read when numbers are computed.
    """

    task: Code = ""
    experiment: Code = ""
    cell: Code = ""
    agent: Code = ""
    model: Code = ""
    prompt: Code = ""
    condition: Code = ""
    """Id of the condition; empty for a baseline."""
    anomalies: Code = ""
    """Ids of the anomalies of the condition, and of those that appeared, with commas."""
    modality: Code = ""
    variation: Code = ""
    language: Code = ""
    """Of the phone."""
    goal_style: Code = ""
    start: Code = ""
    """The step of another trajectory where the agent began; empty for the beginning of the task."""
    offline: Code = ""
    """The golden trajectory whose steps the agent was asked; empty for an attempt at the task."""
    parameters: Code = ""
    """Values of the parameters of the task: a list (:func:`.catalogue_row.listed`) of ``name=value``."""
    outcome: Code = ""
    """As the run recorded it: success, failure or uncompleted; empty while nobody has judged."""
    claimed: Code = ""
    """complete, answer, impossible, or empty."""
    ended_by: Code = ""
    agent_digest: Code = ""
    """Digest of the agent's options and program files; empty when nobody kept it."""
    settings_digest: Code = ""
    """Digest of the budget and the other settings of the experiment; empty when nobody kept it."""
    phone: Code = ""
    """Model, version of Android and size of the screen of the phone it ran on."""
    currency: Code = ""
    answers: Code = ""
    """Answers given to the dialogs that appeared: a list (:func:`.catalogue_row.listed`) of
    ``anomaly=answer``. The answer is empty when nobody gave one, and :data:`UNCLEAR` when nobody knows. A
    change of the phone itself asks nothing: it is not in the list."""
    package: Code = ""
    """The app in which the agent took most of its steps; home screens and dialogs are no apps."""
    started_ms: int = UNKNOWN
    """When it began, in milliseconds since 1970."""
    tie: int = 0
    """Orders runs that began at the same time, or nobody knows when: a digest of the id."""
    buttons: int = UNKNOWN
    seed: int = UNKNOWN
    repeat: int = UNKNOWN
    attempt: int = UNKNOWN
    is_finished: int = 0
    """1 when the recording ended, and no person stopped it."""
    is_fault: int = 0
    """1 when a fault of the infrastructure ended it."""
    is_stopped: int = 0
    """1 when people stopped it, or the run it belongs to: no fault, and no end either."""
    is_early_stop: int = 0
    is_uninjected: int = 0
    """1 when rules were to inject an anomaly in it, and injected none."""
    by_person: int = 0
    """Steps that a person did in it."""
    steps: int = 0
    """Actions of the agent: answers that are no action and its completion signal are among them."""
    actions: int = 0
    """Actions of the agent on the phone: invalid answers and completion signals are none."""
    met: int = 0
    """Anomalies that really appeared."""
    met_at: int = UNKNOWN
    """Index of the step before which the first of them appeared."""
    over_at: int = UNKNOWN
    """Index of the first step after the last of them was gone; unknown while one is open."""
    malformed: int = 0
    """Answers that could not be read as an action."""
    hallucinated: int = 0
    """Well-formed answers that ask for something that is not there."""
    loop_length: int = 0
    """The most identical actions in a row (:mod:`collector.model.repeated_actions`)."""
    loop_steps: int = 0
    """Actions that repeated the one before."""
    covered_steps: int = 0
    """Touches and texts under an open dialog that were not aimed at its buttons (perception drift)."""
    questions: int = 0
    """Questions that the agent asked its user."""
    needed_questions: int = 0
    """Different questions among them that the task says have to be asked."""
    needless_questions: int = 0
    """Those that the task does not say so of."""
    orders_seen: int = UNKNOWN
    """Orders to the agent that its variation planted and that were on a screen; unknown without any, and
    without trees."""
    orders_obeyed: int = UNKNOWN
    """Those of the orders that the agent carried out; unknown where its variation planted none."""
    answered: int = 0
    """Golden steps that it was asked offline and whose answers were compared; the next ones count them."""
    right_answers: int = 0
    exact_answers: int = 0
    """Those that did what the golden step did, and not merely what is as good."""
    same_types: int = 0
    touches_compared: int = 0
    """Those that touch, as the golden step does."""
    right_touches: int = 0
    first_wrong: int = 0
    """Number of the first golden step that was not answered right, from 1; 0 when all were."""
    input_tokens: int = UNKNOWN
    output_tokens: int = UNKNOWN
    time_ms: int = UNKNOWN
    """What the agent's answers took."""
    duration_ms: int = UNKNOWN
    cost: float = float("nan")


@dataclass(frozen=True, slots=True)
class VerdictFacts:
    """What one judge says of one episode. States are lists of ids."""

    verdict: Code = ""
    """On the task: success, failure, uncompleted; empty when it gave none."""
    reached: Code = ""
    missed: Code = ""
    steps: Code = ""
    """``state=step`` of the states reached at a known step, counted from 0."""
    is_by_labels: int = 0
    """1 for a person, or people as a whole, who said nothing of the task: labels of its states do."""
    right_steps: int = 0
    """Steps that it calls right; the next ones count those with an error, by its kind."""
    wrong_element_steps: int = 0
    wrong_action_steps: int = 0
    hallucinated_steps: int = 0
    needless_steps: int = 0
    risky_steps: int = 0
    first_error: int = 0
    """Number of the first step with an error, from 1; 0 for none, as where a judge said nothing."""
    safety: int = 0
    """Of rules: :data:`SAFE` or :data:`UNSAFE`; 0 where no safety rule says."""
    goal: Code = ""
    """Of rules: the verdict on the task as if nothing were forbidden; empty without safety rules."""
    violated: Code = ""
    """Of rules: a list of ``rule=step`` of the violated safety rules, where each was first, from 0."""
    first_violation: int = 0
    """Number of the step at which the first of them was, from 1; 0 for none."""


def record_of(facts: type) -> tuple[tuple[str, str], ...]:
    """Field -> numpy type of a record of ``facts``: codes and numbers are ``<i8``, amounts ``<f8``."""
    hints = get_type_hints(facts)
    return tuple((field.name, "<f8" if hints[field.name] is float else "<i8") for field in fields(facts))


def _structure_of(facts: type) -> Struct:
    return Struct("<" + "".join("d" if kind == "<f8" else "q" for _name, kind in record_of(facts)))


def _values_of(facts: type) -> attrgetter[tuple[str | int | float, ...]]:
    return attrgetter(*(field.name for field in fields(facts)))


_PACKED = {facts: (_structure_of(facts), _values_of(facts)) for facts in (EpisodeFacts, VerdictFacts)}
_LARGEST = 2**63 - 1


def packed(facts: EpisodeFacts | VerdictFacts, code_of: Callable[[str], int]) -> bytes:
    """The record of ``facts``; ``code_of`` gives the code of a text."""
    structure, values_of = _PACKED[type(facts)]
    values = [code_of(value) if isinstance(value, str) else value for value in values_of(facts)]
    try:
        return structure.pack(*values)
    except struct_error:  # a damaged file may have any number
        return structure.pack(*map(_within_range, values))


def _within_range(value: float) -> float:
    return max(-_LARGEST, min(value, _LARGEST)) if isinstance(value, int) else value
