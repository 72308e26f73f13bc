"""Trains language models for Tunesmith: LoRA and full fine-tuning by SFT, DPO, RPO and SimPO, with TRL and PEFT."""
