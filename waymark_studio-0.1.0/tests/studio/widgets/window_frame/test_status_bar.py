"""The status bar shows whole items: what has no room gives way by rank."""

from __future__ import annotations

from studio.widgets.window_frame.status_bar import StatusBar, StatusItem


def test_items_give_way_by_rank_and_come_back(hosted):
    bar = hosted(StatusBar(), 1200, 24)
    bar.set_item("device", StatusItem("Waymark Phone (virtual)", "state-ok"))
    bar.set_item("source", StatusItem("scrcpy 60 fps  ·  12 ms", rank=2))
    bar.set_item("index", StatusItem("index ok, 1,204 trajectories", rank=4), right=True)
    bar.set_item("saved", StatusItem("saved 12:04:11", "done"), right=True)

    def shown():
        return [key for key, cell in bar.cells.items() if cell.isVisible()]

    assert shown() == ["device", "source", "index", "saved"]
    bar.resize(500, 24)
    assert shown() == ["device", "source", "saved"]
    bar.resize(360, 24)
    assert shown() == ["device", "saved"]
    bar.set_item("cursor", StatusItem("x 1  y 2", rank=5), right=True, lead=True)
    assert "cursor" not in shown()
    bar.resize(1200, 24)
    assert set(shown()) == {"device", "source", "index", "saved", "cursor"}
    cells = [bar.cells[key].geometry() for key in shown()]
    assert all(bar.rect().contains(cell) for cell in cells)
    bar.set_item("index", None, right=True)
    assert "index" not in shown()
