"""The language of ``awk``, as the one true awk has it."""
