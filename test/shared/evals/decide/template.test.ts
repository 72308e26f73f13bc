import { expect, test } from 'vitest';
import { fill } from '#shared/evals/decide/template.ts';

const values = {
  item: { question: 'Why?', tags: ['a', { b: 1 }], note: '{{ item.question }}', none: null },
  sample: { output_text: 'Because.', output_json: { label: 'x' } },
};

test('a template takes texts as they are, other values as JSON, and nothing for what is not there', () => {
  expect(fill('{{item.question}} {{ sample.output_text }}', values)).toBe('Why? Because.');
  expect(fill('{{ item.tags }} {{ item.tags.1.b }} {{ sample.output_json.label }}', values)).toBe(
    '["a",{"b":1}] 1 x',
  );
  expect(fill('[{{ item.none }}{{ item.other.more }}{{ item.constructor }}]', values)).toBe('[]');
});

test('what a value says is not read as a template', () => {
  expect(fill('{{ item.note }}', values)).toBe('{{ item.question }}');
});

test('braces without a name stay', () => {
  expect(fill('{ "a": {{}} } {{ item question }}', values)).toBe('{ "a": {{}} } {{ item question }}');
});
