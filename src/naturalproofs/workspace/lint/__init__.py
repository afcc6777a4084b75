"""Checks of a project's references: rules, a baseline for old projects, and reports that editors and CI read."""
