"""Entry of the frozen command."""

import sys

from as_python import run_as_python

if __name__ == "__main__":
    if not run_as_python():
        from collector.cli.main import main

        sys.exit(main())
