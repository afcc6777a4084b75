"""The index of a project, kept beside it: what was read, by content, so that only what changed is read again."""
