"""How a window or a terminal watches and steers a run that another process makes."""
