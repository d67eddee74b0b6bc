"""Commands about processes, memory and processor time of the virtual phone."""
