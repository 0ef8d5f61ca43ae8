"""Pages for users, and the script that draws their pictures."""
