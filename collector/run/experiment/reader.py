"""Read experiment files: YAML in, an :class:`Experiment` and diagnostics with lines out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from collector.judge.registry import RULES_JUDGE
from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place, Severity
from collector.located_yaml.source import YamlSource, read_source
from collector.located_yaml.value_reader import is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.phone.phone_setup import read_locale, read_screen
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import is_goal_style_choice
from collector.model_judges.judge_files import require_known
from collector.rules.grammar.model import DGARA
from collector.run.experiment.agent_reader import AgentReader
from collector.run.experiment.asked_goldens import asked_golden
from collector.run.experiment.condition_reader import RunConditionReader
from collector.run.experiment.keys import (
    ALL,
    DEFAULT_WORD,
    EXPERIMENT,
    LARGEST_SEED,
    MOST_SEEDS,
    PHONE,
    SEED_RANGE,
    SELECTION,
)
from collector.run.experiment.model import (
    DEFAULT_EARLY_STOP,
    DEFAULT_RETRIES,
    ON_CLAIM,
    ON_SUCCESS,
    AgentEntry,
    AskedGolden,
    Experiment,
    PhoneChoice,
    RunCondition,
)
from collector.run.experiment.scope import ExperimentScope
from collector.run.experiment.start_reader import StartReader
from collector.run.experiment.user_reader import read_user
from collector.run.experiment.value_reader import ExperimentValueReader
from collector.run.experiment.variation_reader import read_variations
from collector.store.catalogue.query import QueryError
from collector.store.files.errors import StoreError
from collector.store.files.format_versions import EXPERIMENT as FORMAT

_BETWEEN = re.compile(r"\s/\s|[\r\n\t]")
"""What the key of a cell could not be read with."""
_SYNTAX = "W101"
_EMPTY = YamlNode("mapping", NOWHERE, {})


@dataclass(frozen=True)
class ExperimentFile:
    """The text of an experiment, what it says, and what is wrong with it."""

    text: str
    experiment: Experiment
    """Without the parts that cannot be read."""
    diagnostics: tuple[Diagnostic, ...] = ()
    path: str = ""
    root: YamlNode = _EMPTY
    agent_places: Mapping[str, YamlNode] = field(default_factory=dict)
    """Every agent by id, those that are left out of the run among them."""
    condition_places: Mapping[str, YamlNode] = field(default_factory=dict)
    skipped_agents: Mapping[str, AgentEntry] = field(default_factory=dict)
    """Agents that are left out of the run, by id."""
    skipped_conditions: Mapping[str, RunCondition] = field(default_factory=dict)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps the experiment from being run."""
        return tuple(item for item in self.diagnostics if item.severity is Severity.ERROR)

    def place(self, key: str) -> Place:
        """The value of a key of the file; its key when the value spans lines; else the start of the file."""
        value, written = self.root.get(key), self.root.key(key)
        if value is None:
            return Place(0, 0, 1, 1)
        return value.place if value.kind == "scalar" or written is None else written.place

    def agent_place(self, name: str) -> Place:
        """Where an agent is named."""
        return _name_place(self.agent_places.get(name)) or self.place("agents")

    def condition_place(self, name: str) -> Place:
        """Where a condition is named."""
        return _name_place(self.condition_places.get(name)) or self.place("conditions")


def read_experiment(text: str, scope: ExperimentScope, name: str = "", path: str = "") -> ExperimentFile:
    """The experiment of a text, with the diagnostics of its grammar and names. Never raises.

    :func:`collector.run.experiment.lint.lint` finds what is wrong with the experiment as a whole.
    """
    return _FileReader(read_source(text), scope, name).read(path)


