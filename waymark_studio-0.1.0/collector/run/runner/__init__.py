"""The runner: hands the cells of an experiment to workers, retries faults, and goes on where it was."""
