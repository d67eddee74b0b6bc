"""What an edit of a trajectory comes to, and its history, as film strips and lists."""
