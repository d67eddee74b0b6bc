"""A golden trajectory made on a phone, as a recorder writes one: state, target, action, step after step."""

from __future__ import annotations

import threading

from collector.hierarchy.captions import caption
from collector.hierarchy.selector_ranking import rank_selectors
from collector.model import action as actions
from collector.model.task import Task
from collector.model.trajectory import State, Step, Target, TrajectoryHeader
from collector.model.tree import Node
from collector.recorder.observer import Observer
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.step_builder import target_node
from collector.replay.device_executor import device_executor
from collector.replay.phone import ReplayPhone
from collector.replay.setup import prepare_phone
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.tasks import put_task

TODO = "com.waymark.todo"
ADD_TASK = Task("todo-add", "Add the task 'Milk'", "To-do", TODO)


class Golden:
    """Somebody who records: sees nodes by their words or id, acts on them, and finishes."""

    def __init__(self, phone: ReplayPhone, project: Project, task: Task) -> None:
        never = threading.Event()
        self._eyes = Observer(phone.device, phone.trees, never)
        self._fingers = device_executor(phone.device, phone.sink, never)
        self._phone = phone
        self._writer = project.new_trajectory(TrajectoryHeader("", task.id))
        state = State(package=task.package)
        prepare_phone(phone.device, task.package, [Step(0, 0, "", state)], fresh=True)

    def sees(self, words: str) -> Node:
        return seen(self._eyes, words)

    def tap(self, words: str, **extra: object) -> None:
        box = self.sees(words).bounds
        assert box is not None
        self.do(actions.Tap(box.center.x, box.center.y), **extra)

    def interrupted(self) -> None:
        """A dialog comes, is answered, and leads to the settings; two steps, back in the app."""
        self._phone.device.shell("am start -n com.example.adbsmarttest/.LowBatteryActivity")
        self.tap("OK", anomaly={"injection": "a", "anomaly": "low", "over": TODO})
        # A touch goes another way than a shell command, and may arrive after it.
        until_gone(self._eyes, "OK")
        self._phone.device.shell("am start -a android.settings.SETTINGS")
        self.sees("Settings")
        self.do(actions.Key("back"))

    def do(self, action: actions.Action, **extra: object) -> None:
        screen = self._eyes.look()
        self._write(screen, action, extra)
        self._fingers.do(action, screen.screen)

    def finish(self) -> StoredTrajectory:
        self._write(self._eyes.look(), None, {})
        self._writer.finish()
        self._writer.close()
        return open_trajectory(self._writer.folder)

    def _write(self, screen: ScreenMoment, action: actions.Action | None, extra: dict[str, object]) -> None:
        state = State(package=screen.package, activity=screen.activity, size=screen.screen, skew=0.0)
        tree = screen.tree
        node, target = target_node(action, tree), None
        if node is not None and tree is not None:
            names = ("class", "resource-id", "text", "content-desc", "hint")
            attributes = {name: node.get(name) for name in names if node.get(name)}
            ranked = rank_selectors(tree, node)[:5]
            target = Target(node.path, node.bounds, tuple(selector.text for selector in ranked), attributes)
        words = caption(action, tree) if action is not None else ""
        step = Step(0, len(self._writer) * 1000, "", state, action, target, words, extra=extra)
        self._writer.append(step, None, screen.xml)


def seen(eyes: Observer, words: str) -> Node:
    """The node whose text, description or id is ``words``; waits until it is there."""
    for _look in range(60):
        for node in eyes.look().tree or ():
            if words in (node.text, node.content_desc, node.short_id):
                return node
    raise AssertionError(f"no {words!r} on the screen")


def until_gone(eyes: Observer, words: str) -> None:
    """Wait until no node has ``words`` as its text, description or id."""
    for _look in range(60):
        nodes = eyes.look().tree or ()
        if not any(words in (node.text, node.content_desc, node.short_id) for node in nodes):
            return
    raise AssertionError(f"{words!r} stays on the screen")


def add_a_task(phone: ReplayPhone, project: Project, *, interrupted: bool = False) -> StoredTrajectory:
    """The golden trajectory of ADD_TASK: six steps and the list with the new task.

    With an interruption there are two more, after the first.
    """
    put_task(project, ADD_TASK)
    golden = Golden(phone, project, ADD_TASK)
    golden.tap("All")
    if interrupted:
        golden.interrupted()
    golden.tap("add")
    golden.tap("title")
    golden.do(actions.Type("Milk", 4))
    golden.do(actions.Key("back"))  # puts the keyboard away
    golden.tap("save")
    golden.sees("Milk")
    return golden.finish()
