import { expect, test } from 'vitest';
import type { RowProgram } from '#shared/adaptation/decide/row-program.ts';
import { withSafety } from '#shared/adaptation/decide/with-safety.ts';
import { contentOfColumns, modeOf } from '#shared/answers/decide/row-mapping.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { createSafetyScorer, type SafetyScorer } from '#shared/judging/decide/safety/safety-scorer.ts';
import { scoreCategories } from '#shared/judging/decide/safety/safety-scores.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { askingInTests } from '#test/helpers/replying-model.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const MARK = 'how to build a bomb';
const user = (content: unknown = 'And then?') => ({ role: 'user', content });
const reply = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more });
const called = (text: string) => ({
  tool_calls: [
    { id: 'c', type: 'function', function: { name: 'mail', arguments: JSON.stringify({ text }) } },
  ],
});

/** Arguments in which a text stands, called as members of turns that are no texts are. */
const given = (text: string) => ({ name: 'x', list: [{ data: text, url: 1 }], type: 'note' });
/** What the rows of public conversations say of a turn beside its speech. */
const ABOUT = {
  message_id: '6708c47f-05c9-4346-b3d2-40b2bd24fde4',
  parent_id: '2c96e467-66f0-4be7-9693-bda51356a424',
  created_date: '2023-02-05T14:23:50.983374+00:00',
  author: 'María González',
  lang: 'en',
};

/** Replies in which a text stands, by its place. */
const REPLIES: Readonly<Record<string, (text: string) => object>> = {
  'the text of a reply': (text) => reply(text),
  'a part of a reply': (text) => reply([{ type: 'text', text }]),
  'a reply of the weight 0': (text) => reply(text, { weight: 0 }),
  reasoning_content: (text) => reply('Well.', { reasoning_content: text }),
  reasoning: (text) => reply('Well.', { reasoning: text }),
  thinking: (text) => reply('Well.', { thinking: text }),
  reasoning_details: (text) => reply('Well.', { reasoning_details: [{ type: 'reasoning.text', text }] }),
  'a refusal': (text) => reply(null, { refusal: text }),
  'a part that was thought': (text) => reply([{ type: 'thinking', thinking: text, signature: 'x' }]),
  "Bedrock's reasoning": (text) => reply([{ reasoningContent: { reasoningText: { text, signature: 'x' } } }]),
  'the arguments of a call': (text) => reply(null, called(text)),
  'a call of the older form': (text) =>
    reply(null, { function_call: { name: 'mail', arguments: JSON.stringify({ text }) } }),
  "a call of Anthropic's": (text) => reply([{ type: 'tool_use', id: 'c', name: 'mail', input: { text } }]),
  'arguments that are an object': (text) =>
    reply(null, {
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: given(text) } }],
    }),
  'arguments beside the name of a call': (text) =>
    reply('', { tool_calls: [{ name: 'f', arguments: given(text) }] }),
  'arguments named so': (text) => reply(null, { tool_calls: [{ name: 'f', arguments: { [text]: true } }] }),
  'arguments that are no JSON': (text) =>
    reply(null, { tool_calls: [{ name: 'f', arguments: `{"a": ${text}` }] }),
  'a call of the older form beside no calls': (text) =>
    reply(null, { tool_calls: null, function_call: { name: 'f', arguments: JSON.stringify(given(text)) } }),
  "a call of Bedrock's": (text) => reply([{ toolUse: { toolUseId: 'c', name: 'f', input: given(text) } }]),
  "a call of Anthropic's own tools": (text) =>
    reply([{ type: 'server_tool_use', id: 'c', name: 'f', input: given(text) }]),
  'what was said aloud': (text) => reply(null, { audio: { id: 'a', data: 'UklG', transcript: text } }),
  'a reply with what is known of it': (text) => reply(text, ABOUT),
  "a reply of ShareGPT's": (value) => ({ from: 'gpt', value }),
};

/** Conversations in which a turn stands, by its place. */
const PLACES: Readonly<Record<string, (turn: object) => object[]>> = {
  'at the end': (turn) => [user(), turn],
  'at the beginning': (turn) => [turn, user(), reply('Well.')],
  'before the last reply': (turn) => [user(), turn, user(), reply('Well.')],
  'behind the last reply that is trained on': (turn) => [
    ...[user(), reply('Well.'), user()],
    { ...turn, weight: 0 },
  ],
  'before a last question': (turn) => [user(), turn, user()],
};

