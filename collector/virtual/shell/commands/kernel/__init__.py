"""Programs that ask the kernel and its devices; most of it is refused to the shell's user."""
