"""Commands of the window: they work in every workspace."""

from __future__ import annotations

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord
from studio.commands.workspaces import AVAILABLE_WORKSPACES

WINDOW_COMMANDS = (
    Command(
        "project.new", N_("New project..."), N_("Make a folder for a new benchmark"), menu="file/project"
    ),
    Command(
        "project.open",
        N_("Open project..."),
        N_("Open the folder of a benchmark"),
        shortcut=chord("Ctrl+O"),
        icon="project",
        menu="file/project",
    ),
    Command(
        "project.open-sample",
        N_("Open the sample project"),
        N_("Tasks over the virtual phone's apps"),
        menu="file/project",
    ),
    Command(
        "project.reload",
        N_("Reload"),
        N_("Read again what other programs changed in the project; what was typed here stays"),
        when="project.open",
        icon="refresh",
        menu="file/project",
    ),
    Command("project.close", N_("Close project"), when="project.open", menu="file/project"),
    Command(
        "project.revoke-trust",
        N_("Trust this project's commands no more"),
        N_("Its shell commands are asked about again before they run on a phone"),
        when="project.trusted and not project.read-only",
        icon="lock",
        menu="file/project",
    ),
    Command(
        "project.import",
        N_("Import..."),
        N_("Import trajectories or tasks from a folder, zip or file"),
        shortcut=chord("Ctrl+I"),
        icon="down",
        menu="file/exchange",
        when="not project.read-only",
    ),
    Command(
        "app.settings",
        N_("Settings"),
        N_("Change how the studio looks and works"),
        shortcut=chord("Ctrl+,"),
        icon="gear",
        menu="file/app",
    ),
    Command("app.quit", N_("Quit"), shortcut=chord("Ctrl+Q"), menu="file/app"),
    Command(
        "edit.undo",
        N_("Undo"),
        N_("Undo the last change of what is open: tasks, steps, rules, or the text you write"),
        shortcut=chord("Ctrl+Z"),
        when="undo.possible and not project.read-only",
        icon="undo",
        menu="edit/history",
    ),
    Command(
        "edit.redo",
        N_("Redo"),
        N_("Repeat what was undone last"),
        shortcut=chord("Ctrl+Shift+Z", "Ctrl+Y", macos=("Ctrl+Shift+Z",)),
        when="redo.possible and not project.read-only",
        icon="redo",
        menu="edit/history",
    ),
    Command(
        "view.palette",
        N_("Command palette"),
        N_("Find any command by its name"),
        shortcut=chord("Ctrl+K", "Ctrl+P"),
        icon="search",
        menu="view/find",
        palette=False,
    ),
    *(
        Command(
            entry.command,
            entry.go_to,
            entry.tooltip,
            shortcut=chord(entry.key),
            icon=entry.id,
            menu="view/workspace",
        )
        for entry in AVAILABLE_WORKSPACES
    ),
    Command(
        "view.left-panel",
        N_("Left panel"),
        N_("Show or hide the left panel"),
        shortcut=chord("["),
        icon="panel-left",
        menu="view/panels",
    ),
    Command(
        "view.bottom-panel",
        N_("Bottom panel"),
        N_("Show or fold the panel below: timeline, back-test or problems"),
        shortcut=chord("\\"),
        icon="panel-bottom",
        menu="view/panels",
    ),
    Command(
        "view.right-panel",
        N_("Right panel"),
        N_("Show or hide the right panel"),
        shortcut=chord("]"),
        icon="panel-right",
        menu="view/panels",
    ),
    Command(
        "view.full-screen",
        N_("Full screen"),
        shortcut=chord("F11", macos=("Meta+Ctrl+F",)),
        icon="fit",
        menu="view/panels",
    ),
    Command(
        "view.notifications",
        N_("Notifications"),
        N_("Read the last messages of the window again"),
        icon="bell",
        menu="view/look",
    ),
    Command("view.theme", N_("Switch between light and dark"), icon="moon", menu="view/look"),
    Command(
        "device.start-virtual",
        N_("Start a virtual phone"),
        N_("A simulated Android phone that records like a real one"),
        when="not virtual.starting",
        icon="play",
        menu="device/connect",
    ),
    Command(
        "device.connect",
        N_("Connect a phone..."),
        N_("Connect by address, over Wi-Fi"),
        icon="wifi",
        menu="device/connect",
    ),
    Command(
        "device.install",
        N_("Install apps..."),
        N_("Install APK files on the phone; they can be dropped on the mirror, too"),
        when="device.live",
        icon="down",
        menu="device/files",
    ),
    Command(
        "device.push",
        N_("Send files..."),
        N_("Copy files to the phone's Download folder; they can be dropped on the mirror, too"),
        when="device.live",
        icon="up",
        menu="device/files",
    ),
    Command(
        "anomaly.show",
        N_("Active anomalies"),
        N_("The anomalies on the phone now, and how to undo them"),
        when="anomaly.active",
        icon="zap",
        menu="device/anomalies",
    ),
    Command(
        "anomaly.undo",
        N_("Undo the latest anomaly"),
        N_("Undo the newest change of the phone, or close the dialog"),
        when="anomaly.active",
        icon="undo",
        menu="device/anomalies",
    ),
    Command(
        "anomaly.undo-all",
        N_("Undo all anomalies"),
        N_("Restore the phone: undo every change"),
        when="anomaly.active",
        icon="undo",
        menu="device/anomalies",
    ),
    Command(
        "help.shortcuts",
        N_("Keys of this workspace"),
        N_("Show every key that works here"),
        shortcut=chord("?", "F1"),
        icon="keyb",
        menu="help/learn",
    ),
    Command(
        "help.log", N_("Open the log folder"), N_("The files to send with a question"), menu="help/learn"
    ),
    Command("help.about", N_("About Waymark Studio"), menu="help/about"),
)
