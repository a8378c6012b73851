"""Texts into forests: a module a format. Reading never raises."""
