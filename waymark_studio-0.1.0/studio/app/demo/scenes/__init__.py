"""What happens in the tour, workspace by workspace; functions of a Tour that return when all is seen."""
