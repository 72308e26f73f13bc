"""Seconds of each step of TRL's SFTTrainer on texts of tokens, as a JSON array: the peer of `lab/bench/training.ts`."""

import json
import sys
import tempfile
import time

import torch
from datasets import Dataset, disable_progress_bars
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import SFTConfig, SFTTrainer

settings = json.loads(sys.argv[1])
texts = settings["texts"]
half = len(texts[0]) // 2
disable_progress_bars()


class Clock(TrainerCallback):
    """Notes how long each step takes."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def on_step_begin(self, *args, **kwargs) -> None:
        self._started_at = time.perf_counter()

    def on_step_end(self, *args, **kwargs) -> None:
        self.seconds.append(time.perf_counter() - self._started_at)


clock = Clock()
with tempfile.TemporaryDirectory() as folder:
    trainer = SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(settings["model"], dtype=torch.float32),
        processing_class=AutoTokenizer.from_pretrained(settings["model"]),
        args=SFTConfig(
            output_dir=folder,
            per_device_train_batch_size=1,
            max_steps=len(texts),
            learning_rate=settings["rate"],
            lr_scheduler_type="constant",
            max_length=None,
            packing=False,
            gradient_checkpointing=False,
            use_cpu=True,
            bf16=False,
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
        ),
        train_dataset=Dataset.from_list(
            [{"input_ids": text, "completion_mask": [0] * half + [1] * (len(text) - half)} for text in texts]
        ),
        peft_config=LoraConfig(
            r=settings["rank"], lora_alpha=settings["alpha"], task_type="CAUSAL_LM", target_modules="all-linear"
        ),
        callbacks=[clock],
    )
    trainer.train()
print(json.dumps(clock.seconds))
