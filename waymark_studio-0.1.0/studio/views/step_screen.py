"""Show the screen of a recorded step in a device view: its picture, tree, action and target."""

from __future__ import annotations

from collector.model.i18n import _
from collector.model.message import in_language
from collector.model.predictions import was_changed
from collector.model.trajectory import Step
from studio.views.stored_screens import StoredScreen
from studio.widgets.device_view.highlight import Trace, TraceMark
from studio.widgets.device_view.view import DeviceView
from studio.widgets.device_view.view_frame import ViewFrame


def show_screen(view: DeviceView, step: Step, screen: StoredScreen) -> None:
    """Show the picture and the tree of a step, without its action."""
    size = screen.size if step.state.size.is_empty else step.state.size
    if screen.picture_problem:
        view.show_frame(None)
        view.set_notice(_("The picture cannot be shown"), screen.picture_problem)
    elif screen.image.isNull():
        view.show_frame(None)
        view.set_notice(_("No picture was recorded"), in_language(screen.problem))
    else:
        view.set_notice("")
        view.show_frame(ViewFrame(screen.image, size, step.state.secure))
    view.selection.set_tree(screen.tree, screen.index)
    view.set_traces(())
    view.set_target(None)


def show_action(view: DeviceView, step: Step, traces: list[Trace], density: int = 0) -> None:
    """Mark the action of the step on show and its target node.

    With the density of the screen in dots per inch, distances are also said in dp.
    """
    view.set_traces(traces, density)
    view.set_target(step.target.bounds if step.target is not None else None)
    tree = view.selection.tree
    if step.target is not None and tree is not None:
        view.selection.select(tree.at_path(step.target.path))


def step_traces(step: Step, *, by_agent: bool) -> list[Trace]:
    """Where a step touches; of an agent also where it wanted to, when that was changed."""
    traces = []
    if by_agent and step.agent is not None and step.agent.predicted is not None and was_changed(step):
        traces.append(Trace(step.agent.predicted, TraceMark.NEXT))
    if step.action is not None:
        traces.append(Trace(step.action, TraceMark.AGENT if by_agent else TraceMark.PERSON))
    return traces
