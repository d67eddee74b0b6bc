"""The keys of experiment files: the kind of value of each, its default and one sentence about it.

The reader, the schema, completion and the reference page all use these tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collector.agents.agent import MODALITIES
from collector.asking.user_choice import DEFAULT_WITHIN_S, GO_ON, UNANSWERED
from collector.model.i18n import N_
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import RESETS
from collector.model.user_reply import BY_TASK, WHO_ANSWERS
from collector.rules.grammar.model import SEMANTICS
from collector.run.experiment.model import (
    DEFAULT_EARLY_STOP,
    DEFAULT_RETRIES,
    ENDS,
)

TEXT, WORD, WHOLE, WORDS, FLAG, MAPPING = "text", "word", "whole", "words", "flag", "mapping"
TASKS, AGENTS, CONDITIONS, SEEDS, PHONES, RULES, INJECTIONS, SIZE, VARIATIONS, LISTS, ANSWERING = (
    "tasks", "agents", "conditions", "seeds", "phones", "rules", "injections", "size", "variations", "lists",
    "answering",
)  # fmt: skip
STARTS, GOLDENS = "starts", "goldens"
EXPERIMENT, AGENT, CONDITION, INJECTION, PHONE, SEED_RANGE, SELECTION, VARIATION_CHOICE = (
    "experiment", "agent", "condition", "injection", "phone", "seed_range", "selection", "variation_choice",
)  # fmt: skip
USER, START_CHOICE = "user", "start_choice"
"""What a mapping of a file describes; the keys of :data:`KEYS`."""
ALL = "all"
"""The word for all tasks, and for all injection rules."""
RULES_WORD = "rules"
"""The condition that injects by the rules of the task, or by all."""
DEFAULT_WORD = "default"
"""The phone's own variation or language."""
DEFAULT_AT = 2
"""The step before which an anomaly is injected when the file gives none: the app is open by then."""
MOST_SEEDS = 10_000
LARGEST_SEED = 2**31 - 1
MOST_REPEATS = 10_000
MOST_STEPS = 10_000
MOST_RETRIES = 100
LONGEST_ANSWER_S = 86_400
MOST_PHONES = 256
MOST_VARIATIONS = 10_000
MOST_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class KeySpec:
    """One key of a mapping: ``kind`` is one of the words above."""

    name: str
    kind: str
    doc: str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 2**53
    example: str = ""
    """A value as a file writes it."""


