"""The guided tour: a person makes a project and records a task, which is judged, in the real window."""
