"""The conformance checks of an environment as a report of OpenEnv's validation (RFC 008).

Each of OpenEnv's check ids is decided by checks of ours, or skipped with the reason. The report has
the hub lane, which contains the ids that OpenEnv reserves for operators as well.
https://github.com/huggingface/OpenEnv/blob/main/rfcs/008-environment-auto-validation.md
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from palaestra.address import SEEDS
from palaestra.catalog import Row, catalog, row
from palaestra.registry import load, source_path
from palaestra.task import Match, Puzzle, Task

SCHEMA, POLICY = "1", "v2"
"""The versions of the report's schema and of the severity policy, as of openenv 0.10.0."""

Severity = Literal["fail", "warn", "advisory"]
Status = Literal["pass", "fail", "skip"]

WARNINGS = frozenset({
    "static.image_hygiene", "static.layout", "runtime.rubric_introspectable",
    "runtime.trajectory_record", "runtime.reward_attribution", "hub.layer_isolation",
    "hub.time_to_first_work", "hub.cosign_signature", "statistical.headroom",
    "statistical.gameability_gap", "statistical.training_signal",
})  # fmt: skip
"""Ids whose failure the policy does not treat as one of the environment."""

FINGERPRINT = "the fingerprint of the tasks is the one in the catalog"
DECLARED = "declared in the manifest"

DECIDED: Mapping[str, tuple[str, ...]] = {
    "static.manifest": (DECLARED,),
    "static.timeout_ceiling": (DECLARED,),
    "static.resource_declaration": (DECLARED,),
    "static.task_distribution_pinning": (FINGERPRINT,),
    "runtime.reward_well_formed": ("check_rewards",),
    "runtime.observation_schema": ("check_turns", "check_round_trip"),
    "runtime.task_declaration_accuracy": ("check_split", "check_levels", "check_bounds"),
    "runtime.seed_control": ("check_seeded",),
    "runtime.episode_determinism": ("check_replay", "check_processes"),
    "runtime.resource_bounds": ("check_hostile", "check_quick"),
    "runtime.episode_isolation": ("check_threads", "check_oracle"),
    "runtime.oracle_containment": ("check_hidden", "check_secret"),
    "semantic.oracle_max": ("check_oracle", "check_formats"),
    "semantic.floor_gap": ("check_unskilled",),
    "semantic.canary_floor": ("check_hostile", "check_mutants", "check_small"),
    "semantic.no_solution_leakage": ("check_secret", "check_hidden", "check_reasons"),
    "semantic.verifier_determinism": ("check_replay", "check_threads"),
    "semantic.replayability": ("check_replay", "check_round_trip"),
    "hub.immutable_versioning": (FINGERPRINT,),
    "statistical.difficulty_separation": ("check_ladder",),
    "statistical.gameability_gap": ("check_baselines", "check_unskilled"),
}
"""What decides each id: names of checks of :mod:`palaestra.testing`, or one of the above."""

_IMAGE = "a property of a container image; an environment is a module of a package"
_PACKAGE = "a property of the package and its lock file, the same for all environments"
_SERVED = "a property of the service, the same for all environments; its tests use OpenEnv's grader"
_CONTAINER = "needs a container whose provider enforces it; none is started"
_MODEL = "needs reference models; see palaestra eval and palaestra calibrate"

SKIPPED: Mapping[str, str] = {
    "static.reproducible_build": _IMAGE,
    "static.image_hygiene": _IMAGE,
    "static.layout": _IMAGE,
    "static.sbom": _PACKAGE,
    "static.oci_labels": _IMAGE,
    "static.dependency_pinning": _PACKAGE,
    "runtime.startup": _CONTAINER,
    "runtime.rubric_introspectable": "no rubric tree; a score has named parts",
    "runtime.state_contract": _SERVED,
    "runtime.trajectory_record": "OpenEnv's session telemetry is not served; see /v1/sessions",
    "runtime.reward_attribution": "no rubric tree; a score has named parts",
    "runtime.tool_declaration_accuracy": "tools are listed from their definitions, not declared",
    "runtime.network_policy": _CONTAINER,
    "runtime.host_containment": _CONTAINER,
    "semantic.verifier_portability": "not run with the network denied",
    "semantic.resource_envelope": "time is measured, memory is not",
    "hub.layer_isolation": _IMAGE,
    "hub.time_to_first_work": _IMAGE,
    "hub.cosign_signature": _IMAGE,
    "hub.cross_host_determinism": "one host; check_processes uses other processes and hash seeds",
    "statistical.reward_reachability": _MODEL,
    "statistical.headroom": _MODEL,
    "statistical.variance_bound": _MODEL,
    "statistical.training_signal": "needs a training run; see palaestra train",
    "statistical.adversarial_floor": "OpenEnv does not specify the panel yet",
}
"""Why each of the other ids is decided by nothing."""

