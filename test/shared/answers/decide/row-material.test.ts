import { describe, expect, it } from 'vitest';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { modeOf } from '#shared/answers/decide/row-mapping.ts';
import { materialReader, type RowMaterial, requestOf } from '#shared/answers/decide/row-material.ts';

type Mapping = Omit<AdaptationSpecification['mapping'], 'context'> & { context?: string[] };

function readerOf(mode: AdaptationSpecification['mode'], mapping: Mapping) {
  const reader = materialReader({ mode, mapping: { context: [], ...mapping } });
  const cells = (row: object) => readCells(JSON.stringify(row), reader.columns);
  return {
    columns: reader.columns,
    read: (row: object) => reader.read(cells(row)),
    material: (row: object) => {
      const read = reader.read(cells(row));
      if ('skip' in read) throw new Error(`The row was skipped: ${read.skip.code}`);
      return read;
    },
    original: (row: object) => reader.original(cells(row)),
  };
}

const turns = (cell: string | null): unknown => JSON.parse(cell ?? 'null');
const CHAT = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello?' },
  { role: 'assistant', content: 'Hi!' },
  { role: 'user', content: 'What is tea?', name: 'ann' },
  { role: 'assistant', content: 'A drink.' },
];

describe('a conversation', () => {
  const { read, material, original } = readerOf('chat', { chat: 'c' });

  it.each([
    ['nested', CHAT],
    ['as JSON text', JSON.stringify(CHAT)],
  ])('%s is its history, the turn that asks, and the last reply', (_, c) => {
    const row = material({ c });

    expect(row).toMatchObject({ prompt: 'What is tea?', completion: 'A drink.', context: [], image: null });
    expect(row.history).toEqual([
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Hello?' },
      { role: 'assistant', text: 'Hi!' },
    ]);
    expect(turns(row.promptCell('What is tea?'))).toEqual(CHAT.slice(0, 4));
    expect(turns(row.promptCell('What is tea made of?'))).toEqual([
      ...CHAT.slice(0, 3),
      { role: 'user', content: 'What is tea made of?', name: 'ann' },
    ]);
    expect(original({ c })).toEqual({ prompt: JSON.stringify(CHAT.slice(0, 4)), completion: 'A drink.' });
  });

  it('a conversation without a reply is asked for one', () => {
    const c = CHAT.slice(0, 2);

    expect(material({ c })).toMatchObject({ prompt: 'Hello?', completion: '' });
    expect(original({ c })).toEqual({ prompt: JSON.stringify(c), completion: null });
  });

  it.each([
    ['no turn', []],
    ['an empty turn', [{ role: 'assistant', content: ' ' }]],
  ])('a conversation with a question and %s after it is asked for a reply', (_, after) => {
    const asked = { role: 'user', content: 'What is tea made of?' };

    const row = material({ c: [...CHAT, asked, ...after] });

    expect(row).toMatchObject({ prompt: 'What is tea made of?', completion: '' });
    expect(row.history.map(({ text }) => text)).toEqual(CHAT.map(({ content }) => content));
    expect(turns(row.promptCell('What is tea made of?'))).toEqual([...CHAT, asked]);
  });

  const ASKED = [...CHAT, { role: 'user', content: 'Hm' }, { role: 'assistant', content: 'Anything else?' }];

  it.each([
    ['a reply', CHAT, 'Thanks'],
    ['a reply', CHAT, "That's great, thanks!"],
    ['a reply', CHAT, 'Danke, das hilft!'],
    ['a reply', CHAT, 'ありがとう'],
    ['a question', ASKED, 'No, thank you.'],
    ['a question', ASKED, 'Nein danke'],
    ['a question', ASKED, 'Thanks, that was all'],
  ])('a conversation that ends after %s (%#) in "%s" is asked for no reply', (_, before, content) => {
    expect(material({ c: [...before, { role: 'user', content }] }).completion).not.toBe('');
  });

  it.each([
    ['a reply', CHAT, 'Thanks. And coffee?'],
    ['a reply', CHAT, '那么咖啡呢？'],
    ['a question', ASKED, 'Something light, please.'],
  ])('a conversation that ends after %s (%#) in "%s" is asked for one', (_, before, content) => {
    expect(material({ c: [...before, { role: 'user', content }] })).toMatchObject({
      prompt: content,
      completion: '',
    });
  });

  it('a conversation may go on after the reply that is improved, and may call tools', () => {
    const calls = { role: 'assistant', content: null, tool_calls: [{ id: '1' }] };
    const found = { role: 'tool', content: '42', tool_call_id: '1' };
    const c = [
      CHAT[1],
      calls,
      found,
      { role: 'assistant', content: 'It is 42.' },
      { role: 'user', content: 'Thanks' },
    ];

    const row = material({ c });

    expect(row).toMatchObject({ prompt: '', completion: 'It is 42.' });
    expect(row.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(turns(row.promptCell(''))).toEqual([CHAT[1], calls, found]);
  });

  it('a conversation is improved in the last reply that is trained on', () => {
    const more = [
      { role: 'user', content: 'And coffee?' },
      { role: 'assistant', content: 'Hm.', weight: 0 },
    ];

    expect(material({ c: [...CHAT, ...more] })).toEqual(
      expect.objectContaining({ completion: material({ c: CHAT }).completion }),
    );
  });

  it.each([
    ['at its end', []],
    ['with its result alone behind it', [{ role: 'tool', content: 'rain', tool_call_id: '1' }]],
  ])(
    'a conversation whose last reply is a call %s stays as it is, with the call as its answer',
    (_, behind) => {
      const call = {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'sky', arguments: '{"city":"Oslo"}' } }],
      };
      const c = [...CHAT, { role: 'user', content: 'And the sky?' }, call, ...behind];

      expect(read({ c })).toMatchObject({ skip: { code: 'chat_call' } });
      expect(original({ c })).toEqual({
        prompt: JSON.stringify(c.slice(0, 6)),
        completion: JSON.stringify([call]),
      });
      const asked = [...c, { role: 'user', content: 'So what do I wear?' }];
      expect(material({ c: asked })).toMatchObject({ prompt: 'So what do I wear?', completion: '' });
      expect(requestOf(material({ c: asked }), '')).toContain('assistant: calls sky({"city":"Oslo"})');
    },
  );

  it('a conversation keeps its tools', () => {
    const tools = [{ type: 'function', function: { name: 'sky' } }];
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ function: { name: 'sky', arguments: '{}' } }],
    };
    const c = { messages: CHAT, tools };

    const asked = { messages: CHAT.slice(0, 4), tools };
    expect(turns(material({ c }).promptCell('What is tea?'))).toEqual(asked);
    expect(turns(material({ c }).promptCell('And?'))).toMatchObject({ tools });
    expect(turns(original({ c }).prompt)).toEqual(asked);
    expect(turns(original({ c: { messages: [...CHAT.slice(0, 4), call], tools } }).prompt)).toEqual(asked);
  });

  it('a conversation keeps the images of a turn whose text is worded anew', () => {
    const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const asked = { role: 'user', content: [picture, { type: 'text', text: 'wat is this' }] };

    const row = material({ c: [asked, { role: 'assistant', content: 'A cat.' }] });

    expect(row).toMatchObject({ prompt: 'wat is this', hasUnseenParts: true });
    expect(material({ c: CHAT })).not.toHaveProperty('hasUnseenParts');
    expect(read({ c: [asked] })).toMatchObject({ skip: { code: 'parts_unseen' } });
    expect(original({ c: [asked] })).toEqual({ prompt: JSON.stringify([asked]), completion: null });
    expect(turns(row.promptCell('What is this?'))).toEqual([
      { role: 'user', content: [picture, { type: 'text', text: 'What is this?' }] },
    ]);
  });

  it.each([
    ['chat_empty', ''],
    ['chat_empty', null],
    ['chat_invalid', 'hello'],
    ['chat_invalid', []],
    ['chat_invalid', [{ role: 'robot', content: 'x' }]],
    ['chat_invalid', [{ role: 'system', content: 'Be kind.' }]],
    ['chat_invalid', CHAT.map((turn) => ({ ...turn, weight: 0 }))],
  ])('a conversation is kept with %s where its cell is %j', (code, c) => {
    expect(read({ c })).toMatchObject({ skip: { code } });
    expect(original({ c })).toEqual({ prompt: null, completion: null });
  });

  it('a conversation may have an image beside it, which is no text', () => {
    const beside = readerOf('chat', { chat: 'c', image: 'i', context: ['i'] });

    expect(beside.columns).toEqual(['c', 'i']);
    expect(beside.material({ c: CHAT, i: 'cat.png' })).toMatchObject({ image: 'cat.png', context: [] });
  });
});

