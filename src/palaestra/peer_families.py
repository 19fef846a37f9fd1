"""Families of reasoning-gym, their counterparts in Palaestra, and how each is generated."""

from collections.abc import Mapping

PEERS: Mapping[str, str] = {
    "ab": "strings/ab_rewriting?level=0",
    "acre": "induction/causal_blickets?level=2",
    "advanced_geometry": "geometry/triangle_centres?level=0",
    "aiw": "logic/sibling_counts?level=0",
    "arc_1d": "induction/strip_transformation?level=2",
    "arc_agi": "induction/grid_transformation?level=4",
    "base_conversion": "arithmetic/base_conversion?level=1",
    "basic_arithmetic": "arithmetic/random_calculation?level=2",
    "bf": "machines/tape_program?level=1",
    "binary_alternation": "strings/binary_alternation?level=4&swaps=any",
    "binary_matrix": "matrices/distance_to_nearest?level=3",
    "bitwise_arithmetic": "arithmetic/bitwise_arithmetic?level=1",
    "boxnet": "planning/box_net?level=1",
    "caesar_cipher": "ciphers/caesar_and_vigenere?level=1",
    "calendar_arithmetic": "arithmetic/calendar_arithmetic?level=2",
    "chain_sum": "arithmetic/random_calculation?level=0&numbers=4&largest=99",
    "circuit_logic": "logic/circuit_logic?level=1",
    "codeio": "programs/predict_output?level=3",
    "coin_flip": "counting/coin_flips?level=0&flips=9",
    "color_cube_rotation": "spatial/cube_rotation?level=1",
    "complex_arithmetic": "arithmetic/complex_arithmetic?level=1",
    "count_bits": "arithmetic/bit_counting?level=4",
    "count_primes": "arithmetic/number_filtering?level=0",
    "countdown": "arithmetic/countdown?level=4",
    "course_schedule": "graphs/topological_order?level=1",
    "cryptarithm": "arithmetic/cryptarithm?level=2",
    "decimal_arithmetic": "arithmetic/decimal_chain_sum?level=2&places=3",
    "decimal_chain_sum": "arithmetic/decimal_chain_sum?level=2",
    "dice": "counting/dice_probability?level=3",
    "emoji_mystery": "ciphers/hidden_message?level=3",
    "family_relationships": "logic/family_relationships?level=0",
    "figlet_font": "spatial/ascii_banner?level=2",
    "fraction_simplification": "arithmetic/fraction_arithmetic?level=0",
    "futoshiki": "grids/futoshiki?level=3",
    "game_of_life": "machines/game_of_life?level=0&size=10",
    "game_of_life_halting": "machines/game_of_life_fate?level=4",
    "gcd": "numbers/greatest_common_divisor?level=0",
    "graph_color": "graphs/graph_coloring?level=0",
    "group_anagrams": "strings/group_anagrams?level=3",
    "gsm_symbolic": "arithmetic/word_problem?level=2",
    "intermediate_integration": "algebra/antiderivative?level=2",
    "isomorphic_strings": "strings/isomorphic_strings?level=0",
    "jugs": "planning/water_jugs?level=4",
    "kakurasu": "grids/kakurasu?level=1",
    "knight_swap": "planning/knight_swap?level=0",
    "knights_knaves": "logic/knights_and_knaves?level=0",
    "largest_island": "matrices/flood_regions?level=3",
    "lcm": "numbers/greatest_common_divisor?level=0&what=multiple",
    "leg_counting": "arithmetic/leg_counting?level=2",
    "letter_counting": "strings/letter_counting?level=2&words=10",
    "letter_jumble": "strings/letter_jumble?level=2",
    "list_functions": "induction/list_functions?level=2",
    "mahjong_puzzle": "games/mahjong_hand?level=5",
    "manipulate_matrix": "matrices/matrix_moves?level=3",
    "maze": "matrices/distance_to_nearest?level=3",
    "mini_sudoku": "grids/sudoku?level=0",
    "modulo_grid": "induction/modulo_grid?level=6",
    "n_queens": "grids/n_queens?level=1",
    "needle_haystack": "language/fact_retrieval?level=2",
    "number_filtering": "arithmetic/number_filtering?level=0",
    "number_format": "arithmetic/number_format?level=1",
    "number_sequence": "induction/number_sequence?level=1",
    "number_sorting": "algorithms/sort_six?level=0",
    "palindrome_generation": "strings/palindrome_building?level=0",
    "palindrome_partitioning": "strings/palindrome_partition?level=0",
    "path_star": "graphs/shortest_path?level=1",
    "polynomial_equations": "algebra/polynomial_roots?level=0",
    "polynomial_multiplication": "algebra/polynomial_multiplication?level=2",
    "pool_matrix": "matrices/pooling?level=1",
    "power_function": "arithmetic/power_digits?level=1",
    "prime_factorization": "numbers/prime_factorization?level=1",
    "products": "arithmetic/long_multiplication?level=1",
    "propositional_logic": "logic/propositional_entailment?level=0",
    "puzzle24": "arithmetic/game_of_24?level=2",
    "quantum_lock": "planning/quantum_lock?level=3",
    "ransom_note": "strings/letter_budget?level=0",
    "rearc": "induction/grid_transformation?level=5",
    "rectangle_count": "spatial/rectangle_counting?level=6",
    "rotate_matrix": "matrices/matrix_moves?level=0&rows=6&columns=6",
    "rotten_oranges": "matrices/spreading?level=5",
    "rubiks_cube": "planning/rubiks_cube?level=6",
    "rush_hour": "planning/rush_hour?level=5",
    "self_reference": "logic/self_reference?level=1",
    "sentence_reordering": "language/sentence_reordering?level=2",
    "shortest_path": "matrices/distance_to_nearest?level=2",
    "simple_equations": "algebra/linear_system?level=0",
    "simple_geometry": "geometry/polygon_angles?level=0",
    "simple_integration": "algebra/antiderivative?level=0",
    "sokoban": "planning/sokoban?level=4",
    "spell_backward": "strings/spell_backwards?level=0",
    "spiral_matrix": "matrices/matrix_moves?level=0&rows=6&columns=6&read=spiral",
    "string_insertion": "strings/string_insertion?level=1",
    "string_manipulation": "strings/ab_rewriting?level=0",
    "string_splitting": "strings/ab_rewriting?level=1",
    "string_synthesis": "strings/ab_rewriting?level=0",
    "sudoku": "grids/sudoku?level=3",
    "survo": "grids/survo?level=3",
    "syllogism": "logic/syllogism?level=0",
    "time_intervals": "arithmetic/time_intervals?level=0",
    "tower_of_hanoi": "planning/tower_of_hanoi?level=0",
    "tsumego": "games/capture_go?level=2",
    "word_ladder": "strings/word_ladder?level=1",
    "word_sequence_reversal": "strings/spell_backwards?level=2",
    "word_sorting": "strings/word_sorting?level=1&words=6",
    "zebra_puzzles": "logic/zebra_puzzle?level=3",
}
"""The families of reasoning-gym, and ours with cases of about the size that theirs has by default.

Where the size varies with the seed in theirs, ours has about the mean.
"""

