"""Entry of the frozen window."""

import multiprocessing
import sys

from studio.app.main import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
