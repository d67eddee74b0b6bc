"""Shell commands of the system services, as ``cmd SERVICE`` runs them."""
