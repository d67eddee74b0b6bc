"""What is recorded, as columns: all states of a corpus, their dumps and nodes, and verdicts on them."""
