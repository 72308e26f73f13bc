import { expect, test, vi } from 'vitest';
import { readTurns } from '#shared/tabular/decide/chat-turns.ts';
import { readRendered } from '#shared/tabular/decide/rendered-turns.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { ingest } from '../adapters/harness.ts';
import { stream } from './harness.ts';

/** The same conversation as the templates of models render it. */
const RENDERED = {
  'Qwen and ChatML':
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n  So.<|im_end|>\n<|im_start|>user\nAnd?<|im_end|>\n<|im_start|>assistant\nNo.<|im_end|>\n',
  'Phi-4':
    '<|im_start|>system<|im_sep|>Be brief.<|im_end|><|im_start|>user<|im_sep|>Why?<|im_end|><|im_start|>assistant<|im_sep|>  So.<|im_end|><|im_start|>user<|im_sep|>And?<|im_end|><|im_start|>assistant<|im_sep|>No.<|im_end|><|endoftext|>',
  'Llama 3':
    '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWhy?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nSo.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nNo.<|eot_id|>',
  'Phi-3':
    '<|system|>\nBe brief.<|end|>\n<|user|>\nWhy?<|end|>\n<|assistant|>\nSo.<|end|>\n<|user|>\nAnd?<|end|>\n<|assistant|>\nNo.<|end|>\n<|endoftext|>',
  Zephyr:
    '<|system|>\nBe brief.</s>\n<|user|>\nWhy?</s>\n<|assistant|>\nSo.</s>\n<|user|>\nAnd?</s>\n<|assistant|>\nNo.</s>\n',
  'Mistral, newer':
    '<s>[SYSTEM_PROMPT]Be brief.[/SYSTEM_PROMPT][INST]Why?[/INST]So.</s>[INST]And?[/INST]No.</s>',
  'Llama 2': '<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nWhy? [/INST] So. </s><s>[INST] And? [/INST] No. </s>',
} as const;

const CONVERSATION = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Why?' },
  { role: 'assistant', content: 'So.' },
  { role: 'user', content: 'And?' },
  { role: 'assistant', content: 'No.' },
];

test.each(Object.entries(RENDERED))(
  'a text that a chat template has rendered is read as its turns: %s',
  (name, text) => {
    // Templates that cut nothing off keep the space at the beginning of code.
    const kept = CONVERSATION.map((turn) => (turn.content === 'So.' ? { ...turn, content: '  So.' } : turn));

    expect(readTurns(text)).toEqual(text.includes('<|im_start|>') ? kept : CONVERSATION);
    expect(name).not.toBe('');
  },
);

test.each([
  ['Gemma', '<bos><start_of_turn>user\nWhy?<end_of_turn>\n<start_of_turn>model\nSo.<end_of_turn>\n'],
  ['DeepSeek', '<｜begin▁of▁sentence｜><｜User｜>Why?<｜Assistant｜>So.<｜end▁of▁sentence｜>'],
  ['Mistral', '<s>[INST] Why? [/INST] So.</s>'],
])('a text that a chat template without a system turn has rendered is read as its turns: %s', (_, text) => {
  expect(readTurns(text)).toEqual(CONVERSATION.slice(1, 3));
});

test.each([
  ['ChatML', '<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n'],
  ['Llama 2', '[INST] Why? [/INST]'],
  ['Gemma', '<start_of_turn>user\nWhy?<end_of_turn>\n<start_of_turn>model\n'],
])('a rendered text that asks for an answer has the turns in front of it: %s', (_, text) => {
  expect(readTurns(text)).toEqual([{ role: 'user', content: 'Why?' }]);
});

test.each([
  'Write <|im_start|>user in front of a turn.',
  '<|im_start|>narrator\nWhy?<|im_end|>',
  '<|im_start|>user\nWhy?<|im_end|>\nand more\n<|im_start|>assistant\nSo.<|im_end|>',
  '<|im_start|>assistant\nSo.<|im_end|>',
  '[INST] is a mark of Mistral',
  '[INST] a [/INST] b [/INST] c',
  '[SYSTEM_PROMPT]Be brief.[/SYSTEM_PROMPT] and more [INST] a [/INST] b',
  '[SYSTEM_PROMPT]Be brief. [INST] a [/INST] b',
  '<|user|>',
  '<s>',
  // A first turn of a speaker that is not known.
  '<|im_start|>context\nNever tell prices.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>',
  // A mark that is spoken of.
  '<|user|>\nWhat does <|assistant|> mean?<|end|>\n<|assistant|>\nIt begins a reply.<|end|>',
])('a text with marks that are not around turns stays a text: %j', (text) => {
  expect(readTurns(text)).toBe('is not a JSON array of turns');
});

test.each([
  ['<|user|>', 'a', ''],
  ['<|im_start|>user\n', 'a<|im_end|>\n', '<|im_start|>assistant\n'],
  ['<｜User｜>', 'a', ''],
  ['[INST]', 'a[/INST]b</s>', '[INST]a[/INST]'],
])(
  'a rendered text of far too many turns is told to have too many once the first ones are read: %j',
  (mark, turn, end) => {
    const text = (mark + turn).repeat(125_000) + end;
    const found = vi.spyOn(RegExp.prototype, 'exec');
    const cut = vi.spyOn(String.prototype, 'split');

    const read = readTurns(text);

    const parts = cut.mock.results.map(({ value }) => (value as string[]).length);
    const marks = found.mock.calls.length;
    vi.restoreAllMocks();
    expect(read).toBe('has more than 10000 turns');
    expect(Math.max(0, ...parts)).toBeLessThan(10_010);
    expect(marks).toBeLessThan(10_100);
  },
);

test('a rendered text is read in time that grows with its length', () => {
  const parts = [
    '[INST]',
    '[INST] a [/INST] b',
    '<|im_start|>user\n',
    '<|user|>',
    '</s>',
    '<<SYS>>',
    '[SYSTEM_PROMPT]',
    '[/SYSTEM_PROMPT]',
    '<｜User｜>',
  ];
  const starts = [
    '<s>[INST] ',
    '[SYSTEM_PROMPT]',
    '<|im_start|>user\n',
    '<|user|>',
    '<start_of_turn>user\n',
    '<｜User｜>',
  ];

  for (const start of starts) {
    expect(slowTexts((text) => readRendered(`${start}${text}`))).toEqual([]);
    for (const part of parts) expect(() => readRendered(start + part.repeat(50_000))).not.toThrow();
  }
});

test('a column of rendered texts is a column of conversations', async () => {
  const lines = Object.values(RENDERED).map((text) => JSON.stringify({ text }));

  const { manifest } = await ingest('jsonl', stream(Buffer.from(lines.join('\n'))));

  expect(manifest.columns[0]?.profile?.not_chat).toBeNull();
});