KEYS: dict[str, tuple[KeySpec, ...]] = {
    EXPERIMENT: (
        KeySpec("format", TEXT, N_("Always waymark-experiment"), choices=("waymark-experiment",)),
        KeySpec("version", WHOLE, N_("Version of the format"), lowest=1, example="1"),
        KeySpec("description", TEXT, N_("One sentence for people")),
        KeySpec("tasks", TASKS, N_("Ids of tasks, the word all, or a query with where"), True,
                example='{where: "app:Shop level:easy"}'),
        KeySpec("agents", AGENTS, N_("Kinds of agents, or mappings with an id, a kind and its options"), True,
                example="[golden, careful]"),
        KeySpec("conditions", CONDITIONS,
                N_("What an episode meets: baseline, rules, ids of anomalies, or mappings"),
                default=("baseline",), example="[baseline, battery_low_double_en]"),
        KeySpec("modality", WORDS, N_("What agents are shown; by default the usual one of each agent"),
                choices=MODALITIES, example="[screenshot, screenshot+tree]"),
        KeySpec("variations", VARIATIONS,
                N_("Variations of the virtual phone, several joined by +, or a mapping"),
                default=(DEFAULT_WORD,), example="[default, dark_theme+large_text]"),
        KeySpec("languages", WORDS, N_("Languages of the phone"), default=(DEFAULT_WORD,),
                example="[en-US, zh-CN]"),
        KeySpec("goal_styles", WORDS,
                N_("Styles of the tasks' rewordings, and default for their own instruction"),
                default=(DEFAULT_WORD,), example="[default, casual]"),
        KeySpec("starts", STARTS,
                N_("Where agents begin: steps of trajectories, or runs from before their first wrong step"),
                example="[golden-1@3]"),
        KeySpec("offline", GOLDENS,
                N_("Golden trajectories whose steps are asked without a phone: ids, or all of the tasks"),
                example="all"),
        KeySpec("seeds", SEEDS, N_("Seeds of the phone, the rules and the agent: a list, or a count"),
                default=(DEFAULT_SEED,), example="[123, 7]"),
        KeySpec("repeats", WHOLE, N_("How often each cell is run with the same seed"), default=1, lowest=1,
                highest=MOST_REPEATS, example="1"),
        KeySpec("budget", WHOLE, N_("The most steps of an episode; by default those of the task, or 15"),
                lowest=1, highest=MOST_STEPS, example="15"),
        KeySpec("early_stop", WHOLE,
                N_("Identical actions in a row after which an episode is stopped; 0 for never"),
                default=DEFAULT_EARLY_STOP, highest=MOST_STEPS, example="5"),
        KeySpec("retries", WHOLE, N_("Further attempts after a fault of phone, disk, network or server"),
                default=DEFAULT_RETRIES, highest=MOST_RETRIES, example="2"),
        KeySpec("semantics", WORD, N_("How rules and the cycle are read; by default as the project says"),
                choices=SEMANTICS, example="waymark"),
        KeySpec("ends", WORD, N_("When an episode ends: as the agent claims, or as soon as the task is done"),
                choices=ENDS, example="claim"),
        KeySpec("reset", WORD, N_("What is reset before every episode; by default as the task says, "
                                  "and of a virtual phone all when it says nothing"),
                choices=RESETS, example="app-data"),
        KeySpec("judges", WORDS, N_("Judges of each episode once it has ended, the rules always among them"),
                default=("rules",), example="[rules, a3rm]"),
        KeySpec("user", ANSWERING,
                N_("Who answers an agent that asks: the tasks' replies, a person, or a model as a mapping"),
                default=BY_TASK, example="{who: person, within_s: 120}"),
        KeySpec("phones", PHONES, N_("The phones it is made for; options of waymark run replace them"),
                example="{virtual: 2}"),
    ),
    SELECTION: (
        KeySpec("where", TEXT, N_("Words of the search for tasks, as in app:Shop level:easy"), True,
                example='"app:Shop level:easy"'),
        KeySpec("except", WORDS, N_("Ids of tasks that are left out")),
    ),
    AGENT: (
        KeySpec("id", TEXT, N_("Name in the results; by default the kind")),
        KeySpec("kind", WORD, N_("Kind of the agent, as `waymark agent list` shows them"), True),
        KeySpec("modality", WORDS, N_("What this agent is shown"), choices=MODALITIES),
        KeySpec("options", MAPPING, N_("Options of the kind; they may also stand beside kind")),
        KeySpec("skip", FLAG, N_("Leave this agent out of the run"), default=False),
    ),
    CONDITION: (
        KeySpec("id", TEXT, N_("Name in the results; by default that of its anomaly or rule")),
        KeySpec("anomaly", WORD, N_("Anomaly of the project's library, or a built-in one")),
        KeySpec("at", WHOLE, N_("The step before which it is injected, from 1"), default=DEFAULT_AT, lowest=1,
                highest=MOST_STEPS, example="3"),
        KeySpec("anomalies", INJECTIONS, N_("Several anomalies in a row, each with its step"),
                example="[{anomaly: battery_low_double_en, at: 2}]"),
        KeySpec("rules", RULES, N_("Ids of injection rules, or all: those of the task, else of the project"),
                example="all"),
        KeySpec("limit", WHOLE, N_("The most anomalies of an episode that rules inject"), default=1, lowest=1,
                highest=MOST_STEPS, example="1"),
        KeySpec("buttons", WHOLE, N_("Take the form of the dialog with this many buttons"), lowest=1,
                highest=2, example="2"),
        KeySpec("skip", FLAG, N_("Leave this condition out of the run"), default=False),
    ),
    INJECTION: (
        KeySpec("anomaly", WORD, N_("Anomaly of the project's library, or a built-in one"), True),
        KeySpec("at", WHOLE, N_("The step before which it is injected, from 1"), default=DEFAULT_AT, lowest=1,
                highest=MOST_STEPS, example="3"),
    ),
    SEED_RANGE: (
        KeySpec("count", WHOLE, N_("How many seeds"), True, lowest=1, highest=MOST_SEEDS, example="3"),
        KeySpec("from", WHOLE, N_("The first seed; the others follow it"), default=DEFAULT_SEED,
                highest=LARGEST_SEED, example="123"),
    ),
    VARIATION_CHOICE: (
        KeySpec("names", WORDS, N_("Variations as in a list"), example="[default, dark_theme+german]"),
        KeySpec("one_at_a_time", WORDS, N_("Combinations whose parts are run alone, after default"),
                example="dark_theme+german+consent"),
        KeySpec("crossed", LISTS, N_("Lists of variations: one of each list, in every combination"),
                example="[[default, dark_theme], [default, german]]"),
        KeySpec("sample", WHOLE,
                N_("So many combinations, drawn from crossed, else from all looks, contents and pop-ups"),
                lowest=1, highest=MOST_VARIATIONS, example="500"),
        KeySpec("seed", WHOLE, N_("Seed of the sample"), default=DEFAULT_SEED, highest=LARGEST_SEED,
                example="123"),
    ),
    USER: (
        KeySpec("who", WORD, N_("Who answers: the task's replies, a person in the Run workspace, or a model"),
                default=BY_TASK, choices=WHO_ANSWERS),
        KeySpec("within_s", WHOLE, N_("Seconds that a person may take; then nobody answers"),
                default=DEFAULT_WITHIN_S, lowest=1, highest=LONGEST_ANSWER_S, example="120"),
        KeySpec("unanswered", WORD,
                N_("When nobody answers, the agent is told so and goes on, or the episode ends"),
                default=GO_ON, choices=UNANSWERED),
        KeySpec("options", MAPPING, N_("Options of the model, as of an agent")),
    ),
    START_CHOICE: (
        KeySpec("where", TEXT, N_("Words of the search for runs that agents are to recover"), True,
                example='"experiment:pilot outcome:failure"'),
        KeySpec("back", WHOLE, N_("So many steps before the first wrong one"), default=1,
                highest=MOST_STEPS, example="1"),
    ),
    PHONE: (
        KeySpec("virtual", WHOLE, N_("How many virtual phones are started"), highest=MOST_PHONES,
                example="2"),
        KeySpec("size", SIZE, N_("Screen of the virtual phones, as in 1080x2400")),
        KeySpec("density", WHOLE, N_("Dots per inch of the virtual phones"), lowest=72, highest=1000,
                example="420"),
        KeySpec("ask_permissions", FLAG,
                N_("Apps of the virtual phones ask for their permissions; else they have them"),
                default=False),
        KeySpec("serials", WORDS, N_("Serials of connected phones, as adb lists them")),
        KeySpec("avd", TEXT, N_("Image of the Android emulator whose copies are started")),
        KeySpec("count", WHOLE, N_("How many copies of avd"), default=1, lowest=1, highest=MOST_PHONES,
                example="2"),
    ),
}  # fmt: skip
"""The keys of each mapping, in the order in which a file is written."""


def key_of(within: str, name: str) -> KeySpec:
    """The key of that name. Raises KeyError."""
    return {key.name: key for key in KEYS[within]}[name]


def names_in(within: str) -> tuple[str, ...]:
    """The names of the keys of a mapping."""
    return tuple(key.name for key in KEYS[within])
