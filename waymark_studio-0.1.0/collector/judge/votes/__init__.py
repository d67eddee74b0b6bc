"""What judges and people say of one subject: votes, agreement, and the reasons that they name."""
