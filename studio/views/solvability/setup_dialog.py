"""The setup dialog of a solvability check: tasks, anomalies, where to inject, how to answer, how long."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from collector.anomalies.anomaly_source import ListedAnomaly
from collector.anomalies.model import CATEGORIES
from collector.model.i18n import _, ngettext
from collector.replay.solvability.cases import AUTO, DECLARED, EACH, FIRST
from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan
from collector.replay.solvability.progress import SolvabilityProgress
from studio.bridge.phones.phone import PhoneLink
from studio.views.solvability.check_list import CheckItem, CheckList
from studio.views.solvability.progress_row import time_words
from studio.views.solvability.redacted_texts import RedactedTextFields
from studio.widgets.controls import Label, SegmentedControl, Switch
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.inject.anomaly_entries import category_icon, category_words, kind_words

_SIZE, _NARROWEST, _AROUND = QSize(980, 680), 760, QSize(48, 48)


class SolvabilitySetupDialog(Dialog):
    """Asks for a SolvabilityPlan."""

    started = Signal(object)
    """The person starts the check with this plan."""

    def __init__(self, parent: QWidget, pace_of: Callable[[PhoneLink | None], float]) -> None:
        """``pace_of`` returns how long a phone takes for one estimated second."""
        super().__init__(
            _("Solvability"),
            _("Start"),
            parent,
            sentence=_(
                "Golden trajectories are replayed without an anomaly, then under each. "
                "A task that an anomaly makes impossible says nothing about an agent."
            ),
            width=_NARROWEST,
        )
        self._pace_of = pace_of
        self._input = SolvabilityInput()
        self._listed: dict[str, ListedAnomaly] = {}
        self._link: PhoneLink | None = None
        self._obstacle = ""
        self._chose_anomalies = False
        self.tasks = CheckList(_("Tasks"), _("Filter tasks"), 116)
        self.anomalies = CheckList(_("Anomalies"), _("Filter anomalies"), 240)
        self.where = SegmentedControl(
            [(AUTO, _("By its rule"), ""), (FIRST, _("First step"), ""), (EACH, _("Each step"), "")]
        )
        self.where.setToolTip(_("Where the task's injection rule holds, else on the first screen of its app"))
        self.answers = SegmentedControl([(DECLARED, _("As declared"), ""), (EACH, _("Each answer"), "")])
        self.answers.setToolTip(_("The answer the anomaly's author expects, or every answer in turn"))
        self.fresh = Switch(_("Fresh app data"))
        self.records = Switch(_("Record the replays as runs"))
        self.records.setChecked(True)
        self.hidden = RedactedTextFields()
        self._hidden_title = Label(_("Hidden texts"), "body", "text-2")
        self._hidden_title.setContentsMargins(0, 7, 0, 0)  # on the line of the first field
        self.lack = Label("", "body", "warn")
        self.warning = Label("", "body", "text-2")
        self._estimate = Label("", "name")
        self._phone = Label("", "body", "text-2", cut=True)
        self._lay_out()
        self._connect()
        self.yes.setEnabled(False)
        self.tasks.field.setFocus()
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))

    def _lay_out(self) -> None:
        lists = QHBoxLayout()
        lists.setSpacing(16)
        lists.addWidget(self.tasks, 1)
        lists.addWidget(self.anomalies, 1)
        self.body.addLayout(lists, 1)
        grid = QGridLayout()
        grid.setContentsMargins(0, 6, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        fresh = QHBoxLayout()
        fresh.setSpacing(10)
        fresh.addWidget(self.fresh)
        fresh.addWidget(self.warning, 1)
        left = Qt.AlignmentFlag.AlignLeft
        for row, words in enumerate((_("Injected"), _("Answered"), _("Fresh app data"), _("Recorded"))):
            grid.addWidget(Label(words, "body", "text-2"), row, 0)
        grid.addWidget(self.where, 0, 1, left)
        grid.addWidget(self.answers, 1, 1, left)
        grid.addLayout(fresh, 2, 1)
        records = QHBoxLayout()
        records.setSpacing(10)
        records.addWidget(self.records)
        words = _("Each replay leaves a run, which takes as much room on the disk as a recording")
        records.addWidget(Label(words, "body", "text-2"), 1)
        grid.addLayout(records, 3, 1)
        grid.addWidget(self._hidden_title, 4, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.hidden, 4, 1)
        grid.addWidget(self.lack, 5, 1)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)
        last = QHBoxLayout()
        last.setContentsMargins(0, 6, 0, 0)
        last.setSpacing(12)
        last.addWidget(self._estimate)
        last.addWidget(self._phone, 1)
        self.body.addLayout(last)

    def _connect(self) -> None:
        for check_list in (self.tasks, self.anomalies):
            check_list.changed.connect(self._changed)
        self.tasks.changed.connect(self._suggest)
        self.anomalies.tree.itemChanged.connect(self._note_own_choice)
        self.anomalies.all.clicked.connect(self._note_own_choice)
        self.anomalies.nothing.clicked.connect(self._note_own_choice)
        for segments in (self.where, self.answers):
            segments.chosen.connect(self._changed)
        self.fresh.toggled.connect(self._changed)
        self.hidden.changed.connect(self._changed)

    # -- what is shown -------------------------------------------------------
    def offer(
        self, given: SolvabilityInput, listed: Sequence[ListedAnomaly], tasks: Collection[str],
        anomaly: str = "",
        texts: Mapping[str, Sequence[str]] | None = None,
    ) -> None:  # fmt: skip
        """Offer tasks and anomalies; ``tasks`` are ticked, or all when empty, and ``anomaly`` alone if given.

        ``texts`` are the redacted texts that were entered for the last check.
        """
        self._input = given
        self.hidden.remember(texts or {})
        self._listed = {entry.anomaly.id: entry for entry in listed}
        self._chose_anomalies = bool(anomaly)
        known = set(tasks) & set(given.cases) or set(given.cases)
        self.tasks.show_items(
            [CheckItem(case.task.id, case.task.id, case.task.instruction) for case in given.cases.values()],
            known,
            _("No task has a golden trajectory yet: record one first"),
        )
        chosen = {anomaly} if anomaly else self._named()
        self._show_anomalies(chosen)
        self._changed()

    def show_phone(self, link: PhoneLink | None, obstacle: str = "") -> None:
        """Show the phone that the check would run on, or the obstacle on it."""
        self._link, self._obstacle = link, obstacle
        if link is None or not link.is_live:
            self._phone.setText(_("No phone is in use: connect one, or start a virtual phone"))
            self._phone.set_tone("warn")
        elif obstacle:
            self._phone.setText(obstacle)
            self._phone.set_tone("warn")
        else:
            self._phone.setText(_("on {name}", name=link.name))
            self._phone.set_tone("text-2")
        self._changed()

    def _named(self) -> set[str]:
        """Return the anomalies that the rules of the ticked tasks inject, or those of the project."""
        named = self._input.named(self.tasks.chosen) & set(self._listed)
        return named or {key for key, entry in self._listed.items() if not entry.installed}

    def _show_anomalies(self, chosen: Collection[str]) -> None:
        order = {name: number for number, name in enumerate(CATEGORIES)}
        listed = sorted(
            self._listed.values(),
            key=lambda entry: (entry.installed, order.get(entry.anomaly.category, len(order))),
        )
        items = [_check_item(entry) for entry in listed]
        self.anomalies.show_items(items, chosen, _("There is no anomaly to inject"))

    # -- what is chosen ------------------------------------------------------
    @property
    def plan(self) -> SolvabilityPlan:
        """The plan as it is chosen now."""
        return SolvabilityPlan(
            tuple(self.tasks.chosen),
            tuple(self._listed[anomaly_id].anomaly for anomaly_id in self.anomalies.chosen),
            self.where.current,
            self.answers.current,
            self.fresh.isChecked(),
            self.hidden.texts,
            records=self.records.isChecked(),
        )

    @Slot()
    def _note_own_choice(self) -> None:
        self._chose_anomalies = True

    @Slot()
    def _suggest(self) -> None:
        """Tick the anomalies of the ticked tasks, unless the person ticked anomalies."""
        if self._chose_anomalies or not self._listed:
            return
        chosen = self._named()
        if chosen != set(self.anomalies.chosen):
            self._show_anomalies(chosen)

    @Slot()
    def _changed(self) -> None:
        self.hidden.show_tasks(self._input, self.tasks.chosen)
        for part in (self.hidden, self._hidden_title):
            part.setVisible(self.hidden.is_needed)
        lack = self.hidden.missing
        self.lack.setText(
            ngettext(
                "{count} task cannot be replayed without its hidden text",
                "{count} tasks cannot be replayed without their hidden texts",
                lack,
            )
        )
        self.lack.setVisible(bool(lack))
        plan = self.plan
        progress = SolvabilityProgress(plan, self._input, self._pace_of(self._link))
        ready = bool(plan.tasks and plan.anomalies)
        words = ngettext("one run", "{count} runs", progress.runs)
        about = f"{words}, {time_words(progress.seconds)}"
        lacking = _("No task is chosen") if not plan.tasks else _("No anomaly is chosen")
        self._estimate.setText(about if ready else lacking)
        link = self._link
        self.yes.setEnabled(ready and link is not None and link.is_live and not self._obstacle)
        virtual = link is not None and link.info.is_virtual
        risky = plan.fresh and not virtual
        self.warning.setText(
            _("Deletes all data of the task's app before every run")
            if plan.fresh
            else _("A run starts with what the one before left in the app")
        )
        self.warning.set_tone("warn" if risky else "text-2")

    @Slot()
    def accept(self) -> None:
        """Start the check."""
        self.started.emit(self.plan)
        super().accept()


def _check_item(entry: ListedAnomaly) -> CheckItem:
    anomaly = entry.anomaly
    source = _("Studio") if entry.installed else _("Project")
    category = category_words(anomaly.category) if anomaly.category else _("Other")
    about = anomaly.description or kind_words(anomaly)
    tip = "\n".join((anomaly.id, anomaly.description, kind_words(anomaly), source))
    group = f"{category}  ·  {source}"
    return CheckItem(anomaly.id, anomaly.id, about, group, category_icon(anomaly.category), tip)