class _FileReader:
    """Reads one file."""

    def __init__(self, source: YamlSource, scope: ExperimentScope, name: str) -> None:
        self._source, self._scope, self._name = source, scope, name
        self._reader = ExperimentValueReader([_of_experiment(item) for item in source.diagnostics])
        self._agents = AgentReader(self._reader, scope)
        self._conditions = RunConditionReader(self._reader, scope)

    def read(self, path: str) -> ExperimentFile:
        root = self._source.root
        if root is None or root.kind != "mapping" or not self._source.is_whole:
            if not self._reader.diagnostics:
                self._report_no_mapping(root)
            root = root if root is not None and root.kind == "mapping" else _EMPTY
        if self._source.is_whole and self._has_known_format(root):
            self._reader.check_mapping(root, EXPERIMENT)
            experiment = self._experiment(root)
        else:
            experiment = Experiment(self._name, (), ())
        diagnostics = sorted(self._reader.diagnostics, key=lambda item: item.place.start)
        located = tuple(replace(item, path=path) for item in diagnostics)
        return ExperimentFile(
            self._source.text, experiment, located, path, root, self._agents.places, self._conditions.places,
            self._agents.skipped, self._conditions.skipped,
        )  # fmt: skip

    def _report_no_mapping(self, root: YamlNode | None) -> None:
        what = _("An experiment is a mapping with tasks and agents")
        to_do = _("Begin with `waymark experiment new`")
        self._reader.report("wrong-shape", root.place if root else Place(0, 0, 1, 1), what, to_do=to_do)

    def _has_known_format(self, root: YamlNode) -> bool:
        """Whether the file is an experiment of a version this program knows."""
        if root is _EMPTY:
            return False
        try:
            FORMAT.upgrade({key: root.plain[key] for key in ("format", "version") if key in root.plain}, "")
        except StoreError as error:
            written = root.plain.get("format", FORMAT.name)
            place = (root.get("version" if written == FORMAT.name else "format") or root).place
            what = _("The file is no experiment this program can read")
            self._reader.report("wrong-shape", place, what, error.why, error.to_do)
            return False
        return True

    def _experiment(self, root: YamlNode) -> Experiment:
        reader = self._reader
        semantics = reader.choice(root, EXPERIMENT, "semantics") or self._scope.semantics
        usual_end = ON_SUCCESS if semantics == DGARA else ON_CLAIM
        tasks = self._tasks(reader.found(root, "tasks"))
        early_stop, retries = (reader.whole(root, EXPERIMENT, key) for key in ("early_stop", "retries"))
        return Experiment(
            self._name,
            tasks,
            self._agents.read(reader.found(root, "agents")),
            self._conditions.read(reader.found(root, "conditions")),
            tuple(item.text for item in reader.words(root, EXPERIMENT, "modality")),
            read_variations(self._reader, root, self._scope.variations),
            self._languages(root),
            self._goal_styles(root),
            StartReader(self._reader, self._scope, self._name).read(root),
            self._seeds(root),
            reader.whole(root, EXPERIMENT, "repeats") or 1,
            reader.whole(root, EXPERIMENT, "budget") or 0,
            DEFAULT_EARLY_STOP if early_stop is None else early_stop,
            DEFAULT_RETRIES if retries is None else retries,
            semantics,
            reader.choice(root, EXPERIMENT, "ends") or usual_end,
            reader.choice(root, EXPERIMENT, "reset"),
            self._phones(reader.found(root, "phones")),
            reader.text(root, "description"),
            self._judges(root),
            read_user(reader, reader.found(root, "user")),
            self._offline(root, tasks),
        )

    def _offline(self, root: YamlNode, tasks: tuple[str, ...]) -> tuple[AskedGolden, ...] | None:
        """The golden trajectories that are asked; None without the key, or without a project to look in."""
        node = self._reader.found(root, "offline")
        if node is None or self._scope.project is None:
            return None
        if node.kind == "scalar" and node.text == ALL:
            found = [golden for task in tasks for golden in self._scope.goldens_of(task)]
            if not found:
                self._report_empty(node, _("None of the tasks has a golden trajectory"))
            return tuple(found)
        asked = []
        for item in self._reader.words(root, EXPERIMENT, "offline"):
            try:
                asked.append(asked_golden(self._scope.project, item.text))
            except UserError as error:
                self._reader.report("unknown-name", item.place, error.what, error.why, error.to_do)
        return tuple(asked)

    def _judges(self, root: YamlNode) -> tuple[str, ...]:
        """The judges beside the rules; one that is not there, or cannot be used, is reported."""
        found = self._reader.words(root, EXPERIMENT, "judges")
        names = [item for item in self._reader.without_repeats(found, "judges") if item.text != RULES_JUDGE]
        for item in names if self._scope.has_project else ():
            try:
                require_known(item.text, self._scope.project)
            except UserError as error:
                self._reader.report("unknown-name", item.place, error.what, error.why, error.to_do)
        return tuple(item.text for item in names)

    # -- tasks ---------------------------------------------------------------
    def _tasks(self, node: YamlNode | None) -> tuple[str, ...]:
        if node is None:
            return ()
        if node.kind == "scalar" and node.text == ALL:
            if self._scope.has_project and not self._scope.tasks:
                self._report_empty(node, _("The project has no tasks"))
            return tuple(self._scope.tasks)
        if node.kind == "mapping":
            return self._selected(node)
        items = self._reader.entries(node, "tasks")
        words = [item for item in items if self._is_task(item)]
        return tuple(item.text for item in self._reader.without_repeats(words, "tasks"))

    def _is_task(self, item: YamlNode) -> bool:
        if item.kind != "scalar" or item.is_null:
            what = _("tasks is a list of ids, the word all, or a mapping with where")
            self._reader.wrong_shape(item, what)
            return False
        if self._scope.has_project and item.text not in self._scope.tasks:
            what = _("The project has no task {id}", id=item.text)
            self._reader.report_word("unknown-name", what, item.text, [*self._scope.tasks, ALL], item.place)
            return False
        if _BETWEEN.search(item.text):
            self._reader.wrong_shape(
                item, _("The id of a task has no line break and no slash between spaces")
            )
        return True

    def _selected(self, node: YamlNode) -> tuple[str, ...]:
        reader = self._reader
        reader.check_mapping(node, SELECTION)
        where = reader.found(node, "where")
        if where is None:
            return ()
        if where.kind != "scalar":
            reader.wrong_shape(where, _("{key} has to be a text", key="where"))
            return ()
        try:
            selected = self._scope.select(where.text)
        except QueryError as error:
            reader.report("wrong-shape", where.place, error.what, error.why, error.to_do)
            return ()
        left_out = [item for item in reader.words(node, SELECTION, "except") if self._is_task(item)]
        names = {item.text for item in left_out}
        tasks = tuple(task for task in selected if task not in names)
        if self._scope.has_project and not tasks:
            self._report_empty(where, _("No task of the project fits {query}", query=where.text))
        return tasks

    def _report_empty(self, node: YamlNode, what: str) -> None:
        self._reader.report("empty-selection", node.place, what, to_do=_("`waymark task list` shows them"))

    # -- axes ----------------------------------------------------------------
    def _goal_styles(self, root: YamlNode) -> tuple[str, ...]:
        styles = []
        for item in self._reader.words(root, EXPERIMENT, "goal_styles"):
            if item.text == DEFAULT_WORD:
                styles.append("")
            elif is_goal_style_choice(item.text):
                styles.append(item.text)
            else:
                what = _("{word} is no goal style", word=item.text)
                to_do = _(
                    "Write {first}, or {second} for its second wording", first="casual", second="casual:2"
                )
                self._reader.report("wrong-shape", item.place, what, "", to_do)
        return tuple(styles) or ("",)

    def _languages(self, root: YamlNode) -> tuple[str, ...]:
        values = []
        for item in self._reader.words(root, EXPERIMENT, "languages"):
            try:
                values.append("" if item.text == DEFAULT_WORD else read_locale(item.text))
            except ValueError as error:
                what = _("{word} is no language", word=item.text)
                self._reader.report("wrong-shape", item.place, what, str(error))
        return tuple(values) or ("",)

    def _seeds(self, root: YamlNode) -> tuple[int, ...]:
        reader = self._reader
        node = reader.found(root, "seeds")
        if node is None:
            return (DEFAULT_SEED,)
        if node.kind == "mapping":
            reader.check_mapping(node, SEED_RANGE)
            first = reader.whole(node, SEED_RANGE, "from")
            first = DEFAULT_SEED if first is None else first
            return tuple(range(first, first + (reader.whole(node, SEED_RANGE, "count") or 1)))
        if node.kind == "scalar":
            what = _("seeds is a list or a count")
            to_do = _(
                "Write {list} for this seed, or {count} for so many",
                list=f"[{node.text}]",
                count=f"{{count: {node.text}}}",
            )
            reader.wrong_shape(node, what, to_do)
            return (DEFAULT_SEED,)
        items = reader.entries(node, "seeds")
        numbers = [item for item in items if self._is_seed(item)]
        seeds = tuple(int(item.plain) for item in reader.without_repeats(numbers, "seeds"))
        if len(seeds) > MOST_SEEDS:
            what = _("seeds has more than {limit} values", limit=MOST_SEEDS)
            reader.report("too-many-cells", node.place, what)
        return tuple(dict.fromkeys(seeds)) or (DEFAULT_SEED,)

    def _is_seed(self, item: YamlNode) -> bool:
        is_seed = is_number(item) and isinstance(item.plain, int) and 0 <= item.plain <= LARGEST_SEED
        if not is_seed:
            what = _("A seed is a whole number from 0 to {highest}", highest=LARGEST_SEED)
            self._reader.wrong_shape(item, what)
        return is_seed

    # -- phones --------------------------------------------------------------
    def _phones(self, node: YamlNode | None) -> PhoneChoice:
        if node is None:
            return PhoneChoice()
        reader = self._reader
        if node.kind != "mapping":
            reader.wrong_shape(
                node, _("phones is a mapping"), _("Write {example}, for example", example="{virtual: 2}")
            )
            return PhoneChoice()
        reader.check_mapping(node, PHONE)
        serials = tuple(item.text for item in reader.words(node, PHONE, "serials"))
        avd = reader.text(node, "avd")
        virtual = reader.whole(node, PHONE, "virtual") or 0
        self._report_useless(node, () if avd else ("count",), _("It belongs to avd"))
        others = ("virtual", "size", "density", "ask_permissions") if avd or serials else ()
        self._report_useless(node, others, _("The phones named beside it are not virtual"))
        density, count = reader.whole(node, PHONE, "density"), reader.whole(node, PHONE, "count")
        asks = reader.flag(node, "ask_permissions")
        return PhoneChoice(virtual, self._size(node), density, serials, avd, count or 1, asks)

    def _report_useless(self, node: YamlNode, keys: tuple[str, ...], why: str) -> None:
        for key in keys:
            written = node.key(key)
            if written is not None:
                what = _("{key} has no effect here", key=key)
                self._reader.report("unknown-setting", written.place, what, why)

    def _size(self, node: YamlNode) -> Size | None:
        value, text = node.get("size"), self._reader.text(node, "size")
        if value is None or not text:
            return None
        try:
            return read_screen(text)
        except ValueError as error:
            what, to_do = _("{word} is no size", word=text), _("Write it as 1080x2400")
            self._reader.report("wrong-shape", value.place, what, str(error), to_do)
            return None


def _of_experiment(item: Diagnostic) -> Diagnostic:
    """A diagnostic of the text; of an experiment no part works while another is broken."""
    return replace(item, to_do=_("Correct the line")) if item.code == _SYNTAX else item


def _name_place(node: YamlNode | None) -> Place | None:
    """The id of an entry, or its first key; None without one."""
    if node is None:
        return None
    named = next((value for key in ("id", "kind", "anomaly") if (value := node.get(key)) is not None), None)
    if named is not None:
        return named.place
    return node.pairs[0][0].place if node.pairs else node.place
