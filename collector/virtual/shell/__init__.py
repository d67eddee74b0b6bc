"""The virtual phone's command line: files, a shell that reads like mksh, and the commands tools send."""
