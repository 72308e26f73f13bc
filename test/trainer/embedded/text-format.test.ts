import { expect, test } from 'vitest';
import { parseChatRequest } from '#local/model/requests.ts';
import { readTools } from '#local/model/tool-calls.ts';
import { TrainingExample } from '#shared/training/schema/training-job.ts';
import {
  answerText,
  preferredOf,
  TextFormat,
  type Tokenizer,
  withoutReasoning,
} from '#trainer/embedded/text-format.ts';

/** Characters as tokens, and ChatML without control tokens. */
const tokenizer: Tokenizer = {
  tokenize: (text) => [...text].map((character) => character.codePointAt(0) ?? 0),
  encodeChat: (messages) =>
    tokenizer.tokenize(messages.map(({ role, content }) => `${role}: ${content}\n`).join('')),
  endOfTurn: 1,
  endOfText: 2,
};

const call = (city: string) => ({
  type: 'function' as const,
  function: { name: 'weather', arguments: `{"city": "${city}"}` },
});
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
const example = TrainingExample.parse({
  row: 0,
  messages: [
    { role: 'user', content: 'Warm?' },
    { role: 'assistant', content: '', tool_calls: [call('Bonn'), call('Rom')] },
    { role: 'tool', content: '21' },
    { role: 'tool', content: '30' },
  ],
  completion: { content: 'One more.', tool_calls: [call('Ulm')] },
  tools,
});

const read = (tokens: Iterable<number>) => String.fromCodePoint(...tokens);

test.each([
  ['<think>\nHm.\n</think>\n\nBecause.', 'Because.'],
  ['Because.', 'Because.'],
  ['<think>\nHm, or', ''],
])('what a model wrote, %j, has the answer %j: what follows reasoning that ended', (written, answer) => {
  expect(withoutReasoning(written)).toBe(answer);
});

test('an answer that calls tools is learned as the model server reads calls', () => {
  const [text] = new TextFormat(tokenizer, 'chat', 4000).encodeRow(example, 'sft', null);

  const answer = read((text?.tokens ?? new Int32Array()).slice(text?.start, -1));
  expect(answer).toBe(
    'One more.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Ulm"}}\n</tool_call>',
  );
  expect(text?.tokens.at(-1)).toBe(tokenizer.endOfTurn);
  const request = parseChatRequest({ model: 'm', messages: [{ role: 'user', content: '?' }], tools });
  const reader = readTools(request).createReader();
  expect([...reader.push(answer), ...reader.flush()]).toContainEqual({
    type: 'call',
    name: 'weather',
    arguments: '{"city":"Ulm"}',
  });
  expect(answerText(preferredOf(example))).toBe(answer);
});

test('tools, calls and results of a prompt are told as the model server tells them', () => {
  const format = new TextFormat(tokenizer, 'chat', 4000);
  const ids = (n: number) => `call_${n}`;
  const messages = example.messages.map((message, at) => ({
    ...message,
    ...(message.tool_calls === undefined
      ? {}
      : { tool_calls: message.tool_calls.map((each, n) => ({ ...each, id: ids(n) })) }),
    ...(message.role === 'tool' ? { tool_call_id: ids(at - 2) } : {}),
  }));
  const { turns } = readTools(parseChatRequest({ model: 'm', messages, tools }));

  expect(read(format.encodePrompt(example, 10))).toBe(read(tokenizer.encodeChat(turns)));
  expect(read(new TextFormat(tokenizer, 'instruction', 4000).encodePrompt(example, 10))).toBe(
    turns.map(({ content }) => `${content}\n\n`).join(''),
  );
});