RESOURCES = {"cpu": 1.0, "memory_mb": 1_024, "disk_mb": 256, "episode_timeout_s": 3_600.0}
"""What a process that serves one environment is to have, at most."""

MARGIN = 0.1
"""The least distance of the floor from the full reward, which is that of the policy."""


def report(
    name: str,
    faults: Mapping[str, str],
    digest: str = "",
    seconds: Mapping[str, float] | None = None,
    recorded: bool = False,
) -> dict[str, Any]:
    """The report of an environment, in plain JSON values.

    ``faults`` are the messages of the checks of ours that failed, by name, ``seconds`` what each
    took, and ``digest`` that of the sources. ``recorded`` states that the checks were made earlier,
    on the same sources.
    """
    environment, figures = load(name), catalog().get(name, {})
    faults = dict(faults)
    if (now := row(name)["fingerprint"]) != figures.get("fingerprint", now):
        faults[FINGERPRINT] = f"the fingerprint is {now}, not {figures['fingerprint']}"
    results = [
        *(_decided(each, faults, figures, seconds or {}, recorded) for each in DECIDED),
        *(_result(each, "skip", [reason]) for each, reason in SKIPPED.items()),
    ]
    return {
        "report_schema_version": SCHEMA,
        "target": name,
        "source_digest": digest,
        "signature": "openenv.yaml",
        "manifest": manifest(name, environment, now),
        "policy_version": POLICY,
        "lane": "hub",
        "levels_run": [1, 2, 3, 4],
        "results": sorted(results, key=lambda result: str(result["check_id"])),
        "verdict": verdict(results),
    }


def manifest(name: str, environment: type[Task], fingerprint: str) -> dict[str, Any]:
    """The normalized manifest of an environment."""
    kinds = {"puzzle": Puzzle, "match": Match}
    shapes = {shape for shape, base in kinds.items() if issubclass(environment, base)}
    return {
        "manifest_schema_version": "1",
        "name": name,
        "version": str(environment.version),
        "signature": "openenv.yaml",
        "reward": {"range": [0.0, 1.0], "oracle_tolerance": 0.0, "floor_margin": MARGIN},
        "resources": RESOURCES,
        "task_distribution": {"dataset_version": f"{environment.version}-{fingerprint}"},
        "network": {"mode": "no-network"},
        "capabilities": {
            "oracle": {"form": "script", "location": source_path(name)},
            "verifier": {"kind": "reward_channel"},
            "declared_task_count": {split: len(seeds) for split, seeds in SEEDS.items()},
        },
        "types": {"tags": sorted({name.partition("/")[0], *environment.tags, *shapes})},
    }


def _decided(
    check_id: str,
    faults: Mapping[str, str],
    figures: Row,
    seconds: Mapping[str, float],
    recorded: bool,
) -> dict[str, Any]:
    """A result that checks of ours decide."""
    checks = DECIDED[check_id]
    wrong = [f"{check}: {faults[check]}" for check in checks if check in faults]
    record = ", as recorded for these sources" if recorded else ""
    evidence = wrong or [f"{', '.join(checks)}{record}"]
    measured = _figures(check_id, figures.get("measured", {}))
    done = _result(check_id, "fail" if wrong else "pass", evidence, measured)
    done["duration_s"] = sum(seconds.get(check, 0.0) for check in checks)
    return done


def _result(
    check_id: str, status: Status, evidence: list[str], measured: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    remediation = "see `palaestra check`" if status == "fail" else None
    return {
        "check_id": check_id, "status": status, "measured": dict(measured or {}),
        "evidence": evidence, "remediation": remediation, "duration_s": 0.0,
    }  # fmt: skip


_FIGURES: Mapping[str, Mapping[str, str]] = {
    "semantic.oracle_max": {"verify_us": "verify_us"},
    "semantic.floor_gap": {"measured_floor_by_level": "floor"},
    "statistical.gameability_gap": {"baseline_by_level": "baseline"},
    "statistical.difficulty_separation": {"effort_by_level": "difficulty"},
    "runtime.resource_bounds": {"sample_us": "sample_us", "verify_us": "verify_us"},
}
"""Figures of the catalog that belong to an id, by the names that they have in a report."""


def _figures(check_id: str, measured: Mapping[str, Any]) -> dict[str, Any]:
    wanted = _FIGURES.get(check_id, {})
    return {name: measured[key] for name, key in wanted.items() if key in measured}


def verdict(results: Iterable[Mapping[str, Any]]) -> str:
    """What the severity policy makes of results: an id that is skipped is a warning.

    >>> verdict([{"check_id": "static.layout", "status": "fail"}])
    'warn'
    """
    statuses = [(result["status"], result["check_id"] in WARNINGS) for result in results]
    if any(status == "fail" and not mild for status, mild in statuses):
        return "fail"
    return "pass" if all(status == "pass" for status, _ in statuses) else "warn"
