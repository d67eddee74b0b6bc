"""Review trajectories: verdicts of people, their queues, blind second reviews, approval and adjudication."""