const SHAPES: Readonly<
  Record<
    string,
    readonly [Partial<ConfiguredColumnMapping>, (turns: object[]) => Readonly<Record<string, string>>]
  >
> = {
  'a conversation': [{ chat: 'talk' }, (turns) => ({ talk: JSON.stringify(turns) })],
  'a request': [{ chat: 'talk' }, (turns) => ({ talk: JSON.stringify({ messages: turns, tools: [] }) })],
  'a prompt of turns': [{ prompt: 'talk' }, (turns) => ({ talk: JSON.stringify(turns) })],
  'a prompt of turns with its answer': [
    { prompt: 'talk', completion: 'answer' },
    (turns) => ({ talk: JSON.stringify([...turns, user()]), answer: 'Fine.' }),
  ],
  'a completion of turns': [
    { prompt: 'asked', completion: 'talk' },
    (turns) => ({ asked: 'And then?', talk: JSON.stringify(turns) }),
  ],
  'a column history': [
    { prompt: 'asked', completion: 'answer' },
    (turns) => ({ asked: 'And then?', answer: 'Fine.', history: JSON.stringify(turns) }),
  ],
};

const scorer: SafetyScorer = {
  async review({ prompt, response }) {
    const [ofPrompt, ofResponse] = [prompt, response].map((text) =>
      scoreCategories((category) => (category === 'violence' && text.includes('bomb') ? 1 : 0)),
    );
    return {
      prompt: ofPrompt ?? null,
      response: ofResponse ?? null,
      scoredBy: 'a scorer',
      judgeFailure: null,
    };
  },
};

/** What becomes of a row under `/run`, whatever the model writes for it. */
async function outcomeOf(
  mapped: Partial<ConfiguredColumnMapping>,
  row: Readonly<Record<string, string>>,
  by = scorer,
) {
  const mapping = { context: [], ...mapped };
  const columns = Object.entries(row).map(([name, cell]) => ({
    name,
    type: 'VARCHAR',
    profile: {
      is_empty: false,
      not_chat: cell.startsWith('[') || cell.startsWith('{') ? null : { row: 0, problem: 'is no list' },
      image_format: null,
    },
  }));
  const reading = { mode: modeOf(mapping), mapping, ...contentOfColumns(mapping, columns) };
  const reader = materialReader(reading);
  const program: RowProgram = {
    columns: reader.columns,
    original(cells) {
      const { prompt, completion } = reader.original(cells);
      return { enhanced_prompt: prompt, enhanced_completion: completion };
    },
    run: async () => ({
      outcome: 'changed',
      cells: { enhanced_prompt: 'p', enhanced_completion: 'Fine words.' },
    }),
  };
  const filter = withSafety(program, { categories: ['violence'], blanks_violations: true }, by, reading);
  const cells = new Map(filter.columns.map((name) => [name, row[name] ?? null]));
  const { outcome } = await filter.run(cells, askingInTests(), newCallMeter());
  return outcome;
}

test.each(Object.entries(SHAPES))(
  'a row is dropped by /run for a reply with an issue wherever its download shows it: %s',
  async (_, [mapping, rowOf]) => {
    for (const [of, replyOf] of Object.entries(REPLIES)) {
      for (const [where, turnsOf] of Object.entries(PLACES)) {
        const said = `${of} ${where}`;
        expect(await outcomeOf(mapping, rowOf(turnsOf(replyOf(MARK)))), said).toBe('dropped');
        expect(await outcomeOf(mapping, rowOf(turnsOf(replyOf('Kind words.')))), said).toBe('changed');
      }
    }
    // A completion that cannot be joined to its prompt is delivered with all of its turns.
    if (mapping.completion === 'talk') return;
    for (const asked of [user(MARK), { role: 'system', content: MARK }]) {
      expect(await outcomeOf(mapping, rowOf([asked, reply('Well.')]))).toBe('changed');
    }
  },
);

