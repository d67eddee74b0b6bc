"""What the session of the States workspace knows of a task, in a built window over a project on disk."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def test_the_states_of_a_task_are_followed_along_its_trajectories(room) -> None:
    session = room.session
    assert [state.id for state in session.states] == ["results", "bought", "liked"]
    assert [item.title for item in session.goldens] == ["golden-1", "golden-2"]
    assert session.trajectory.title == "golden-1"
    reach = {name: where.reached for name, where in session.reach_here.items()}
    assert reach == {"results": 1, "bought": 3}
    assert session.reach["buy-sara"]["bought"].reached == 2
    assert session.reach_here["results"].holds == ((1, 3),)

    session.select("bought", follow=True)
    assert session.step == 3
    room.until(lambda: session.proof is not None and session.proof.holds)
    session.go(1)
    room.until(lambda: session.proof is not None and not session.proof.holds)
    session.choose_trajectory("buy-sara")
    assert (session.trajectory.title, session.step) == ("golden-2", 1)

    document = session.document_of("bought")
    session.edit(lambda file: file.set_field("bought", "description", "It is bought"))
    assert session.state_of("bought").description == "It is bought"
    assert "# kept too" in document.text
    room.run("edit.undo")
    assert session.state_of("bought").description == "The poster is in the cart"

    room.workspace.chooser.list.activated.emit(1)
    assert session.task_id == "look"
    assert session.states == ()
    room.until(lambda: session.trajectory is None and session.shown is None)
