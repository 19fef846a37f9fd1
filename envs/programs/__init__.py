"""Programs to predict, repair, complete, test and write, judged by running them."""