SEARCHES: Mapping[str, str] = {
    "advanced_geometry": "constructs the points with sympy",
    "countdown": "draws expressions until the value is in range, with sympy",
    "futoshiki": "removes clues while a solver finds one solution",
    "intermediate_integration": "integrates with sympy",
    "jugs": "draws jugs until a breadth-first search needs enough moves",
    "kakurasu": "draws until a solver finds one solution",
    "knight_swap": "draws until a search finds a solution of the right length",
    "knights_knaves": "draws until a solver finds one solution",
    "mini_sudoku": "removes clues while a solver finds one solution",
    "palindrome_partitioning": "lists all partitions",
    "polynomial_equations": "solves the equation with sympy",
    "polynomial_multiplication": "expands the product with sympy",
    "propositional_logic": "draws conclusions until one passes the truth table",
    "puzzle24": "draws expressions until one is 24, with sympy",
    "quantum_lock": "searches for the shortest sequence",
    "rubiks_cube": "runs a solver",
    "self_reference": "tries all assignments",
    "simple_integration": "differentiates with sympy",
    "sokoban": "runs a solver",
    "sudoku": "removes clues while a solver finds one solution",
    "word_ladder": "searches for a path",
    "zebra_puzzles": "removes clues while a SAT solver finds one solution",
}
"""Families in which reasoning-gym searches, proves or runs a solver, and what it does."""

