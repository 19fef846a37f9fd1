"""How fast tasks are drawn and judged, beside a peer's rates where that is installed."""

from collections.abc import Callable, Mapping
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from palaestra.registry import load
from palaestra.scoring import score

PEERS: Mapping[str, str] = {
    "ab": "strings/ab_rewriting?level=3",
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
    "cryptarithm": "arithmetic/cryptarithm?level=3",
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
    "number_format": "arithmetic/number_format?level=0",
    "number_sequence": "induction/number_sequence?level=1",
    "number_sorting": "algorithms/sort_six?level=0",
    "palindrome_generation": "strings/palindrome_building?level=0",
    "palindrome_partitioning": "strings/palindrome_partition?level=0",
    "path_star": "graphs/shortest_path?level=1",
    "polynomial_equations": "algebra/polynomial_roots?level=0",
    "polynomial_multiplication": "algebra/polynomial_multiplication?level=2",
    "pool_matrix": "matrices/pooling?level=1",
    "power_function": "arithmetic/power_digits?level=0",
    "prime_factorization": "numbers/prime_factorization?level=0",
    "products": "arithmetic/long_multiplication?level=1",
    "propositional_logic": "logic/propositional_entailment?level=0",
    "puzzle24": "arithmetic/game_of_24?level=1",
    "quantum_lock": "planning/quantum_lock?level=3",
    "ransom_note": "strings/letter_budget?level=0",
    "rearc": "induction/grid_transformation?level=5",
    "rectangle_count": "spatial/rectangle_counting?level=6",
    "rotate_matrix": "matrices/matrix_moves?level=0&rows=6&columns=6",
    "rotten_oranges": "matrices/spreading?level=5",
    "rubiks_cube": "planning/rubiks_cube?level=5",
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
    "string_manipulation": "strings/ab_rewriting?level=4",
    "string_splitting": "strings/ab_rewriting?level=0",
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


def per_second(work: Callable[[int], object], seconds: float) -> float:
    """How often something is done a second: the median of several stretches, at least one each."""
    rates = []
    n = 0
    for _ in range(5):
        start, done = perf_counter(), 0
        while not done or perf_counter() - start < seconds / 5:
            work(n)
            n, done = n + 1, done + 1
        rates.append(done / (perf_counter() - start))
    return median(rates)


def rates(name: str, level: int | None = None, seconds: float = 0.2) -> dict[str, Any]:
    """Tasks drawn and replies judged a second at a level, the middle one unless given.

    ``peer`` names reasoning-gym's counterpart where that is installed, timed in the same run.
    """
    kind = load(name)
    level = kind.Knobs.levels() // 2 if level is None else level
    knobs = kind.Knobs.at(level)
    tasks = [kind.draw(Random(seed), knobs, reserved=False) for seed in range(8)]
    moves = [list(task.solve()) for task in tasks]
    turns = sum(map(len, moves)) / len(moves)
    draws = per_second(lambda n: kind.draw(Random(n), knobs, reserved=False), seconds)
    verdicts = per_second(lambda n: score(tasks[n % 8], moves[n % 8], "bare"), seconds) * turns
    found = {"env": name, "level": level, "draws": draws, "verdicts": verdicts}
    return found | _peer(name, draws, seconds)


def _peer(name: str, draws: float, seconds: float) -> dict[str, Any]:
    """Reasoning-gym's rates for its counterpart, if there is one and it is installed."""
    nothing = {"peer": "", "peer_draws": 0.0, "ratio": 0.0}
    title = next((theirs for theirs, ours in PEERS.items() if ours.startswith(f"{name}?")), None)
    if title is None:
        return nothing
    try:
        import reasoning_gym
    except ImportError:
        return nothing
    data = reasoning_gym.create_dataset(title, size=500, seed=1)
    theirs = per_second(lambda n: data[n % 500], seconds)  # it makes each item anew
    return {"peer": title, "peer_draws": theirs, "ratio": draws / theirs}


def summarise(found: list[dict[str, Any]]) -> str:
    """The medians over environments, in a sentence."""
    draws = median(rate["draws"] for rate in found)
    verdicts = median(rate["verdicts"] for rate in found)
    told = (
        f"median over {len(found)}: {1e3 / draws:.2f} ms to draw a task, "
        f"{1e6 / verdicts:.0f} µs to judge a move"
    )
    ratios = [rate["ratio"] for rate in found if rate["peer"]]
    if not ratios:
        return f"{told} (reasoning-gym is not installed, so there is nothing to compare with)"
    return f"{told}; {median(ratios):.1f} times reasoning-gym's rate of draws over {len(ratios)}"
