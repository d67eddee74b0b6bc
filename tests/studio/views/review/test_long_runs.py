"""A long run and a short one: the timeline fits what is opened, and End goes to the end of the chosen run."""

from __future__ import annotations

from functools import partial

from collector.model.action import Tap
from collector.model.episode import Episode
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.store.project.project import Project
from studio.widgets.timeline.sizes import ALIGNED_SIZES
from tests.helpers.review_room import PATH, TASK, write_trajectory

STEPS = 240


def test_the_timeline_fits_what_is_opened_and_end_goes_to_the_end_of_the_chosen_run(room) -> None:
    project = Project.open(room.studio.project_library.snapshot.folder)
    paths = {"long": (("Shop", Tap(4, 8)), ("Search", Tap(10, 20))) * (STEPS // 2), "short": PATH[:2]}
    for name, path in paths.items():
        header = TrajectoryHeader(name, TASK, RUN, episode=Episode(agent="monkey"))
        room.folders[name] = write_trajectory(project, header, path)
    room.studio.window.show_workspace("review")
    canvas, session = room.workspace.timeline.canvas, room.session

    def opened(*names: str) -> None:
        session.open([room.folders[name] for name in names], with_companions=False)
        room.until(lambda: len(session.stored) == len(names) and session.is_aligned)
        room.until(lambda: canvas.track.count == session.count)

    opened("long")
    assert session.count == STEPS
    assert canvas.grid().x(STEPS) <= canvas.viewport().width()
    canvas.fit_all()
    opened("golden", "short")
    room.until(lambda: len(room.studio.window.services.screens) >= 2)
    assert room.studio.window.services.screens.byte_count > 0, "all workspaces keep screens in one place"
    assert canvas.slot_width == ALIGNED_SIZES.slot

    assert session.count == len(PATH)
    for side, end in ((1, 1), (0, len(PATH) - 1)):
        session.choose_side(side)
        for act in (
            partial(room.studio.commander.run, "review.last-step"),
            room.workspace.timeline.header.last.click,
        ):
            session.go(0)
            act()
            assert session.slot == end

    room.studio.commander.run("review.zoom-in")
    zoomed = canvas.slot_width
    room.workspace.resize(room.workspace.width() - 40, room.workspace.height())
    assert canvas.slot_width == zoomed > ALIGNED_SIZES.slot, "who zoomed keeps the scale"
