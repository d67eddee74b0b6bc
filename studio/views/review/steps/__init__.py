"""What people say of single steps in Review: verdicts, comments and bookmarks."""
