"""Measurements: medians and ratios of runs side by side. Nothing here is a test."""
