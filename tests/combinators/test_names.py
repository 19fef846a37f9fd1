"""The names of combinations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.catalog import recorded_fingerprint
from palaestra.combinators import COMBINATORS, read
from palaestra.registry import UnknownEnvironment, canonical, load
from palaestra.task import KnobError

BASE = "arithmetic/long_multiplication"


def test_a_canonical_name_has_all_arguments() -> None:
    assert canonical(f"{BASE}+retry") == f"{BASE}+retry(3,verdict)"
    assert canonical(f"{BASE}+batch(2)+confidence") == f"{BASE}+batch(2)+confidence"
    assert canonical(BASE) == BASE


def test_an_address_of_a_combination_is_read_as_it_is_written() -> None:
    address = Address.of(f"{BASE}+retry(2)", seed=7, level=2)
    assert str(address) == f"{BASE}+retry(2,verdict)@1?by=3&digits=4&seed=7"
    assert Address.parse(str(address)) == address
    assert Address.parse(f"{BASE}+retry(2)?level=2&seed=7") == address
    assert address.level == 2
    assert address.task() == Address.parse(str(address)).task()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (f"{BASE}+retri(3)", "did you mean retry"),
        (f"{BASE}+retry(11)", "tries is an integer from 2 to 10, not '11'"),
        (f"{BASE}+retry(3,loud)", "feedback is one of none, verdict, reason"),
        (f"{BASE}+retry(3,none,1)", "at most 2 (tries, feedback), not 3"),
        (f"{BASE}+yes_no(1)", "takes no arguments"),
        (f"{BASE}+", "has the form name(argument,…)"),
        (f"{BASE}+batch(2)+confidence+constrain+retry", "at most 3 combinators"),
        (f"{BASE}+batch(2)+batch(2)", "have numbers already"),
        (f"{BASE}+retry(2)+batch(2)", "environments of one reply"),
        ("games/minesweeper+batch(2)", "environments of one reply"),
        ("programs/bash_task+choices", "running programs"),
        ("arithmetic/long_multiplicatio+retry", "did you mean arithmetic/long_multiplication"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_sentence(name: str, hint: str) -> None:
    with pytest.raises(UnknownEnvironment) as error:
        Address.of(name)
    assert hint in str(error.value)
    with pytest.raises(UnknownEnvironment):
        Address.parse(f"{name}?seed=1")


def test_knobs_are_those_of_the_base() -> None:
    with pytest.raises(KnobError, match="digits"):
        Address.of(f"{BASE}+batch(2)", digits=99)


@given(st.text(max_size=60))
def test_any_text_behind_a_plus_is_a_combinator_or_refused(text: str) -> None:
    try:
        name = canonical(f"{BASE}+{text}")
    except UnknownEnvironment:
        return
    assert canonical(name) == name


@pytest.mark.parametrize("name", COMBINATORS)
def test_combinators_are_read_as_they_are_written(name: str) -> None:
    combinator = read(name)
    assert read(str(combinator)) == combinator
    assert combinator.version >= 1
    assert (type(combinator).__doc__ or "").partition("\n")[0].endswith(".")


def test_a_combination_is_made_once_and_has_a_fingerprint_of_its_parts() -> None:
    assert load(f"{BASE}+batch(4)") is load(f"{BASE}+batch")
    names = [BASE, f"{BASE}+batch(2)", f"{BASE}+batch(3)", f"{BASE}+batch(2)+confidence"]
    assert len({recorded_fingerprint(name) for name in names}) == len(names)
    assert recorded_fingerprint(f"{BASE}+nonsense") is None


def test_a_new_version_of_a_combinator_makes_addresses_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = load(f"{BASE}+batch(7)").version
    monkeypatch.setattr(COMBINATORS["batch"], "version", 2)
    assert load(f"{BASE}+batch(8)").version == old + 1
