import { expect, test } from 'vitest';
import { faultOfTemplate, fill, jsonOf } from '#shared/evals/decide/template.ts';

const values = {
  item: { question: 'Why?', tags: ['a', { b: 1 }], note: '{{ item.question }}', none: null },
  sample: { output_text: 'Because.', output_json: { label: 'x' } },
};

test('a template takes texts as they are, other values as JSON, and nothing for what is not there', () => {
  expect(fill('{{item.question}} {{ sample.output_text }}', values)).toBe('Why? Because.');
  expect(fill('{{ item.tags }} {{ item.tags.1.b }} {{ sample.output_json.label }}', values)).toBe(
    '["a",{"b":1}] 1 x',
  );
  expect(
    fill('[{{ item.tags.7.b }}{{ sample.output_json.none }}{{ sample.output_tools[0].function }}]', values),
  ).toBe('[]');
});

test('a template that names a column which the row lacks is a fault that says which columns it has', () => {
  for (const name of ['qestion', 'constructor', 'other.more']) {
    expect(() => fill(`{{ item.${name} }}`, values)).toThrow(
      `The row has no "${name.split('.')[0]}", which the template names. It has ${Object.keys(values.item).join(', ')}.`,
    );
  }
  expect(fill('[{{ item.empty }}]', { ...values, item: { empty: null } })).toBe('[]');
});

test('a template that names what no answer has is a fault, and so is any name where the row has no answer', () => {
  const said = 'which the template names. It has';
  expect(() => fill('{{ sample.zzz.b }}', values)).toThrow(
    `The answer has no "zzz", ${said} output_text, output_json.`,
  );
  expect(() => fill('{{ sample.constructor }}', values)).toThrow(`The answer has no "constructor", ${said}`);
  for (const name of ['output_text', 'output_json.label', 'output_tools'])
    expect(() => fill(`{{ sample.${name} }}`, { ...values, sample: {} })).toThrow(`${said} nothing.`);
});

test('a template that names neither the row nor its answer is a fault, and no empty text', () => {
  expect(() => fill('{{ question }}', values)).toThrow('The template names "question"');
});

test.each([
  ['{{ question }}', 'names nothing'],
  ['{{ items.question }} {{ item.tags[0] }}', 'has {{ items.question }}'],
  ["{{ item['question'] }}", 'cannot be read'],
  ['{{ item.customer question }}', 'cannot be read'],
  ['{{ sample.output_text | upper }}', 'cannot be read'],
  ['{ "a": {{}} } {{ item question }} {{ item }} {{ sample.output_tools[0].function.name }}', null],
])(
  'a template with places that no row can fill is a fault before any row is asked: %s',
  (template, fault) => {
    expect(faultOfTemplate(template)).toEqual(fault === null ? null : expect.stringContaining(fault));
  },
);

test('a path goes on into the arguments of a call, which are a text of JSON', () => {
  const call = { function: { name: 'quote', arguments: '{"symbols":["A","B"]}' } };
  const given = { ...values, sample: { output_tools: [call] } };
  expect(fill('{{ sample.output_tools[0].function.arguments.symbols }}', given)).toBe('["A","B"]');
  expect(fill('{{ sample.output_tools[0].function.arguments }}', given)).toBe('{"symbols":["A","B"]}');
  const broken = { ...call, function: { name: 'quote', arguments: '{"symbols":' } };
  expect(
    fill('[{{ sample.output_tools[0].function.arguments.symbols }}]', {
      ...values,
      sample: { output_tools: [broken] },
    }),
  ).toBe('[]');
});

test('what a value says is not read as a template', () => {
  expect(fill('{{ item.note }}', values)).toBe('{{ item.question }}');
});

test('braces without a name stay', () => {
  expect(fill('{ "a": {{}} } {{ item question }}', values)).toBe('{ "a": {{}} } {{ item question }}');
});

test('a place in a list is named in brackets too, and names have letters of any script', () => {
  expect(
    fill('{{ item.tags[0] }} {{ item.tags[1].b }} {{ item.größe }}', {
      ...values,
      item: { ...values.item, größe: 4 },
    }),
  ).toBe('a 1 4');
});

test('a template that grows beyond 200,000 characters is a fault, and no text', () => {
  const long = { item: { text: 'x'.repeat(50_000) }, sample: {} };

  expect(fill('{{ item.text }}'.repeat(3), long)).toHaveLength(150_000);
  expect(() => fill('{{ item.text }}'.repeat(5), long)).toThrow('more than 200000 characters');
});

test.each([
  ['a list', '[1,[2]]', [1, [2]]],
  ['a word', '"yes"', 'yes'],
  ['no JSON', 'yes', undefined],
  ['one that nests deeper than functions go', '['.repeat(5000) + ']'.repeat(5000), undefined],
  ['one that takes more memory than a worker has', `[${'[],'.repeat(100_000)}0]`, undefined],
])('the text of %s is read as JSON where it is to be', (_, text, value) => {
  expect(jsonOf(text)).toEqual(value);
});
