"""GPUs that an instance has and PyTorch cannot use."""

import pytest
import torch

from tunesmith_trainer.errors import RefusedError
from tunesmith_trainer.models import require_gpus


@pytest.mark.parametrize(
    ("gpus", "usable", "is_refused"), [("4", False, True), ("4", True, False), ("0", False, False)]
)
def test_an_instance_whose_gpus_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, gpus: str, usable: bool, is_refused: bool
) -> None:
    monkeypatch.setenv("SM_NUM_GPUS", gpus)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: usable)
    if not is_refused:
        return require_gpus()
    with pytest.raises(RefusedError, match=r"has 4 GPUs, and PyTorch .* cannot use them"):
        require_gpus()
    return None


def test_a_machine_that_is_no_instance_of_sagemaker_trains_on_its_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SM_NUM_GPUS", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    require_gpus()
