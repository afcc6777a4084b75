"""Files and folders: atomic writing, manifests, JSON lines, disk-backed lists, caches, archives and downloads."""
