"""Read where agents begin: steps of trajectories, or failed runs from before their first error."""

from __future__ import annotations

from collector.agents.agent_start import start_of
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.run.experiment.keys import EXPERIMENT, START_CHOICE, key_of
from collector.run.experiment.model import StartStep
from collector.run.experiment.scope import ExperimentScope
from collector.run.experiment.value_reader import ExperimentValueReader


class StartReader:
    """Reads one key ``starts``. Reports what cannot be used."""

    def __init__(self, reader: ExperimentValueReader, scope: ExperimentScope, experiment: str) -> None:
        """``experiment`` is the name of the one that is read: its own runs are no starts of it."""
        self._reader, self._scope, self._experiment = reader, scope, experiment

    def read(self, root: YamlNode) -> tuple[StartStep, ...] | None:
        """The starts in the order of the file; None without the key, or without a project to look in."""
        node = self._reader.found(root, "starts")
        if node is None or self._scope.project is None:
            return None
        if node.kind == "mapping":
            return tuple(self._of_mapping(node))
        starts = [self._start(item) for item in self._reader.words(root, EXPERIMENT, "starts")]
        return tuple(start for start in starts if start is not None)

    def _start(self, item: YamlNode) -> StartStep | None:
        assert self._scope.project is not None
        try:
            begin = start_of(item.text, self._scope.project)
        except UserError as error:
            self._reader.report("unknown-name", item.place, error.what, error.why, error.to_do)
            return None
        header = begin.stored.header
        return StartStep(header.task_id, header.id, begin.index + 1)

    def _of_mapping(self, node: YamlNode) -> list[StartStep]:
        reader = self._reader
        reader.check_mapping(node, START_CHOICE)
        back = reader.whole(node, START_CHOICE, "back")
        back = key_of(START_CHOICE, "back").default if back is None else back
        where = reader.found(node, "where")
        if where is None:
            return []
        try:
            runs = self._scope.run_errors(reader.text(node, "where"))
        except UserError as error:
            reader.report("wrong-shape", where.place, error.what, error.why, error.to_do)
            return []
        others = [run for run in runs if run.experiment != self._experiment]
        wrong = [run for run in others if run.first_error]
        if len(wrong) < len(others):
            self._report_unjudged(where, len(others) - len(wrong), is_error=not wrong)
        elif not wrong:
            what, to_do = (
                _("No run fits {query}", query=where.text),
                _("`waymark trajectory list` shows them"),
            )
            reader.report("empty-selection", where.place, what, to_do=to_do)
        return [run.start(back) for run in wrong]

    def _report_unjudged(self, where: YamlNode, count: int, *, is_error: bool) -> None:
        what = ngettext(
            "{count} run has no step that was judged wrong",
            "{count} runs have no step that was judged wrong",
            count,
        )
        to_do = _("Judge the steps in Review, or with `waymark judge run --judge steps`")
        code = "empty-selection" if is_error else "no-first-error"
        self._reader.report(code, where.place, what, _("Agents begin before the first wrong step"), to_do)