describe('a dataset-wide instruction', () => {
  const universal_prompt = 'Sum up the text.';

  it('a dataset-wide instruction is folded into each row with its context, and the instruction is what is answered', () => {
    const { columns, material, original } = readerOf('universal_prompt', {
      universal_prompt,
      completion: 'a',
      context: ['text', 'tone'],
    });
    const row = { text: 'Tea is a drink.', tone: '', a: 'Tea.' };

    expect(columns).toEqual(['a', 'text', 'tone']);
    expect(material(row)).toMatchObject({
      prompt: universal_prompt,
      completion: 'Tea.',
      context: [{ name: 'text', text: 'Tea is a drink.' }],
    });
    const folded = 'Sum up the text.\ntext: Tea is a drink.';
    expect(material(row).promptCell(universal_prompt)).toBe(folded);
    expect(original(row)).toEqual({ prompt: folded, completion: 'Tea.' });
  });

  it('a dataset-wide instruction has nothing to rest on where neither context nor image is there', () => {
    const { read } = readerOf('universal_prompt', { universal_prompt, image: 'i', context: ['text', 'i'] });

    expect(read({ text: ' ', i: null })).toMatchObject({ skip: { code: 'context_empty' } });
    expect(read({ text: ' ', i: ' ' })).toMatchObject({ skip: { code: 'context_empty' } });
    expect(read({ text: '', i: 'a.png' })).toMatchObject({ prompt: universal_prompt, image: 'a.png' });
  });
});

