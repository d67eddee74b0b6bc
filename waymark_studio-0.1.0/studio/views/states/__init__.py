"""The States workspace: the essential states of a task over its recordings, agreed on by people."""
