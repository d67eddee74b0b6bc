"""What a number about judges counts, for Qt: tasks and states of trajectories, with what each judge says."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.metrics.judge_studies.paired import who_text
from collector.metrics.report import CountedSubject
from collector.metrics.value_text import dimension_value_text
from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from studio.views.metrics.counted_episode_model import DIFFERENT, EPISODE_ROLE, ListedEpisode, outcome_text
from studio.views.metrics.session import MetricsSession

_Index = QModelIndex | QPersistentModelIndex


class CountedSubjectModel(QAbstractListModel):
    """Those on which the verdicts differ first, then in the order of the row."""

    def __init__(self, session: MetricsSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.subjects: list[CountedSubject] = []

    def show(self, subjects: Sequence[CountedSubject]) -> None:
        """Show other subjects."""
        if not subjects and not self.subjects:
            return
        self.beginResetModel()
        self.subjects = sorted(subjects, key=lambda subject: not subject.is_disputed)
        self.endResetModel()

    def listed(self, row: int) -> ListedEpisode:
        """What the list shows of a subject."""
        subject, folder = self.subjects[row], self._session.folder
        verdicts = [
            _("{judge}: {verdict}", judge=who_text(who), verdict=verdict_text(verdict))
            for who, verdict in subject.verdicts.items()
        ]
        return ListedEpisode(
            row, dimension_value_text("task", subject.task), subject.state, ", ".join(verdicts),
            DIFFERENT if subject.is_disputed else next(iter(subject.verdicts.values()), ""),
            subject.folder.relative_to(folder).as_posix() if folder is not None else "",
        )  # fmt: skip

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.subjects)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        listed = self.listed(index.row())
        if role == EPISODE_ROLE:
            return listed
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            first = ", ".join(filter(None, (listed.title, listed.about)))
            return "\n".join((first, listed.line, outcome_text(listed.outcome), listed.folder))
        return listed.title if role == Qt.ItemDataRole.DisplayRole else None
