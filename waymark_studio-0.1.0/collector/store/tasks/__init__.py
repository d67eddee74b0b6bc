"""The tasks and essential states of a project as files: read, edited, merged and upgraded."""
