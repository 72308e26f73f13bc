"""Prompts and completions as token ids."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from .calls import plain_turns, with_arguments, with_calls
from .errors import RefusedError
from .job import Answer, CallingAnswer, ChatMessage, DataFormat, DeclaredTool, TrainingExample

#: Tokens that end a document, of which a base has one; `eos_token` of a chat model often ends a turn instead.
END_OF_TEXT = ("<|endoftext|>", "<|end_of_text|>", "<eos>", "</s>")
MARK = "TUNESMITH"
#: Characters that Unicode leaves to private use: one that no message has stands around the numbers of control tokens.
PRIVATE_USE = range(0xE000, 0xF900)


#: A trace at the end of a prompt, opened or empty, and an empty one in front of an answer: models that reason have one
#: or the other, which their templates leave out where an answer follows that calls.
OPEN_TRACE = re.compile(r"(?:<think>\s*(?:</think>\s*)?|<\|channel>thought\s*<channel\|>\s*)$")
EMPTY_TRACE = re.compile(r"^\s*<think>\s*</think>\s*")

Json = dict[str, Any]
ASKED: Json = {"role": "user", "content": "?"}


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


class Marked:
    """A value of JSON in which the control tokens of its texts are numbers between two edges, and the tokens."""

    def __init__(self, control: re.Pattern[str], value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        self.found: list[str] = []
        self.edge = next(chr(code) for code in PRIVATE_USE if chr(code) not in text)
        self.value: Any = json.loads(control.sub(self._number, text)) if control.search(text) else value

    def _number(self, match: re.Match[str]) -> str:
        self.found.append(match[0])
        return f"{self.edge}{len(self.found) - 1}{self.edge}"


class TextFormat:
    """Converts prompts and completions of a model to text, and text to token ids.

    Prompt and completion are encoded apart, as they are when the model answers.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, data_format: DataFormat, context_tokens: int) -> None:
        self.tokenizer = tokenizer
        self._is_chat = data_format == "chat"
        self._context_tokens = context_tokens
        self._control_tokens = {token.content for token in tokenizer.added_tokens_decoder.values() if token.special}
        self._control = re.compile(
            "|".join(re.escape(token) for token in sorted(self._control_tokens, key=len, reverse=True)) or "(?!)"
        )
        if self._is_chat and not tokenizer.chat_template:
            raise RefusedError("The base model has no chat template, so it cannot be trained on conversations.")
        self._end = self._end_of_turn() if self._is_chat else self._end_of_text()
        self._calls_by_template = self._is_chat and self._knows_calls()
        self._has_system = not self._is_chat or self._takes([{"role": "system", "content": MARK}, ASKED])

    @property
    def end_ids(self) -> list[int]:
        """The tokens that end an answer."""
        ends = {self.tokenizer.eos_token_id, *self._ids(self._end)[:1]}
        return sorted(token for token in ends if token is not None)

    def prompt_text(
        self, messages: Sequence[ChatMessage], tools: Sequence[DeclaredTool] | None = None, *, reasons: bool = False
    ) -> str:
        """The text before the completion. `reasons`: the completion starts with a reasoning trace."""
        return self._render([dump(message) for message in messages], declared(tools), reasons=reasons)

    def prompt_ids(
        self, messages: Sequence[ChatMessage], tools: Sequence[DeclaredTool] | None = None, *, reasons: bool = False
    ) -> list[int]:
        """The prompt's tokens, uncut. Control tokens that messages contain are text; those of the template are not."""
        if not self._is_chat:
            return self._ids(self.prompt_text(messages, tools), is_first=True, is_plain=True)
        marked = Marked(self._control, [[dump(message) for message in messages], declared(tools)])
        return self._ids_of(self._render(*marked.value, reasons=reasons), marked)

    def answer_text(self, example: TrainingExample, answer: Answer) -> str:
        """An answer as the model writes it, without the tokens that end it."""
        if isinstance(answer, str):
            return answer
        messages = [dump(message) for message in example.messages]
        return self._render_answer(messages, dump(answer), declared(example.tools), reasons=False)

    def encode(
        self,
        messages: Sequence[ChatMessage],
        completion: Answer,
        *,
        tools: Sequence[DeclaredTool] | None = None,
        reasoning: str | None = None,
        learns_prompt: bool | None = False,
    ) -> Encoded:
        """The whole text, cut to the context: first the prompt at its beginning, then the completion at its end.

        learns_prompt: whether the prompt is learned too; None: only where it says nothing.
        """
        reasons = reasoning is not None
        prompt = self.prompt_ids(messages, tools, reasons=reasons)
        trace = ""
        if reasons:
            # Some templates open the trace in the prompt already.
            opening = (
                "" if self.prompt_text(messages, tools, reasons=True).rstrip().endswith("<think>") else "<think>\n"
            )
            trace = f"{opening}{reasoning}\n</think>\n\n"
        if isinstance(completion, str):
            # Text of a row that looks like a template token stays text.
            answer = self._ids(trace + completion, is_plain=True) + self._ids(self._end)
        else:
            answer = self._ids(trace, is_plain=True) if trace else []
            answer += self._call_ids(messages, completion, tools, reasons=reasons)
        surplus = len(prompt) + len(answer) - self._context_tokens
        if surplus > 0:
            prompt = prompt[min(surplus, len(prompt)) :]
            answer = answer[: self._context_tokens]
        if learns_prompt is None:
            learns_prompt = not any(message.content.strip() for message in messages)
        return Encoded(ids=prompt + answer, start=0 if learns_prompt else len(prompt), is_cut=surplus > 0)

    def _call_ids(
        self,
        messages: Sequence[ChatMessage],
        answer: CallingAnswer,
        tools: Sequence[DeclaredTool] | None,
        *,
        reasons: bool,
    ) -> list[int]:
        """The tokens of an answer that calls tools, to its end: of the template, but for what the row says."""
        marked = Marked(self._control, [[dump(message) for message in messages], dump(answer), declared(tools)])
        text = self._render_answer(*marked.value, reasons=reasons)
        # Some templates have a token of their own that ends calls.
        ends = self._ids(text)[-1:]
        is_ended = self._calls_by_template and self.tokenizer.convert_ids_to_tokens(ends)[0] in self._control_tokens
        return self._ids_of(text, marked) + ([] if is_ended else self._ids(self._end))

    def _render(self, messages: list[Json], tools: list[Json], *, reasons: bool) -> str:
        if not self._calls_by_template:
            messages = plain_turns(messages, tools, has_system=self._has_system)
        if not self._is_chat:
            return "".join(message["content"] + "\n\n" for message in messages)
        return self._apply(messages, tools, reasons=reasons)

    def _render_answer(self, messages: list[Json], answer: Json, tools: list[Json], *, reasons: bool) -> str:
        """What follows the prompt of an answer that calls tools.

        Raises RefusedError where the template has no place for it.
        """
        if not self._calls_by_template:
            return with_calls(answer)
        try:
            prompt = self._apply(messages, tools, reasons=reasons)
            whole = self._apply([*messages, {"role": "assistant", **answer}], tools, reasons=reasons, is_prompt=False)
        except TemplateError as error:
            raise RefusedError(f"The template of the base model refuses a call of tools in the rows: {error}") from None
        head = prompt if whole.startswith(prompt) else OPEN_TRACE.sub("", prompt)
        text = EMPTY_TRACE.sub("", whole[len(head) :]).rstrip()
        # A template may leave out what it does not know, such as the second of parallel calls.
        names = [call["function"]["name"] for call in answer["tool_calls"]]
        if not whole.startswith(head) or any(text.count(name) < names.count(name) for name in names):
            raise RefusedError("The template of the base model cannot write the calls of tools in the rows.")
        return text.removesuffix(self._end)

    def _apply(self, messages: list[Json], tools: list[Json], *, reasons: bool = False, is_prompt: bool = True) -> str:
        return self.tokenizer.apply_chat_template(
            [with_arguments(message) for message in messages],
            tools=tools or None,
            tokenize=False,
            add_generation_prompt=is_prompt,
            # Read by templates of models with optional reasoning; others ignore it.
            enable_thinking=reasons,
        )

    def _ids_of(self, text: str, marked: "Marked") -> list[int]:
        """The tokens of a rendered text, with those that the row contains as text."""
        ids: list[int] = []
        for place, part in enumerate(text.split(marked.edge) if marked.found else [text]):
            if place % 2 == 1:
                ids += self._ids(marked.found[int(part)], is_plain=True)
            elif part:
                ids += self._ids(part)
        return ids

    def _ids(self, text: str, *, is_first: bool = False, is_plain: bool = False) -> list[int]:
        return self.tokenizer(text, add_special_tokens=is_first, split_special_tokens=is_plain)["input_ids"]

    def _takes(self, messages: list[Json], tools: Sequence[Json] = ()) -> bool:
        """Whether the template shows all that it is given, whose texts contain the mark."""
        try:
            text = self._apply(messages, list(tools))
        except (TemplateError, TypeError):
            return False
        return text.count(MARK) >= json.dumps([messages, tools]).count(MARK)

    def _knows_calls(self) -> bool:
        """Whether the template shows tools, calls and results."""
        call = {"type": "function", "function": {"name": f"{MARK}_call", "arguments": "{}"}}
        called = {"role": "assistant", "content": "", "tool_calls": [call]}
        tool = {
            "type": "function",
            "function": {"name": f"{MARK}_tool", "description": "", "parameters": {"type": "object"}},
        }
        return self._takes([ASKED, called, {"role": "tool", "content": MARK}], [tool])

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


def dump(message: ChatMessage | CallingAnswer) -> Json:
    """A message as templates read it."""
    return message.model_dump(exclude_none=True)


def declared(tools: Sequence[DeclaredTool] | None) -> list[Json]:
    """Tools as templates read them."""
    return [tool.model_dump() for tool in tools or ()]