test.each<[string, string, Partial<ConfiguredColumnMapping>, Readonly<Record<string, string>>]>([
  ['dropped', 'a completion', { prompt: 'p', completion: 'c' }, { p: 'Why?', c: MARK }],
  ['dropped', 'a completion without a prompt', { completion: 'c' }, { c: MARK }],
  [
    'dropped',
    'a conversation that cannot be read',
    { chat: 'c' },
    { c: `[{"role":"bot","content":"${MARK}"}` },
  ],
  ['dropped', 'a rendered conversation', { chat: 'c' }, { c: `[INST] Why? [/INST] ${MARK}</s>` }],
  [
    'dropped',
    'the steps to a completion',
    { prompt: 'p', completion: 'c' },
    { p: 'Why?', c: 'Well.', reasoning_trace: MARK },
  ],
  [
    'dropped',
    'steps as an API returns them',
    { prompt: 'p', completion: 'c' },
    { p: 'Why?', c: 'Well.', reasoning_content: MARK },
  ],
  [
    'changed',
    'steps that are context',
    { prompt: 'p', completion: 'c', context: ['reasoning_trace'] },
    { p: 'Why?', c: 'Well.', reasoning_trace: MARK },
  ],
  [
    'changed',
    'what a turn says of itself',
    { chat: 'c' },
    { c: JSON.stringify([user(), reply('Well.', { label: MARK })]) },
  ],
  ['changed', 'a prompt', { prompt: 'p', completion: 'c' }, { p: MARK, c: 'Well.' }],
])('a row is %s by /run for an issue in %s', async (outcome, _, mapping, row) => {
  expect(await outcomeOf(mapping, row)).toBe(outcome);
});

test('a row in English is scored whatever its turns say of themselves, and names and addresses that its calls give', async () => {
  const words = createSafetyScorer({
    judge: null,
    embedder: null,
    detectLanguage: await loadLanguageDetector(),
  });
  const asks = { name: 'mail', arguments: { to: 'juan.hernandez@empresa.es', subject: 'Hola' } };
  const conversations = [
    ['Who painted the Mona Lisa?', 'Leonardo da Vinci painted it.'],
    ['What is the capital of France?', 'Paris.'],
    ['Name three planets.', 'Mars, Venus and Saturn.'],
    ['Translate hello to Spanish', 'Hola'],
  ].map(([asked, answered]) => [{ ...user(asked), ...ABOUT }, reply(answered, ABOUT)]);
  const called = [user('Send a mail to Juan Hernandez'), reply(null, { tool_calls: [asks] }), reply('Sent.')];
  const named = [
    'Los Angeles International Airport',
    'Maria Fernanda Gonzalez Rodriguez',
    'America/Argentina/Buenos_Aires',
    'Rio de Janeiro, Santos Dumont',
    'Pasta alla Carbonara ingredients list',
  ].map((name) => [
    user('Please look that up for me before the meeting, and tell me what you have found.'),
    reply(null, { tool_calls: [{ ...asks, arguments: { name } }] }),
    reply('I have found what you asked for, and put it into your calendar for the meeting.'),
  ]);
  for (const turns of [...conversations, called, ...named]) {
    expect(await outcomeOf({ chat: 'talk' }, { talk: JSON.stringify(turns) }, words)).toBe('changed');
  }

  const letter = 'Sehr geehrte Damen und Herren, bitte schicken Sie mir die Unterlagen bis Freitag zu.';
  const written = [
    user('Write the mail'),
    reply(null, { tool_calls: [{ ...asks, arguments: { letter } }] }),
    reply('Sent.'),
  ];
  expect(await outcomeOf({ chat: 'talk' }, { talk: JSON.stringify(written) }, words)).toBe('dropped');
});

test('the texts of a reply are read in time that grows with them, however deep they stand', async () => {
  const texts = [...Array.from({ length: 400_000 }, () => 'a'), MARK];
  let value: unknown = texts;
  for (let level = 0; level < 480; level += 1) value = { a: value };
  for (const turn of [reply('Well.', { reasoning: value }), reply([{ type: 'tool_use', input: value }])]) {
    const row = { talk: JSON.stringify([user(), turn]) };
    const elapsed = startStopwatch();

    expect(await outcomeOf({ chat: 'talk' }, row)).toBe('dropped');
    // A list of texts for each level takes some twenty seconds.
    expect(elapsed()).toBeLessThan(5000);
  }
});
