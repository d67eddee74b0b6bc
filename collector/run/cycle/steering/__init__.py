"""What people ask of a running episode, and answers that are held until they agree."""
