"""The files of a project: where they lie, how they are named, locked, written and checked for links."""
