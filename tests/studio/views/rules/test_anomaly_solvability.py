"""From an anomaly in Rules to the question which tasks stay solvable under it."""

from __future__ import annotations

import pytest

from studio.bridge.rules.rule_names import ANOMALY_KIND

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)


@pytest.mark.all_workspaces
def test_the_anomaly_on_show_alone_is_ticked(room):
    library = room.session.documents.anomalies.library
    shown = library.anomalies[-1].id
    room.session.select(ANOMALY_KIND, shown)
    assert room.studio.commander.enabled("anomaly.solvability")
    room.studio.commander.run("anomaly.solvability")
    project = room.studio.window.workspace("project")
    assert room.studio.window.current is project
    dialog = project.solvability.dialog
    room.until(lambda: dialog.anomalies.chosen)
    assert dialog.anomalies.chosen == [shown]
    assert not dialog.yes.isEnabled()
    dialog.reject()
    assert project.solvability.dialog is None


@pytest.mark.all_workspaces
def test_a_project_that_cannot_be_read_is_said_instead_of_an_empty_choice(room):
    (room.studio.project_library.project.folder / "rules" / "zz.yaml").write_bytes(b"rules: \xff\xfe")
    room.studio.commander.run("view.project")
    room.studio.commander.run("project.solvability")
    project = room.studio.window.workspace("project")
    room.until(lambda: project.solvability.dialog is None)
    assert "zz.yaml" in room.studio.window.toasts.shown[-1].accessibleName()
