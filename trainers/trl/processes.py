"""What the processes of a training run share, and what is kept beside its checkpoints."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Stateful(Protocol):
    """What has a state of plain values."""

    def state(self) -> dict[str, Any]:
        """The state."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""


def keeping(kept: Stateful, name: str) -> Any:
    """A ``TrainerCallback`` that keeps a state in a file of this name beside each checkpoint."""
    from transformers import TrainerCallback

    def path(args: Any, state: Any) -> Path:
        return Path(args.output_dir, f"checkpoint-{state.global_step}", name)

    class Keeping(TrainerCallback):  # type: ignore[misc]  # no types without the package
        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.is_world_process_zero:
                path(args, state).write_text(json.dumps(kept.state()), "utf-8")

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step:
                kept.restore(json.loads(path(args, state).read_text("utf-8")))

    return Keeping()


def from_all_processes(local: list[Any]) -> list[Any]:
    """A list put together from those of all processes that train together."""
    if "torch" not in sys.modules:
        return local
    from torch import distributed

    if not (distributed.is_available() and distributed.is_initialized()):
        return local
    gathered: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(gathered, local)
    return [each for part in gathered for each in part]
