"""Small repositories with a fault or a missing feature, and tests that judge a patch."""
