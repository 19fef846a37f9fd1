"""A curriculum of the service as the data source of slime.

--data-source-path curriculum.CurriculumSource
--rollout-all-samples-process-path curriculum.report
--rm-type remote_rm --rm-url http://127.0.0.1:8000/compat/slime/all
"""

from collections.abc import Iterable, Iterator
from typing import Any

from slime.utils.processing_utils import load_tokenizer
from slime.utils.types import Sample

from palaestra.scoring import opening
from palaestra.trainers.remote_curricula import means, named

try:
    from slime.data.data_source import RolloutDataSourceWithBuffer
except ImportError:  # as in older sources
    from slime.rollout.data_source import RolloutDataSourceWithBuffer


class CurriculumSource(RolloutDataSourceWithBuffer):
    """Draws each group from the curriculum; unfinished groups come from slime's buffer first."""

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        self.tokenizer = load_tokenizer(args.hf_checkpoint, trust_remote_code=True)

    def get_samples(self, num_samples: int) -> list[list[Any]]:
        """So many groups, each of one task."""
        groups = self._get_samples_from_buffer(num_samples)
        for address in named().sample(num_samples - len(groups)):
            messages = list(opening(address).messages)
            text = self.tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True
            )
            group = []
            for _ in range(self.args.n_samples_per_prompt):
                sample = Sample(prompt=text, label=str(address))
                sample.group_index, sample.index = self.sample_group_index, self.sample_index
                self.sample_index += 1
                group.append(sample)
            self.sample_group_index += 1
            groups.append(group)
        return groups


def report(args: Any, all_samples: Iterable[Any], data_source: Any) -> None:
    """Reports the mean reward of every group, including those that are filtered out."""
    named().update(means((each.label, each.reward) for each in flat(all_samples)))


def flat(samples: Iterable[Any]) -> Iterator[Any]:
    """Samples out of groups of groups."""
    for each in samples:
        yield from flat(each) if isinstance(each, list) else (each,)
