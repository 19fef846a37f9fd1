"""Plans: sequences of moves from one state to another, judged by executing them."""