_DIRECT: Mapping[str, tuple[str, ...]] = {
    "computes the answer from random numbers or letters": (
        "base_conversion", "basic_arithmetic", "bitwise_arithmetic", "calendar_arithmetic",
        "chain_sum", "coin_flip", "complex_arithmetic", "count_bits", "count_primes",
        "decimal_arithmetic", "decimal_chain_sum", "dice", "fraction_simplification", "gcd", "lcm",
        "leg_counting", "number_filtering", "number_format", "number_sorting", "power_function",
        "prime_factorization", "products", "simple_geometry", "time_intervals",
        "binary_alternation", "caesar_cipher", "emoji_mystery", "isomorphic_strings",
        "letter_counting", "palindrome_generation", "ransom_note", "spell_backward",
        "string_insertion", "word_sequence_reversal", "word_sorting", "manipulate_matrix",
        "pool_matrix", "rotate_matrix", "spiral_matrix", "rectangle_count",
    ),
    "visits each cell or node once": (
        "binary_matrix", "course_schedule", "graph_color", "largest_island", "maze",
        "rotten_oranges", "shortest_path",
    ),
    "runs the given rules": (
        "ab", "bf", "circuit_logic", "color_cube_rotation", "figlet_font", "game_of_life",
        "mahjong_puzzle", "string_manipulation", "string_splitting", "string_synthesis",
    ),
    "builds the task around a random solution": (
        "boxnet", "cryptarithm", "modulo_grid", "number_sequence", "path_star", "simple_equations",
        "survo", "tsumego",
    ),
    "writes down the known solution": ("tower_of_hanoi",),
    "fills a fixed template": (
        "acre", "aiw", "arc_1d", "family_relationships", "game_of_life_halting", "gsm_symbolic",
        "list_functions", "needle_haystack", "rearc", "syllogism",
    ),
    "takes an item of a stored list": (
        "arc_agi", "codeio", "group_anagrams", "letter_jumble", "n_queens", "rush_hour",
        "sentence_reordering",
    ),
}  # fmt: skip
DIRECT: Mapping[str, str] = {title: how for how, titles in _DIRECT.items() for title in titles}
"""All other families, and how reasoning-gym generates a task."""

QUESTIONS: Mapping[str, str] = {
    "acre": "names",
    "arc_1d": "new",
    "circuit_logic": "outputs",
    "family_relationships": "questions",
    "isomorphic_strings": "pairs",
    "letter_counting": "letters",
    "list_functions": "new",
    "needle_haystack": "questions",
    "propositional_logic": "claims",
    "syllogism": "conclusions",
}
"""Families in which a task of Palaestra has several of the questions of which one is a task of
reasoning-gym, and the field that has an entry for each of them.
"""

FEW = "both take some microseconds; Palaestra adds the canonical form and the held-out split"
ROUNDS = "Palaestra generates rules until a text is rewritten for many steps and terminates"
CELLS = "Palaestra asks for several numbers, and samples until they are informative"
PROGRAMS = "Palaestra proves that all programs that fit the examples give the same answer"

