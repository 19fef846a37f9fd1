"""Space in words and pictures: turning things, walking about, and reading what is drawn."""
