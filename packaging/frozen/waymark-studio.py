"""Entry of the frozen window, and on Linux of the command, by a link of its name."""

import sys
from pathlib import Path

from as_python import run_as_python

if __name__ == "__main__":
    if not run_as_python():
        if Path(sys.argv[0]).name == "waymark":
            from collector.cli.main import main
        else:
            from studio.app.entry import main

        sys.exit(main())
