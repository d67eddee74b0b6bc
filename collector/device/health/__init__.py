"""Whether this computer and its phones are fit for work, and what to do when they are not."""
