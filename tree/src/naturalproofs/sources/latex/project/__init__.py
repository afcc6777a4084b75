"""The files of a project: found, opened, chosen, cached."""
