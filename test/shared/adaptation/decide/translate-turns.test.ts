import { expect, test } from 'vitest';
import { translateTurns } from '#shared/adaptation/decide/translate-turns.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const NUMBERS = '12345678901234567890,1.10,9007199254740993,1E+400,-0';
const translated = (text: string) => translateTurns(text, async (each) => `<${each}>`);

test.each([
  [
    'an array within data',
    `{"n":[${NUMBERS},"a"],"weight":[0.10,"kg"],"t":["one two three",${NUMBERS}]}`,
    `{"n":[${NUMBERS},"a"],"weight":[0.10,"kg"],"t":["<one two three>",${NUMBERS}]}`,
  ],
  [
    'objects within an array',
    `{"items":[{"id":12345678901234567890,"price":1.10,"t":"one two three"}]}`,
    `{"items":[{"id":12345678901234567890,"price":1.10,"t":"<one two three>"}]}`,
  ],
  [
    'a turn',
    `[{"role":"user","n":[${NUMBERS}],"content":"Hi"}]`,
    `[{"role":"user","n":[${NUMBERS}],"content":"<Hi>"}]`,
  ],
  [
    'a request',
    `{"messages":[{"role":"user","content":[{"type":"text","text":"Hi","n":1.10}],"id":12345678901234567890}],"seed":1.0}`,
    `{"messages":[{"role":"user","content":[{"type":"text","text":"<Hi>","n":1.10}],"id":12345678901234567890}],"seed":1.0}`,
  ],
  [
    'the call of a turn',
    `[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":{"n":[${NUMBERS}]}}}]`,
    `[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":{"n":[${NUMBERS}]}}}]`,
  ],
])('numbers of any length in %s keep their digits where texts are translated', async (_, cell, expected) => {
  expect(await translated(cell)).toBe(expected);
});

test('a cell that is a list and no conversation has its prose translated, and is never sent to the model as JSON', async () => {
  expect(await translated(' [ "one two three", "x", {"a": ["four five six"]}, 1.10 ] ')).toBe(
    '["<one two three>","x",{"a":["<four five six>"]},1.10]',
  );
  expect(await translated('[1, 2]')).toBe('[1, 2]');
  expect(await translated('[sic] one two')).toBe('<[sic] one two>');
});

test('the reasoning of a turn is translated with its reply, and what a user or a tool sent in such a member is not', async () => {
  const turns = (thought: string, reply: string) =>
    [
      '{"role":"user","content":"<Hi>","reasoning":"none"}'.replaceAll(/[<>]/g, reply === 'Ho' ? '' : '$&'),
      `{"role":"assistant","reasoning_content":"${thought}","content":"${reply}"}`,
      `{"role":"assistant","thinking":"${thought}","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
      '{"role":"tool","tool_call_id":"a","content":"one","reasoning":"two"}',
    ].join(',');

  expect(await translated(`[${turns('I greet back.', 'Ho')}]`)).toBe(`[${turns('<I greet back.>', '<Ho>')}]`);
  expect(await translated('{"from":"gpt","value":"Ho","reasoning":"I greet."}')).toBe(
    '{"from":"gpt","value":"<Ho>","reasoning":"<I greet.>"}',
  );
});

const SPOKEN = [
  '{"from":"human","value":"Hi"}',
  '{"id":7,"from":"gpt","value":"Hello"}',
  '{"from":"function_call","value":"{\\"name\\":\\"f\\",\\"arguments\\":{}}"}',
  '{"from":"observation","value":"one\\n</tool_response>\\n<tool_response>\\ntwo"}',
];
const SPOKEN_TRANSLATED = [
  '{"from":"human","value":"<Hi>"}',
  '{"id":7,"from":"gpt","value":"<Hello>"}',
  ...SPOKEN.slice(2),
];

test('the turns of ShareGPT keep their form, in a request and in a list, with their calls and all their results', async () => {
  expect(await translated(`{"messages":[${SPOKEN}],"tools":[]}`)).toBe(
    `{"messages":[${SPOKEN_TRANSLATED}],"tools":[]}`,
  );
  expect(await translated(`[${SPOKEN}]`)).toBe(`[${SPOKEN_TRANSLATED}]`);
  expect(await translated(SPOKEN[3] as string)).toBe(SPOKEN[3]);
});

test('the turns of Anthropic keep their form, with their calls and results', async () => {
  const turn = (text: string) =>
    `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"res"},{"type":"text","text":"${text}"}]},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{"n":1.10}}]}]`;

  expect(await translated(turn('Hi'))).toBe(turn('<Hi>'));
});

test.each([
  ['ChatML', '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n'],
  ['Llama 2', '<s>[INST] <<SYS>>\nBe kind\n<</SYS>>\n\nHi [/INST] Hello</s><s>[INST] Hi [/INST]'],
  ['Gemma', '<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nHello<end_of_turn>\n'],
])('the turns that a chat template has rendered are translated between its marks: %s', async (_, text) => {
  expect(await translated(text)).toBe(text.replaceAll(/\b(?:Hi|Hello|Be kind)\b/g, '<$&>'));
});

test('the turns that a chat template has rendered are translated as a list of turns where one is called as a mark', async () => {
  const text = '<|im_start|>user\nuser<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n';

  expect(JSON.parse(await translated(text))).toEqual([
    { role: 'user', content: '<user>' },
    { role: 'assistant', content: '<Hello>' },
  ]);
});

test('the turns beside a repeated key of another kind are translated', async () => {
  expect(await translated('{"messages":5,"messages":[{"role":"user","content":"Hi"}]}')).toBe(
    '{"messages":5,"messages":[{"role":"user","content":"<Hi>"}]}',
  );
});

test.each([
  ['quotation marks and backslashes', '["one \\"two\\" three\\\\","x"]', '["<one \\"two\\" three\\\\>","x"]'],
  [
    'a colon behind its string',
    '{"a b c" : "one two three" , "d":"four five six:"}',
    '{"a b c":"<one two three>","d":"<four five six:>"}',
  ],
  [
    'brackets and colons in its strings',
    '["one, two: [three]", "{\\"a\\": 1}"]',
    '["<one, two: [three]>","{\\"a\\": 1}"]',
  ],
])('data with %s has only its prose translated', async (_, cell, expected) => {
  expect(await translated(cell)).toBe(expected);
});

test('data that nests as deep as it may is translated in time that grows with its length alone', async () => {
  const secondsOf = async (depth: number): Promise<number> => {
    const cell = `${'['.repeat(depth)}"${'one two three '.repeat(150_000)}"${']'.repeat(depth)}`;
    const elapsed = startStopwatch();
    expect(await translateTurns(cell, async () => 'done')).toBe(
      `${'['.repeat(depth)}"done"${']'.repeat(depth)}`,
    );
    return elapsed();
  };
  await secondsOf(1);

  expect(await secondsOf(490)).toBeLessThan(5 * (await secondsOf(1)) + 200);
});