SLOWER = {
    "ab": ROUNDS,
    "acre": (
        "Palaestra decides every object by all sets of causes that fit; reasoning-gym fills "
        "a fixed scheme"
    ),
    "aiw": (
        "Palaestra asks several questions, and samples until the numbers in the text are not "
        "the answers"
    ),
    "arc_1d": PROGRAMS,
    "arc_agi": (
        "Palaestra proves that all programs that fit the examples give the same answer; "
        "reasoning-gym uses a fixed set"
    ),
    "binary_matrix": CELLS,
    "boxnet": (
        "Palaestra schedules several boxes, and samples until some have to move at the same time"
    ),
    "circuit_logic": "Palaestra asks for several outputs, and samples until they differ",
    "codeio": "Palaestra generates the program; reasoning-gym uses a fixed set",
    "coin_flip": ("Palaestra uses biased coins, and samples until the denominator is large enough"),
    "color_cube_rotation": "Palaestra asks for all six faces",
    "course_schedule": (
        "Palaestra samples until the alphabetical order and the listed order are wrong"
    ),
    "cryptarithm": "Palaestra proves that only one choice of digits fits",
    "dice": (
        "Palaestra asks for several statistics, and samples until the denominator is large enough"
    ),
    "emoji_mystery": "Palaestra writes a text around the message and uses several methods",
    "family_relationships": "Palaestra asks several questions with different answers",
    "graph_color": (
        "Palaestra proves that fewer colours are not sufficient and that trivial colourings "
        "are wrong"
    ),
    "group_anagrams": "Palaestra generates more words, many of them almost anagrams",
    "gsm_symbolic": (
        "Palaestra composes each story; reasoning-gym fills one of a hundred templates"
    ),
    "isomorphic_strings": (
        "Palaestra asks about several pairs at once, since one pair is a yes-or-no question"
    ),
    "jugs": ("Palaestra searches all states for tasks that need the required number of steps"),
    "largest_island": CELLS,
    "letter_counting": "Palaestra asks for several counts at once",
    "letter_jumble": "Palaestra finds all words of the list that fit",
    "list_functions": "Palaestra proves that all short functions that fit give the same answer",
    "mahjong_puzzle": "Palaestra samples until the rounds have different outcomes",
    "maze": CELLS,
    "modulo_grid": "Palaestra proves that all rules that fit give the same cells",
    "n_queens": (
        "Palaestra generates a board and proves uniqueness; reasoning-gym computes all "
        "boards in advance"
    ),
    "needle_haystack": "Palaestra asks several questions, with facts that are almost the same",
    "number_filtering": "Palaestra samples until each of several conditions matters",
    "number_format": (
        "Palaestra asks for the order of several numbers that are close to each other"
    ),
    "number_sequence": "Palaestra proves that all rules that fit continue in the same way",
    "palindrome_generation": (
        "Palaestra generates rules that exclude most palindromes, and searches for one"
    ),
    "palindrome_partitioning": "Palaestra asks for the fewest parts; greedy partitions need more",
    "path_star": (
        "Palaestra samples until neither the fewest edges nor greedy steps give the shortest path"
    ),
    "propositional_logic": "Palaestra decides several claims over all valuations",
    "ransom_note": (
        "Palaestra asks for the maximum number of words, where a greedy choice gives fewer; "
        "reasoning-gym asks a yes-or-no question"
    ),
    "rearc": PROGRAMS,
    "rectangle_count": (
        "Palaestra counts four kinds of rectangles, including those of overlapping frames"
    ),
    "rotten_oranges": CELLS,
    "rubiks_cube": "Palaestra searches for the minimum number of turns",
    "rush_hour": (
        "Palaestra generates boards until one needs the required number of moves, which takes a "
        "search of several thousand positions; reasoning-gym uses a stored list"
    ),
    "self_reference": "Palaestra proves that only one assignment is consistent",
    "sentence_reordering": "Palaestra proves that only one order satisfies the grammar",
    "shortest_path": CELLS,
    "simple_geometry": "Palaestra generates facts about many angles and derives all consequences",
    "string_manipulation": ROUNDS,
    "string_splitting": ROUNDS,
    "string_synthesis": ROUNDS,
    "survo": "Palaestra proves that only one filling fits",
    "syllogism": "Palaestra decides several conclusions over all models",
    "tsumego": "Palaestra searches all lines of play",
}
"""Why generation takes longer in Palaestra; :data:`FEW` is the reason for all others."""
