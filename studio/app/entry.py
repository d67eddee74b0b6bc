"""Entry point of ``waymark-studio``. It loads no Qt: a system that lacks libraries gets a sentence."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from collector.cli.main import main as waymark
from collector.host.environment import isolate_process
from collector.host.quick_end import end_without_collecting
from collector.host.user_folders import close_user_folders
from collector.model.review_link import SCHEME
from collector.store.files.layout import PROJECT_FILE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the ``studio`` verb, for a project or a link, or the verb that is named."""
    if arguments is None:
        isolate_process()
        end_without_collecting()
        close_user_folders()
    command_line = list(sys.argv[1:] if arguments is None else arguments)
    first = next(iter(command_line), "-")
    is_file = Path(first).name == PROJECT_FILE
    is_place = is_file or first.startswith(("-", f"{SCHEME}:", "file:")) or Path(first).is_dir()
    return waymark(["studio", *command_line] if is_place else command_line)
