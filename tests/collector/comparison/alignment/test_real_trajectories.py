"""Recordings nobody here wrote align with themselves, and with the same recording in other formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.comparison.alignment.aligned import align_stored
from collector.exchange.imports.importing import import_into
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not at hand")

ONE_RECORDING = {
    "trajectories/InterDroid": 12,
    "layouts/AITK": 12,
    "layouts/LlamaTouch": 12,
    "layouts/D-GARA/Collected_trajs": 12,
    "layouts/D-GARA/LOGFINAL": 6,
}
"""Folder -> steps. The last has no trees, and the one before it no actions."""
OTHERS = (
    "trajectories/LlamaTouch+Evaluator",
    "trajectories/LiuGuanYi-1+G05_KeaProject",
    "trajectories/IMNearth+CoAT",
)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StoredTrajectory]:
    project = Project.create(tmp_path_factory.mktemp("real") / "p")
    places = (*ONE_RECORDING, *OTHERS)
    return {place: open_trajectory(import_into(project, DATA / place).folders[0]) for place in places}


@pytest.mark.parametrize("place", [*ONE_RECORDING, *OTHERS])
def test_a_recording_has_no_difference_from_itself(
    recordings: dict[str, StoredTrajectory], place: str
) -> None:
    aligned = align_stored([recordings[place]] * 2)
    assert aligned.slots == tuple((step, step) for step in range(len(recordings[place].steps)))
    assert set(aligned.alignment.similarity) == {1.0}
    assert aligned.differences == ((), ())


@pytest.mark.parametrize(("place", "steps"), ONE_RECORDING.items())
def test_the_same_recording_in_another_format_has_the_same_steps(
    recordings: dict[str, StoredTrajectory], place: str, steps: int
) -> None:
    aligned = align_stored([recordings["trajectories/InterDroid"], recordings[place]])
    assert aligned.slots == tuple((step, step if step < steps else None) for step in range(12))
    # Actions that a format does not have are no other actions; AITK says in words that it ends.
    assert {difference.kind.value for difference in aligned.differences[1]} <= {"ended"}
