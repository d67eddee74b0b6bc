"""The rules of a project, and their back-test on everything the project has recorded."""
