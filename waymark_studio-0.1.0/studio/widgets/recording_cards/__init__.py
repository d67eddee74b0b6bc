"""Cards around the mirrored phone while a task is recorded: task, capture, keys of the phone."""
