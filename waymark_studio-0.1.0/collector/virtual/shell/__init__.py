"""The virtual phone's shell: files, an interpreter that behaves like mksh, and the commands tools send."""
