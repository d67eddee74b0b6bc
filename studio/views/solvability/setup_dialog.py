"""What to survey: tasks, anomalies, where they come and how they are answered, and how long it takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from collector.anomalies.anomaly_source import ListedAnomaly
from collector.anomalies.model import CATEGORIES
from collector.model.i18n import _, ngettext
from collector.replay.solvability_cases import AUTO, DECLARED, EACH, FIRST
from collector.replay.solvability_plan import SolvabilityInput, SolvabilityPlan
from collector.replay.solvability_progress import SolvabilityProgress
from studio.bridge.phone import PhoneLink
from studio.views.solvability.check_list import CheckItem, CheckList
from studio.views.solvability.progress_row import time_words
from studio.views.solvability.redacted_texts import RedactedTextFields
from studio.widgets.controls import Label, SegmentedControl, Switch
from studio.widgets.dialog import Dialog
from studio.widgets.inject.anomaly_entries import category_icon, category_words, kind_words

_SIZE, _NARROWEST, _AROUND = QSize(980, 680), 760, QSize(48, 48)


class SolvabilitySetupDialog(Dialog):
    """``started(plan)`` when the person begins it."""

    started = Signal(object)

    def __init__(self, parent: QWidget, pace_of: Callable[[PhoneLink | None], float]) -> None:
        """``pace_of`` says how fast a phone is, as :class:`SolvabilityProgress` takes it."""
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
        self._ground = SolvabilityInput()
        self._shelf: dict[str, ListedAnomaly] = {}
        self._link: PhoneLink | None = None
        self._obstacle = ""
        self._touched = False
        self.tasks = CheckList(_("Tasks"), _("Filter tasks"), 116)
        self.anomalies = CheckList(_("Anomalies"), _("Filter anomalies"), 240)
        self.where = SegmentedControl(
            [(AUTO, _("By its rule"), ""), (FIRST, _("First step"), ""), (EACH, _("Each step"), "")]
        )
        self.where.setToolTip(_("Where the task's injection rule holds, else on the first screen of its app"))
        self.answers = SegmentedControl([(DECLARED, _("As declared"), ""), (EACH, _("Each answer"), "")])
        self.answers.setToolTip(_("The answer the anomaly's author expects, or every answer in turn"))
        self.fresh = Switch(_("Fresh app data"))
        self.hidden = RedactedTextFields()
        self._hidden_title = Label(_("Hidden texts"), "body", "text-2")
        self._hidden_title.setContentsMargins(0, 7, 0, 0)  # on the line of the first field
        self._lack = Label("", "body", "warn")
        self._warning = Label("", "body", "text-2")
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
        fresh.addWidget(self._warning, 1)
        left = Qt.AlignmentFlag.AlignLeft
        for row, words in enumerate((_("Injected"), _("Answered"), _("Fresh app data"))):
            grid.addWidget(Label(words, "body", "text-2"), row, 0)
        grid.addWidget(self.where, 0, 1, left)
        grid.addWidget(self.answers, 1, 1, left)
        grid.addLayout(fresh, 2, 1)
        grid.addWidget(self._hidden_title, 3, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.hidden, 3, 1)
        grid.addWidget(self._lack, 4, 1)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)
        last = QHBoxLayout()
        last.setContentsMargins(0, 6, 0, 0)
        last.setSpacing(12)
        last.addWidget(self._estimate)
        last.addWidget(self._phone, 1)
        self.body.addLayout(last)

    def _connect(self) -> None:
        for one in (self.tasks, self.anomalies):
            one.changed.connect(self._changed)
        self.tasks.changed.connect(self._suggest)
        self.anomalies.tree.itemChanged.connect(self._was_touched)
        self.anomalies.all.clicked.connect(self._was_touched)
        self.anomalies.nothing.clicked.connect(self._was_touched)
        for segments in (self.where, self.answers):
            segments.chosen.connect(self._changed)
        self.fresh.toggled.connect(self._changed)
        self.hidden.changed.connect(self._changed)

    # -- what is shown -------------------------------------------------------
    def offer(
        self, ground: SolvabilityInput, shelf: Sequence[ListedAnomaly], tasks: Collection[str],
        anomaly: str = "",
        texts: Mapping[str, Sequence[str]] | None = None,
    ) -> None:  # fmt: skip
        """Show what there is; ``tasks`` are ticked, else all, and only ``anomaly`` where one is named.

        ``texts`` are the hidden ones as they were given the last time.
        """
        self._ground = ground
        self.hidden.remember(texts or {})
        self._shelf = {one.anomaly.id: one for one in shelf}
        self._touched = bool(anomaly)
        known = set(tasks) & set(ground.cases) or set(ground.cases)
        self.tasks.show_items(
            [CheckItem(case.task.id, case.task.id, case.task.instruction) for case in ground.cases.values()],
            known,
            _("No task has a golden trajectory yet: record one first"),
        )
        chosen = {anomaly} if anomaly else self._named()
        self._show_anomalies(chosen)
        self._changed()

    def show_phone(self, link: PhoneLink | None, obstacle: str = "") -> None:
        """Say on which phone it would run, or what keeps that one from it."""
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
        """Those the rules of the ticked tasks inject; the project's own where they name none."""
        named = self._ground.named(self.tasks.chosen) & set(self._shelf)
        return named or {key for key, one in self._shelf.items() if not one.installed}

    def _show_anomalies(self, chosen: Collection[str]) -> None:
        order = {name: number for number, name in enumerate(CATEGORIES)}
        listed = sorted(
            self._shelf.values(), key=lambda one: (one.installed, order.get(one.anomaly.category, len(order)))
        )
        items = [_item(one) for one in listed]
        self.anomalies.show_items(items, chosen, _("There is no anomaly to inject"))

    # -- what is chosen ------------------------------------------------------
    @property
    def plan(self) -> SolvabilityPlan:
        """What is chosen now."""
        return SolvabilityPlan(
            tuple(self.tasks.chosen),
            tuple(self._shelf[one].anomaly for one in self.anomalies.chosen),
            self.where.current,
            self.answers.current,
            self.fresh.isChecked(),
            self.hidden.texts,
        )

    @Slot()
    def _was_touched(self) -> None:
        self._touched = True

    @Slot()
    def _suggest(self) -> None:
        """Other tasks have other rules; what the person ticked himself is left alone."""
        if self._touched or not self._shelf:
            return
        chosen = self._named()
        if chosen != set(self.anomalies.chosen):
            self._show_anomalies(chosen)

    @Slot()
    def _changed(self) -> None:
        self.hidden.show_tasks(self._ground, self.tasks.chosen)
        for part in (self.hidden, self._hidden_title):
            part.setVisible(self.hidden.is_needed)
        lack = self.hidden.missing
        self._lack.setText(
            ngettext(
                "{count} task cannot be replayed without its hidden text",
                "{count} tasks cannot be replayed without their hidden texts",
                lack,
            )
        )
        self._lack.setVisible(bool(lack))
        plan = self.plan
        progress = SolvabilityProgress(plan, self._ground, self._pace_of(self._link))
        ready = bool(plan.tasks and plan.anomalies)
        words = ngettext("one run", "{count} runs", progress.runs)
        about = f"{words}, {time_words(progress.seconds)}"
        lacking = _("No task is chosen") if not plan.tasks else _("No anomaly is chosen")
        self._estimate.setText(about if ready else lacking)
        link = self._link
        self.yes.setEnabled(ready and link is not None and link.is_live and not self._obstacle)
        virtual = link is not None and link.info.is_virtual
        risky = plan.fresh and not virtual
        self._warning.setText(
            _("Deletes all data of the task's app before every run")
            if plan.fresh
            else _("A run starts with what the one before left in the app")
        )
        self._warning.set_tone("warn" if risky else "text-2")

    @Slot()
    def accept(self) -> None:
        """Begin it."""
        self.started.emit(self.plan)
        super().accept()


def _item(one: ListedAnomaly) -> CheckItem:
    anomaly = one.anomaly
    source = _("Studio") if one.installed else _("Project")
    category = category_words(anomaly.category) if anomaly.category else _("Other")
    about = anomaly.description or kind_words(anomaly)
    tip = "\n".join((anomaly.id, anomaly.description, kind_words(anomaly), source))
    group = f"{category}  ·  {source}"
    return CheckItem(anomaly.id, anomaly.id, about, group, category_icon(anomaly.category), tip)
