"""What is wrong with rules beyond their grammar: in themselves, in their project, in what was recorded."""