it('prompts and completions may lack one of the two', () => {
  const prompts = readerOf('prompt_only', { prompt: 'p', context: ['t'] });
  const completions = readerOf('completion_only', { completion: 'a' });

  expect(prompts.material({ p: 'Why?', t: 'tea' })).toMatchObject({ prompt: 'Why?', completion: '' });
  expect(prompts.original({ p: 'Why?' })).toEqual({ prompt: 'Why?', completion: null });
  expect(prompts.read({ p: ' ' })).toMatchObject({ skip: { code: 'prompt_empty' } });
  expect(completions.material({ a: 'Because.' })).toMatchObject({ prompt: '', completion: 'Because.' });
  expect(completions.original({ a: 'Because.' })).toEqual({ prompt: null, completion: 'Because.' });
  expect(completions.read({ a: '' })).toMatchObject({ skip: { code: 'completion_empty' } });
});

describe('columns of conversations', () => {
  const mapping = { prompt: 'p', completion: 'a', context: [] };
  const system = { role: 'system', content: 'Be kind.' };
  const user = (content: string) => ({ role: 'user', content });
  const assistant = (content: string) => ({ role: 'assistant', content });
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', type: 'function', function: { name: 'sky', arguments: '{}' } }],
  };
  const ASKED = [system, user('Hello?'), assistant('Hi!'), user('Tell me of tea.')];
  const TOOLS = [{ type: 'function', function: { name: 'sky' } }];
  const readBy = (
    conversations: string[],
    p: unknown,
    a: unknown,
    before: Record<string, string> = {},
    given: typeof mapping = mapping,
  ) => {
    const reader = materialReader({ mode: modeOf(given), mapping: given, conversations, before });
    const cells = readCells(JSON.stringify({ p, a, history: [['When?', 'Later.']] }), reader.columns);
    return { read: reader.read(cells), original: reader.original(cells) };
  };

  it.each<[string, unknown, unknown]>([
    ['an answer that is a text', ASKED, 'A drink.'],
    ['an answer of one turn', ASKED, [assistant('A drink.')]],
    ['an answer with the whole conversation before it', ASKED, [...ASKED, assistant('A drink.')]],
    ['an answer that goes on from the prompt', ASKED.slice(0, 2), [...ASKED.slice(2), assistant('A drink.')]],
    ['a reply that its answer is about', [...ASKED, assistant('Hm.')], 'A drink.'],
    ['its own answer', [...ASKED, assistant('A drink.')], null],
  ])('a prompt of turns with %s is its history, the turn that asks, and the answer', (_, p, a) => {
    const { read, original } = readBy(['p', 'a'], p, a, { history: 'history' });

    expect(read).toMatchObject({
      history: ASKED.slice(0, 3).map(({ role, content }) => ({ role, text: content })),
      prompt: 'Tell me of tea.',
      completion: 'A drink.',
    });
    expect(turns((read as RowMaterial).promptCell('What is tea?'))).toEqual([
      ...ASKED.slice(0, 3),
      user('What is tea?'),
    ]);
    expect(original).toEqual({ prompt: JSON.stringify(ASKED), completion: 'A drink.' });
  });

  it('a prompt of turns without an answer is asked for one, whatever its last turn says', () => {
    expect(readBy(['p'], ASKED, null).read).toMatchObject({ prompt: 'Tell me of tea.', completion: '' });
  });

  it('a prompt of turns keeps its tools', () => {
    const p = { messages: ASKED, tools: TOOLS };

    const { read, original } = readBy(['p'], p, 'A drink.');

    expect(turns((read as RowMaterial).promptCell('Tell me of tea.'))).toEqual(p);
    expect(turns(original.prompt)).toEqual(p);
    const called = readBy(['p'], p, [call]);
    expect(called.read).toMatchObject({ skip: { code: 'chat_call' } });
    expect(turns(called.original.prompt)).toEqual(p);
    expect(turns(called.original.completion)).toEqual([call]);
  });

  it('a prompt of turns that ends with the result of a call is its history, call and result among it', () => {
    const found = { role: 'tool', content: 'Rain.', tool_call_id: '1' };
    const p = [...ASKED, call, found];

    const { read, original } = readBy(['p'], p, 'It rains.');

    expect((read as RowMaterial).history.map(({ role }) => role).slice(-3)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    expect(read).toMatchObject({ prompt: '', completion: 'It rains.' });
    expect(original).toEqual({ prompt: JSON.stringify(p), completion: 'It rains.' });
  });

  it.each<[string, string, unknown, unknown]>([
    ['prompt_empty', 'an empty prompt', ' ', 'A drink.'],
    ['chat_invalid', 'a prompt that cannot be read', [{ role: 'robot', content: 'x' }], 'A drink.'],
    ['chat_invalid', 'an answer that cannot be read', ASKED, [{ role: 'robot', content: 'x' }]],
    ['chat_invalid', 'an answer without a reply', ASKED, [user('And?')]],
    ['chat_invalid', 'an answer to another prompt', ASKED, [user('What is rain?'), assistant('Water.')]],
    ['chat_invalid', 'a prompt in which nobody asks', [system], null],
    ['chat_invalid', 'answers that nobody trains on', ASKED, [{ ...assistant('Tea.'), weight: 0 }]],
  ])('a row is kept with %s where it has %s, and its cells stay', (code, _, p, a) => {
    const { read, original } = readBy(['p', 'a'], p, a);

    expect(read).toMatchObject({ skip: { code } });
    const cell = (value: unknown): unknown =>
      value === null || typeof value === 'string' ? value : JSON.stringify(value);
    expect(original).toEqual({ prompt: cell(p), completion: cell(a) });
  });

  it('an answer of turns to a prompt that is a text is its reply, and the turns before it are those of the prompt', () => {
    const before = { history: 'history' };
    const whole = [user('When?'), assistant('Later.'), user('And now?'), assistant('Now.')];

    for (const a of [whole.slice(3), whole.slice(2), whole]) {
      const { read, original } = readBy(['a'], 'And now?', a, before);
      expect(read).toMatchObject({ prompt: 'And now?', completion: 'Now.' });
      expect(original).toEqual({ prompt: 'And now?', completion: 'Now.' });
    }
    const more = [...whole, user('Why?'), assistant('Because.')];
    const { read, original } = readBy(['a'], 'And now?', more, before);
    expect(read).toMatchObject({ skip: { code: 'chat_invalid', message: expect.stringContaining('chat') } });
    expect(original).toEqual({ prompt: 'And now?', completion: JSON.stringify(more) });
  });

  it('an answer of turns that nobody knows the prompt of is its reply alone', () => {
    const alone = { completion: 'a', context: [] } as never;

    expect(readBy(['a'], null, [assistant('Now.')], {}, alone).read).toMatchObject({ completion: 'Now.' });
    expect(readBy(['a'], null, [user('When?'), assistant('Now.')], {}, alone).read).toMatchObject({
      skip: { code: 'chat_invalid' },
    });
  });

  it('a column of texts stays one, also where a text is a list of turns, but for an answer that is a call', () => {
    const [p, a] = [JSON.stringify(ASKED), JSON.stringify([assistant('A drink.')])];

    expect(readBy([], p, a).read).toMatchObject({ history: [], prompt: p, completion: a });
    expect(readBy([], 'What is the sky like?', JSON.stringify([call]))).toMatchObject({
      read: { skip: { code: 'chat_call' } },
      original: { prompt: 'What is the sky like?', completion: JSON.stringify([call]) },
    });
  });
});

