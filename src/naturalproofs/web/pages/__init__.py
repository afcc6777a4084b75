"""What people see: one file a page, each a function from the site and a question to HTML."""
