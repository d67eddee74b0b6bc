"""The health of the project below its tasks: findings by kind, each with its place, its reason and its fix"""
