"""Recordings that others published are imported and played as phones, to their last step."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.exchange.imports.importing import import_into
from collector.model.action import Wait
from collector.practice.graph_builder import build_graph
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.virtual.recorded.recorded_phone import practice_report
from tests.helpers.playing_phone import do, playing

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the published trajectories are not there")


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        ("trajectories/IMNearth+CoAT", 3),
        ("trajectories/InterDroid", 11),
        ("trajectories/LiuGuanYi-1+G05_KeaProject", 13),
        ("trajectories/LlamaTouch+Evaluator", 11),
        ("layouts/AITK", 11),
        ("layouts/D-GARA/LOGFINAL", 5),
        ("layouts/LlamaTouch", 11),
        # Screens alone, without times: they pass by themselves, and some of them come twice.
        ("layouts/D-GARA/Collected_trajs", 11),
        ("trajectories/inclusionAI+UI-Venus", 6),
    ],
)  # fmt: skip
def test_a_published_recording_plays_to_its_end(tmp_path, source, steps):
    project = Project.create(tmp_path / "project", "Published")
    import_into(project, DATA / source)
    (folder,) = (path for path in (project.folder / "trajectories").glob("*/*") if path.is_dir())
    graph = build_graph([open_trajectory(folder)])
    with playing(graph) as phone:
        for number in graph.paths[0]:
            transition = graph.transitions[number]
            report = practice_report(phone)
            assert report is not None
            assert report["screen"] == transition.source + 1 or isinstance(transition.action, Wait)
            do(phone, transition.action)
        report = practice_report(phone)
    assert report is not None
    assert report["recordings"][0]["followed"] == report["on_path"] == steps
    assert report["off_path"] == 0
