"""Entry of the frozen command."""

import multiprocessing
import sys

from collector.cli.main import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
