"""From what a person clicked, or a whole trajectory, to conditions worth having, each with its reason."""
