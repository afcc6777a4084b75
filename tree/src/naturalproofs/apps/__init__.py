"""What people and programs use: command line, web page, static site, editor, agents, collections."""
