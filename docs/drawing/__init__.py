"""What `docs.make_pictures` draws, by what the pictures show."""
