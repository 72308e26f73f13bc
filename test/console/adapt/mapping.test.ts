import { describe, expect, test } from 'vitest';
import {
  columnMappingOf,
  type Mapping,
  mappingOf,
  proposeMapping,
  readingOf,
  reasonOf,
  roleOf,
  type SampledColumn,
  withRole,
} from '../../../console/src/adapt/mapping.ts';

const column = (name: string, ...samples: string[]): SampledColumn => ({ name, samples });
const PROSE = 'Wash it with cold water, then let it dry.';
const rolesOf = (columns: SampledColumn[], images: string[] = []) =>
  proposeMapping(columns, images).mapping.roles;

test.each([
  [['question', 'answer'], { question: 'prompt', answer: 'completion' }],
  [['id', 'prompt', 'completion'], { prompt: 'prompt', completion: 'completion' }],
  [['instruction', 'input', 'output'], { instruction: 'prompt', output: 'completion', input: 'context' }],
  [['context', 'question', 'response'], { question: 'prompt', response: 'completion', context: 'context' }],
  [['userQuestion', 'final_answer'], { userQuestion: 'prompt', final_answer: 'completion' }],
  [['q', 'a'], { q: 'prompt', a: 'completion' }],
  [['question_id', 'question', 'answer'], { question: 'prompt', answer: 'completion' }],
  [['question', 'answer_count', 'best answer'], { question: 'prompt', 'best answer': 'completion' }],
  [['question', 'answer', 'reference_answer'], { question: 'prompt', answer: 'completion' }],
])('a proposal of %j goes by the names', (names, roles) => {
  expect(rolesOf(names.map((name) => column(name, PROSE)))).toEqual(roles);
});

test('a proposal uses text without a question as the answer to a prompt that is inferred, as for documents', () => {
  expect(rolesOf([column('text', PROSE), column('heading', 'Stains'), column('page', '3')])).toEqual({
    text: 'completion',
    heading: 'context',
  });
});

test('a proposal goes by the cells where no name tells: questions are prompts, the longest other text is the answer', () => {
  const columns = [
    column('c1', '17', '18'),
    column('c2', 'How do I remove a stain?', 'What is compound interest?'),
    column('c3', 'household', 'money'),
    column('c4', PROSE, 'It is interest that is paid on interest.'),
  ];

  expect(rolesOf(columns)).toEqual({ c2: 'prompt', c4: 'completion' });
});

test('a proposal finds conversations by their cells, whole or cut, and maps nothing beside them', () => {
  const turns = JSON.stringify([{ role: 'user', content: 'Hello' }]);

  expect(rolesOf([column('prompt', PROSE), column('log', turns, turns.slice(0, -4))])).toEqual({
    log: 'chat',
  });
});

test('a proposal takes lists that are no conversations as what they are', () => {
  expect(rolesOf([column('messages', '[{"text":"Hello"}]')])).toEqual({});
});

test.each([
  ['a list of turns as Python prints it', 'messages', "[{'role': 'user', 'content': 'Hi there?'}]"],
  ['an object', 'fields', '{"prompt": "What is it?"}'],
  ['a list of objects', 'segments', '[{"label": true, "text": "Yo you."}]'],
  ['what an API answered', 'response', '{"choices": [{"message": {"content": "Yo you."}}]}'],
  ['a conversation with the marks of a template', 'text', '<|im_start|>user\nHi there?<|im_end|>'],
  ['a conversation with the names of its speakers', 'text', '### Human: Hi there?### Assistant: Yo you.'],
  ['a title', 'title', 'My chat about things'],
  ['a label', 'target', '1'],
  ['a number', 'a', '0.5'],
])('a proposal takes no cells for an answer that are %s', (_, name, cell) => {
  expect(rolesOf([column(name, cell, cell)])).toEqual({});
});

test('a proposal takes names that other things have for what the cells are', () => {
  expect(rolesOf([column('user', 'ann', 'bob'), column('answer', PROSE)])).toEqual({ answer: 'completion' });
  expect(rolesOf([column('q', '1', '2'), column('revenue', '200')])).toEqual({});
  expect(rolesOf([column('q', 'How many are there?'), column('a', '4')])).toEqual({
    q: 'prompt',
    a: 'completion',
  });
  expect(
    rolesOf([column('prompt', PROSE), column('bad_answer', PROSE), column('good_answer', PROSE)]),
  ).toEqual({ prompt: 'prompt', good_answer: 'completion' });
});

test('a proposal finds images by what the service says, or by their cells', () => {
  const others = [column('question', PROSE), column('answer', PROSE)];

  expect(rolesOf([column('photo', 'iVBORw0KGgo'), ...others], ['photo'])).toMatchObject({ photo: 'image' });
  expect(rolesOf([column('shot', 'data:image/png;base64,iVBORw0'), ...others])).toMatchObject({
    shot: 'image',
  });
  expect(rolesOf([column('link', 'https://example.org/a.JPG?size=1'), ...others])).toMatchObject({
    link: 'image',
  });
});

test('a proposal leaves columns of numbers, and prompts that are empty, as they are', () => {
  expect(rolesOf([column('price', '17.50'), column('year', '2026')])).toEqual({});
  expect(rolesOf([column('prompt'), column('answer', PROSE)])).toEqual({ answer: 'completion' });
});

