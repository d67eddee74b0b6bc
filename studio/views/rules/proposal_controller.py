"""Propose rules from what a trajectory recorded, and add the chosen one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from collector.rules.columns.corpus import TrajectoryRef
from collector.rules.grammar.model import INJECTION, SUCCESS, Rule
from collector.rules.suggest.rule_proposals import RuleProposal
from rule_editor.widgets.condition_menu import ConditionMenu
from studio.bridge.project_library import ProjectLibrary
from studio.commands.commander import Commander
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.rules.anomalies.anomaly_choices import default_anomaly
from studio.views.rules.rule_list_controller import RuleListController
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession
from studio.views.rules.task_references import judging_rule, name_rule_in_task
from studio.widgets.commands.command_button import CommandFace
from studio.widgets.window_frame.toasts import Toasts
from studio.widgets.window_frame.toolbar import Toolbar


class ProposalController(QObject):
    """Asks the back-tests for proposals, and offers them in a menu below ``toolbar``."""

    def __init__(
        self, session: RulesSession, rules: RuleListController, pane: RulePane,
        project_library: ProjectLibrary, toolbar: Toolbar, commander: Commander, toasts: Toasts,
        host: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(host)
        self._session, self._rules, self._project_library = session, rules, project_library
        self._toolbar, self._toasts = toolbar, toasts
        self.menu = ConditionMenu(STUDIO_TOOLKIT, host)
        self.menu.chosen.connect(self._chosen)
        self._trajectory: TrajectoryRef | None = None
        """The trajectory that the proposals are made from."""
        pane.propose_wanted.connect(self.propose)
        pane.new_wanted.connect(partial(commander.run, "rules.new"))
        CommandFace(pane.propose, commander, "rules.propose")
        session.backtests.proposed.connect(self._offer)
        commander.handle("rules.propose", self.propose)

    @Slot()
    def propose(self) -> None:
        """Ask for success rules and injection points of the trajectory shown last, or of the first."""
        session, corpus = self._session, self._session.corpus
        self._trajectory = session.trajectory
        if self._trajectory is None and corpus is not None and corpus.trajectories:
            self._trajectory = corpus.trajectories[0]
        if self._trajectory is not None:
            session.backtests.propose(self._trajectory, default_anomaly(session.documents.offered))

    @Slot(object)
    def _offer(self, proposals: list[RuleProposal]) -> None:
        if not self._toolbar.isVisible():
            return  # The person went to another workspace, which the menu would cover.
        if not proposals:
            self._toasts.show(
                "info", _("No condition is true at the end of this trajectory and false before")
            )
            return
        task_id = self._trajectory.task_id if self._trajectory is not None else ""
        at = self._toolbar.mapToGlobal(self._toolbar.rect().bottomLeft())
        self.menu.offer(_("Rules proposed for {task}", task=task_id), proposals, at, group_of=_group_of)

    @Slot(object)
    def _chosen(self, proposal: RuleProposal) -> None:
        rule = self._rules.add_rule(proposal.rule)
        if rule is not None and self._trajectory is not None:
            self._name_in_task(rule, self._trajectory.task_id)

    def _name_in_task(self, rule: Rule, task_id: str) -> None:
        """Let the task of the trajectory name the rule; ask first when another rule judges the task."""
        judge = judging_rule(self._project_library.edits, self._session.documents.rules, task_id)

        def name() -> None:
            name_rule_in_task(self._project_library.edits, task_id, rule)
            self._session.lint()

        if rule.kind != SUCCESS or not judge:
            name()
            return
        self._toasts.show(
            "info",
            _("{task} is judged by the rule {rule}", task=task_id, rule=judge),
            _("No task names {rule} yet", rule=rule.id),
            action=_("Judge it by {rule}", rule=rule.id),
            act=name,
        )


def _group_of(proposal: RuleProposal) -> str:
    return _("Injection rules") if proposal.rule.kind == INJECTION else _("Success rules")