describe('columns before the prompt', () => {
  const before = { system: 'system', history: 'history' };
  const historyOf = (
    mapping: Omit<AdaptationSpecification['mapping'], 'context'>,
    cells: Record<string, unknown>,
  ) => {
    const full = { ...mapping, context: [] };
    const { columns, read } = materialReader({ mode: modeOf(mapping), mapping: full, before });
    const material = read(readCells(JSON.stringify(cells), columns));
    return 'skip' in material ? null : material.history;
  };

  it('a row is read with its system prompt and the turns before its prompt, as its training reads it', () => {
    const cells = { q: 'And now?', a: 'Now.', system: 'Be brief.', history: [['When?', 'Later.']] };

    expect(historyOf({ prompt: 'q', completion: 'a' }, cells)).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'When?' },
      { role: 'assistant', text: 'Later.' },
    ]);
    expect(historyOf({ prompt: 'q' }, { ...cells, system: ' ', history: '' })).toEqual([]);
  });

  it('a conversation has the system prompt of its row unless it begins with one of its own', () => {
    const asked = { role: 'user', content: 'When?' };
    const own = { role: 'system', content: 'Be kind.' };
    const chatOf = (chat: readonly object[]) => historyOf({ chat: 'c' }, { c: chat, system: 'Be brief.' });

    expect(chatOf([asked])).toEqual([{ role: 'system', text: 'Be brief.' }]);
    expect(chatOf([own, asked])).toEqual([{ role: 'system', text: 'Be kind.' }]);
  });
});

it('a judge reads the turns and the context that belong to a request', () => {
  const material: Pick<RowMaterial, 'history' | 'context'> = {
    history: [{ role: 'user', text: 'Hello?' }],
    context: [{ name: 'topic', text: 'tea' }],
  };

  expect(requestOf(material, 'What is it?')).toBe('user: Hello?\nWhat is it?\ntopic: tea');
  expect(requestOf({ ...material, context: [] }, '')).toBe('user: Hello?');
});
