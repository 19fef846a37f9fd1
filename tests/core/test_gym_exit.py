"""Programs that end while episodes are open."""

import subprocess
import sys


def test_episodes_that_live_at_the_end_of_a_program_print_nothing():
    """Even where a library keeps the main module, so that Python clears other modules first."""
    code = (
        "import sys, gymnasium, palaestra.gym\n"
        "sys.kept = sys.modules['__main__']\n"
        "env = gymnasium.make('palaestra/Mastermind-v1')\n"
        "env.reset(seed=3)\n"
        "vector = gymnasium.make_vec('palaestra/Mastermind-v1', num_envs=2)\n"
        "vector.reset(seed=3)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
