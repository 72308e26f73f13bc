"""Prompts and completions as token ids."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from .errors import RefusedError
from .job import ChatMessage, DataFormat

#: Tokens that end a document, of which a base has one; `eos_token` of a chat model often ends a turn instead.
END_OF_TEXT = ("<|endoftext|>", "<|end_of_text|>", "<eos>", "</s>")
MARK = "TUNESMITH"
#: Characters that Unicode leaves to private use: one that no message has stands around the numbers of control tokens.
PRIVATE_USE = range(0xE000, 0xF900)


@dataclass(frozen=True)
class Encoded:
    """A text as token ids; those from `start` on are trained on."""

    ids: list[int]
    start: int
    is_cut: bool

    @property
    def targets(self) -> int:
        """Number of predicted tokens; the first token of a text is never predicted."""
        return len(self.ids) - max(self.start, 1)


class TextFormat:
    """Converts prompts and completions of a model to text, and text to token ids.

    Prompt and completion are encoded apart, as they are when the model answers.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, data_format: DataFormat, context_tokens: int) -> None:
        self.tokenizer = tokenizer
        self._is_chat = data_format == "chat"
        self._context_tokens = context_tokens
        controls = {token.content for token in tokenizer.added_tokens_decoder.values() if token.special}
        self._control = re.compile(
            "|".join(re.escape(token) for token in sorted(controls, key=len, reverse=True)) or "(?!)"
        )
        if self._is_chat and not tokenizer.chat_template:
            raise RefusedError("The base model has no chat template, so it cannot be trained on conversations.")
        self._end = self._end_of_turn() if self._is_chat else self._end_of_text()

    @property
    def end_ids(self) -> list[int]:
        """The tokens that end an answer."""
        ends = {self.tokenizer.eos_token_id, *self._ids(self._end)[:1]}
        return sorted(token for token in ends if token is not None)

    def prompt_text(self, messages: Sequence[ChatMessage], *, reasons: bool = False) -> str:
        """The text before the completion. `reasons`: the completion starts with a reasoning trace."""
        if not self._is_chat:
            return "".join(message.content + "\n\n" for message in messages)
        return self.tokenizer.apply_chat_template(
            [message.model_dump() for message in messages],
            tokenize=False,
            add_generation_prompt=True,
            # Read by templates of models with optional reasoning; others ignore it.
            enable_thinking=reasons,
        )

    def prompt_ids(self, messages: Sequence[ChatMessage], *, reasons: bool = False) -> list[int]:
        """The prompt's tokens, uncut. Control tokens that messages contain are text; those of the template are not."""
        if not self._is_chat:
            return self._ids(self.prompt_text(messages), is_first=True, is_plain=True)
        contents = "".join(message.content for message in messages)
        if not self._control.search(contents):
            return self._ids(self.prompt_text(messages, reasons=reasons))
        edge = next(chr(code) for code in PRIVATE_USE if chr(code) not in contents)
        found: list[str] = []

        def number(match: re.Match[str]) -> str:
            found.append(match[0])
            return f"{edge}{len(found) - 1}{edge}"

        numbered = [
            message.model_copy(update={"content": self._control.sub(number, message.content)}) for message in messages
        ]
        parts = self.prompt_text(numbered, reasons=reasons).split(edge)
        ids: list[int] = []
        for place, part in enumerate(parts):
            if place % 2 == 1:
                ids += self._ids(found[int(part)], is_plain=True)
            elif part:
                ids += self._ids(part)
        return ids

    def encode(
        self,
        messages: Sequence[ChatMessage],
        completion: str,
        *,
        reasoning: str | None = None,
        learns_prompt: bool | None = False,
    ) -> Encoded:
        """The whole text, cut to the context: first the prompt at its beginning, then the completion at its end.

        learns_prompt: whether the prompt is learned too; None: only where it says nothing.
        """
        reasons = reasoning is not None
        prompt = self.prompt_ids(messages, reasons=reasons)
        if reasons:
            # Some templates open the trace in the prompt already.
            opening = "" if self.prompt_text(messages, reasons=True).rstrip().endswith("<think>") else "<think>\n"
            completion = f"{opening}{reasoning}\n</think>\n\n{completion}"
        # Text of a row that looks like a template token stays text.
        answer = self._ids(completion, is_plain=True) + self._ids(self._end)
        surplus = len(prompt) + len(answer) - self._context_tokens
        if surplus > 0:
            prompt = prompt[min(surplus, len(prompt)) :]
            answer = answer[: self._context_tokens]
        if learns_prompt is None:
            learns_prompt = not any(message.content.strip() for message in messages)
        return Encoded(ids=prompt + answer, start=0 if learns_prompt else len(prompt), is_cut=surplus > 0)

    def _ids(self, text: str, *, is_first: bool = False, is_plain: bool = False) -> list[int]:
        return self.tokenizer(text, add_special_tokens=is_first, split_special_tokens=is_plain)["input_ids"]

    def _end_of_turn(self) -> str:
        """The text that the template writes after an answer, without the white space before the next turn."""
        text = self.tokenizer.apply_chat_template(
            [{"role": "user", "content": "?"}, {"role": "assistant", "content": MARK}], tokenize=False
        )
        end = text.rpartition(MARK)[2].strip()
        return end or self.tokenizer.eos_token

    def _end_of_text(self) -> str:
        vocabulary = self.tokenizer.get_vocab()
        return next((token for token in END_OF_TEXT if token in vocabulary), self.tokenizer.eos_token)
