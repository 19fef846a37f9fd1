"""The names of combinations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import registry
from palaestra.address import Address, BadAddress
from palaestra.catalog import catalog, recorded_fingerprint
from palaestra.combinators import COMBINATORS, BadCombination, combine, read, split
from palaestra.registry import UnknownEnvironment, canonical, load
from palaestra.task import KnobError

BASE = "arithmetic/long_multiplication"


def test_a_canonical_name_has_all_arguments() -> None:
    assert canonical(f"{BASE}+retry") == f"{BASE}+retry(3,verdict)"
    assert canonical(f"{BASE}+batch(2)+confidence") == f"{BASE}+batch(2)+confidence"
    assert canonical(BASE) == BASE


def test_an_address_of_a_combination_is_read_as_it_is_written() -> None:
    address = Address.of(f"{BASE}+retry(2)", seed=7, level=2)
    assert str(address) == f"{BASE}+retry(2,verdict)@2?by=3&digits=4&seed=7"
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
        (f"{BASE}+Retry(3)", "did you mean retry"),
        (f"{BASE}+YES_NO", "did you mean yes_no"),
        (f"{BASE}+retry(1_0)", "tries is an integer from 2 to 10 in plain digits, not '1_0'"),
        (f"{BASE}+retry(03)", "tries is an integer from 2 to 10 in plain digits, not '03'"),
        (f"{BASE}+retry(+3)", "tries is an integer from 2 to 10 in plain digits, not '+3'"),
        (f"{BASE}+retry(\uff13)", "in plain digits"),
        (f"{BASE}+retry(3,)", "feedback is one of none, verdict, reason, not ''"),
        (f"{BASE}+retry(3", "has the form name(argument,…), not 'retry(3'"),
        (f"{BASE}+retry(3)(4)", "has the form name(argument,…)"),
        (f"{BASE}+nest(arithmetic.word_problm)", "did you mean arithmetic.word_problem"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_sentence(name: str, hint: str) -> None:
    with pytest.raises(UnknownEnvironment) as error:
        Address.of(name)
    assert hint in str(error.value)
    with pytest.raises(UnknownEnvironment):
        Address.parse(f"{name}?seed=1")


@pytest.mark.parametrize(
    "text", ["retry(3, reason)", "retry( 3,reason )", " retry (3,reason)", "retry(3 , reason)"]
)
def test_spaces_around_arguments_are_left_out(text: str) -> None:
    assert canonical(f"{BASE}+{text}") == f"{BASE}+retry(3,reason)"


@pytest.mark.parametrize("end", ["@9", "@1?seed=1", "?level=2"])
def test_a_name_with_what_only_an_address_has_is_refused(end: str) -> None:
    with pytest.raises(UnknownEnvironment, match="belong to an address"):
        Address.of(f"{BASE}+batch(2){end}")


def test_a_leading_plus_of_combinators_is_left_out_in_gymnasium() -> None:
    gym = pytest.importorskip("palaestra.gym")
    for combinators in ("batch(2)+confidence", "+batch(2)+confidence"):
        env = gym.TextEnv(BASE, combinators=combinators)
        env.reset(seed=1)
        assert env.address.env == f"{BASE}+batch(2)+confidence"
        several = gym.TextVectorEnv(BASE, num_envs=2, combinators=combinators)
        assert len(several.reset(seed=1)[0]) == 2


@pytest.mark.parametrize(
    "text",
    ["retry\n(3)x", "re\ntry", "retry\n", "retry(3,\nreason)", "retry(3,a\nb)", "nest(a\nb)"],
)
def test_an_error_repeats_no_line_breaks(text: str) -> None:
    with pytest.raises(BadCombination) as error:
        read(text)
    assert "\n" not in str(error.value)


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


def test_a_combination_stays_the_same_while_there_are_tasks_of_it() -> None:
    """Others are made on top of such tasks, which were refused after the cache had let go of it."""
    task = Address.of(f"{BASE}+length(30)", seed=7).task()
    registry._combination.cache_clear()
    assert load(f"{BASE}+length(30)") is type(task)
    Address.of(f"{BASE}+length(30)+retry(2)", seed=7).task()


def test_a_new_version_of_a_combinator_makes_addresses_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = load(f"{BASE}+batch(7)").version
    monkeypatch.setattr(COMBINATORS["batch"], "version", 2)
    assert load(f"{BASE}+batch(8)").version == old + 1


@pytest.mark.parametrize(
    ("combinator", "partner"),
    [
        ("constrain(2)", "language/constrained_text"),
        ("nest(arithmetic.leg_counting)", "arithmetic/leg_counting"),
        ("branch(arithmetic.leg_counting)", "arithmetic/leg_counting"),
    ],
)
def test_a_new_version_of_another_environment_makes_addresses_stale(
    combinator: str, partner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"{BASE}+{combinator}"
    base, maker = load(BASE), split(name)[1][0]
    fingerprint, version = recorded_fingerprint(name), combine(base, maker, "before").version
    monkeypatch.setattr(load(partner), "version", load(partner).version + 1)
    assert combine(base, maker, "after").version == version + 1
    rows = catalog() | {partner: catalog()[partner] | {"fingerprint": "of other tasks"}}
    monkeypatch.setattr("palaestra.catalog.catalog", lambda: rows)
    assert recorded_fingerprint(name) != fingerprint


def test_the_version_of_a_combination_stands_last() -> None:
    with pytest.raises(BadAddress, match="stands behind its last combinator"):
        Address.parse("arithmetic/word_problem+batch@1(2)?level=1&seed=3")


def test_errors_are_on_one_line() -> None:
    with pytest.raises(UnknownEnvironment) as error:
        load("arithmetic/word_problem+ba\ntch")
    assert "\n" not in str(error.value)
