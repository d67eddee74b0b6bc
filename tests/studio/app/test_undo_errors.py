"""The error of an edit that cannot be undone leaves when another edit was undone or redone."""

from __future__ import annotations

from collector.model.task import Task
from collector.store.project.project import Project


def test_the_error_leaves_with_the_next_edit_that_is_undone(studio, qtbot, tmp_path):
    project = Project.create(tmp_path / "benchmark")
    library, toasts = studio.project_library, studio.window.toasts
    with qtbot.waitSignal(library.opened):
        library.open(project.folder)
    studio.window.show_workspace("project")
    used = {"b"}
    library.edits.keep_used(lambda: used)

    def add(name: str) -> None:
        edits = library.edits
        edits.edit(f"add {name}", [*edits.tasks, Task(name, f"Do {name}")])

    add("a")
    add("b")

    def errors() -> list[str]:
        return [toast.accessibleName() for toast in toasts.shown if toast.stays]

    studio.window.actions_of_window.run("edit.undo")
    assert [text.split(".")[0] for text in errors()] == ["This cannot be undone"]
    used.clear()
    studio.window.actions_of_window.run("edit.undo")
    assert errors() == []
    used.add("b")
    studio.window.actions_of_window.run("edit.redo")
    studio.window.actions_of_window.run("edit.undo")
    assert errors()
    add("c")
    studio.window.actions_of_window.run("edit.undo")
    studio.window.actions_of_window.run("edit.redo")
    assert errors() == []
