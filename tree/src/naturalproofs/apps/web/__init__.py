"""The page and its JSON interface: everything the library answers, over HTTP, for people and for programs."""
