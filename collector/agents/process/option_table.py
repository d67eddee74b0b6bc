"""The options of the agent ``process``, as an experiment may write them."""

from __future__ import annotations

from collector.agents.translators.registry import DIALECTS
from collector.model.i18n import N_
from collector.plugins.options import PluginOption

BASE64, PATH, NONE = "base64", "path", "none"
XML, NODES = "xml", "nodes"

OPTIONS = (
    PluginOption(
        "command",
        list,
        None,
        N_("The program and its words, without a shell"),
        required=True,
        other_names=("cmd", "program", "run", "exec", "script"),
    ),
    PluginOption(
        "cwd",
        str,
        "",
        N_("Folder of the project in which it runs"),
        other_names=("folder", "directory", "dir", "path", "working_directory"),
    ),
    PluginOption(
        "env",
        list,
        None,
        N_("Names of environment variables that it gets, such as keys"),
        other_names=("environment", "variables"),
    ),
    PluginOption(
        "dialect", str, None, N_("Dialect of answers that it sends as raw text"), choices=tuple(DIALECTS)
    ),
    PluginOption("screenshot", str, BASE64, N_("How it gets the screenshot"), choices=(BASE64, PATH, NONE)),
    PluginOption("tree", str, XML, N_("How it gets the tree"), choices=(XML, NODES, NONE)),
    PluginOption("timeout_s", float, 120.0, N_("Seconds that an answer may take")),
    PluginOption("start_timeout_s", float, 60.0, N_("Seconds until it must be ready")),
    PluginOption(
        "config",
        dict,
        None,
        N_("Any values that it is told when it starts"),
        other_names=("settings", "parameters", "params", "args"),
    ),
)
