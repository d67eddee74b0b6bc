"""The target of a task in its form, as YAML."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QPlainTextEdit

from collector.model.i18n import _
from collector.model.task import Task
from collector.store.tasks.task_file import TARGET
from collector.targets.written import target_of, target_text


class TargetField(QPlainTextEdit):
    """What has to be different when the task is done. A target that cannot be read stays as it is written."""

    def __init__(self, task: Task, height: int) -> None:
        unread = task.extra.get(TARGET)
        self._written = target_text(task.target.source if task.target is not None else unread).rstrip()
        super().__init__(self._written)
        self.setProperty("role", "code")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFixedHeight(height)
        self.setPlaceholderText("done: {title: Buy milk}")
        about = _("What has to be different in the data of apps, and nothing else, as YAML")
        self.setToolTip("\n".join((about, *_proof_lines(task))))

    def with_target(self, task: Task) -> Task:
        """The task with what is typed; as it was while nothing, or nothing readable, is."""
        if self._text == self._written or self.problem():
            return task
        extra = {key: value for key, value in task.extra.items() if key != TARGET}
        return replace(task, target=target_of(self._text), extra=extra)

    def problem(self) -> str:
        """Why what is typed is no target, in a sentence; empty when it is, or was so."""
        if self._text == self._written:
            return ""
        try:
            target_of(self._text)
        except ValueError as error:
            return str(error)
        return ""

    @property
    def _text(self) -> str:
        return self.toPlainText().rstrip()


def _proof_lines(task: Task) -> tuple[str, ...]:
    """That the target was reached, and in how many actions."""
    proof = task.proof
    if proof is None or task.target is None or proof.target != task.target.version:
        return ()
    return (
        _("Reached in {length} actions, at least {least} are needed (variation {variation}, seed {seed})",
          length=proof.length, least=proof.at_least, variation=proof.variation, seed=proof.seed),
    )  # fmt: skip
