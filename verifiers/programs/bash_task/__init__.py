"""Shell scripts, judged by the trees of files that they leave."""
