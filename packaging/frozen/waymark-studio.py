"""Entry of the frozen window."""

import sys

from as_python import run_as_python

if __name__ == "__main__":
    if not run_as_python():
        from studio.app.entry import main

        sys.exit(main())
