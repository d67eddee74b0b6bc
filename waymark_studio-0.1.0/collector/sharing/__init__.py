"""Share trajectories side by side: one HTML page, a video, a GIF, a contact sheet, a Markdown report."""