test('a proposal says why, for every column that it uses', () => {
  const { mapping, reasons } = proposeMapping([
    column('question', PROSE),
    column('answer', PROSE),
    column('context', PROSE),
  ]);

  expect(Object.keys(reasons).sort()).toEqual(Object.keys(mapping.roles).sort());
  expect(reasons.question).toBe('Its name says so.');
});

test('a proposal has no reason for a column that is used otherwise', () => {
  const proposal = proposeMapping([column('question', PROSE), column('answer', PROSE)]);

  expect(reasonOf(proposal, proposal.mapping, 'answer')).toBe('Its name says so.');
  expect(reasonOf(proposal, withRole(proposal.mapping, 'answer', 'context'), 'answer')).toBeNull();
});

test('a proposal takes names of the language’s objects as names', () => {
  const columns = [column('constructor', '1'), column('toString', '2')];
  const proposal = proposeMapping(columns);

  expect(proposal.mapping.roles).toEqual({});
  expect(roleOf(proposal.mapping, 'constructor')).toBeNull();
  expect(reasonOf(proposal, proposal.mapping, 'toString')).toBeNull();
});

describe('a mapping', () => {
  const order = ['note', 'question', 'answer', 'topic'];
  const mapping: Mapping = { roles: { question: 'prompt', answer: 'completion' }, universalPrompt: '' };

  test('a mapping gives a role of one column to the column that gets it last, and context to many', () => {
    const moved = withRole(mapping, 'note', 'prompt');
    expect(columnMappingOf(moved, order)).toEqual({ prompt: 'note', completion: 'answer' });

    const more = withRole(withRole(mapping, 'topic', 'context'), 'note', 'context');
    expect(columnMappingOf(more, order)).toEqual({
      prompt: 'question',
      completion: 'answer',
      context: ['note', 'topic'],
    });
    expect(columnMappingOf(withRole(more, 'note', null), order).context).toEqual(['topic']);
  });

  test('a mapping sends an instruction for all rows only where there is one', () => {
    const context: Mapping = { roles: { topic: 'context' }, universalPrompt: ' \n' };

    expect(columnMappingOf(context, order)).toEqual({ context: ['topic'] });
    expect(columnMappingOf({ ...context, universalPrompt: 'Summarize.' }, order)).toEqual({
      context: ['topic'],
      universal_prompt: 'Summarize.',
    });
  });

  test('a mapping is read back from the dataset, without columns that it has not', () => {
    const configured = { prompt: 'question', completion: 'gone', context: ['topic', 'note'], image: 'note' };

    expect(
      mappingOf(
        configured,
        order.map((name) => ({ name })),
      ),
    ).toEqual({ roles: { question: 'prompt', topic: 'context', note: 'image' }, universalPrompt: '' });
  });
});

describe('how rows are read', () => {
  test.each([
    [{ prompt: 'q', completion: 'a' }, 'The answers are improved'],
    [{ prompt: 'q' }, 'answered anew'],
    [{ completion: 'a' }, 'is inferred'],
    [{ chat: 'c', image: 'i' }, 'The last reply'],
    [{ universal_prompt: 'Do it.', context: ['c'] }, 'applied to its context'],
    [{ universal_prompt: 'Do it.', image: 'i', completion: 'a' }, 'applied to the context'],
  ])('%j has a mode', (mapping, sentence) => {
    const reading = readingOf(mapping);
    expect(reading.kind).toBe('mode');
    expect(reading.sentence).toContain(sentence);
  });

  test.each([
    [{}],
    [{ context: ['c'] }],
    [{ image: 'i' }],
    [{ chat: 'c', prompt: 'q' }],
    [{ chat: 'c', context: ['x'] }],
    [{ universal_prompt: 'Do it.' }],
    [{ universal_prompt: 'Do it.', prompt: 'q', context: ['c'] }],
  ])('%j has none, as the service has it', (mapping) => {
    expect(readingOf(mapping).kind).toBe('problem');
  });
});

test('a mapping is proposed from the form that the service recognises, except of pairs of answers', () => {
  const columns = [column('instruction', PROSE), column('input', PROSE), column('output', PROSE)];
  const detected = (column_mapping: object) => ({
    name: 'alpaca' as const,
    column_mapping: { context: ['input'], ...column_mapping },
  });

  const { mapping, reasons } = proposeMapping(
    columns,
    [],
    detected({ prompt: 'instruction', completion: 'output' }),
  );
  expect(mapping.roles).toEqual({ instruction: 'prompt', output: 'completion', input: 'context' });
  expect(reasons.output).toBe('The file has the form of Alpaca.');
  const pairs = detected({ prompt: 'instruction', chosen: 'chosen', rejected: 'rejected' });
  expect(proposeMapping(columns, [], pairs).reasons.output).not.toContain('Alpaca');
});

test('a mapping is proposed of conversations of speakers, and of calls of tools', () => {
  const speakers = '[{"from":"human","value":"Hi"},{"from":"gpt","value":"Hello"}]';
  const calls = '[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[]}]';

  expect(rolesOf([column('turns', speakers)])).toEqual({ turns: 'chat' });
  expect(rolesOf([column('turns', calls)])).toEqual({ turns: 'chat' });
  expect(rolesOf([column('turns', `[{"from":"human","value":"${'x'.repeat(90)}…`)])).toEqual({
    turns: 'chat',
  });
});
