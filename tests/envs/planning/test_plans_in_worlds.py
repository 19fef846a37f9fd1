"""Plans in small worlds: the whole plan is right, a plan without its last step is not."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.planning.ball_sort import BallSort
from palaestra.envs.planning.box_net import BoxNet
from palaestra.envs.planning.nullify import Nullify
from palaestra.envs.planning.quantum_lock import QuantumLock
from palaestra.envs.planning.river_crossing import RiverCrossing
from palaestra.envs.planning.stack_permutation import StackPermutation
from palaestra.envs.planning.truck_logistics import TruckLogistics

SEEDS = st.integers(0, 10**6)
PLANNED = (BallSort, BoxNet, Nullify, QuantumLock, RiverCrossing, StackPermutation, TruckLogistics)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(PLANNED))
def test_a_plan_is_needed_in_full(seed, env):
    """The oracle's plan is right in both opinions, and is not without its last step."""
    task = sample(env, seed, seed % 3)
    answer = task.answer()
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    cut = max(answer.rfind("\n"), answer.rfind(", "))
    assert task.verify(answer[:cut]).value == 0
