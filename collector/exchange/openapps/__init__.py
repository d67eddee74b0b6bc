"""OpenApps' configuration (facebookresearch/OpenApps, ``config/``): its tasks, variations and contents."""
