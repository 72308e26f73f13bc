import { expect, test } from 'vitest';
import { citationAt, markAnswer } from '../../../console/src/playground/marks.ts';

type Tree = Parameters<ReturnType<typeof markAnswer>>[0];

const text = (value: string): Tree => ({ type: 'text', value });
const element = (tagName: string, ...children: Tree[]): Tree => ({ type: 'element', tagName, children });

function marked(...children: Tree[]): Tree[] | undefined {
  const tree: Tree = { type: 'root', children };
  markAnswer({ numbers: new Set([1, 12]) })(tree);
  return tree.children;
}

const data = (value: string, properties: object = {}): object => ({
  type: 'element',
  tagName: 'data',
  properties,
  children: [text(value)],
});

test('marks of cited rows become links, and other numbers stay', () => {
  expect(marked(element('p', text('See [1], [2] and [12].')))).toEqual([
    {
      ...element('p'),
      children: [
        text('See '),
        data('[1]', { value: 'citation-1' }),
        text(', [2] and '),
        data('[12]', { value: 'citation-12' }),
        text('.'),
      ],
    },
  ]);
});

test('marks in code and in links stay as they are', () => {
  const code = element('pre', element('code', text('list[1]')));
  const link = element('a', text('[1]'));

  expect(marked(code, link)).toEqual([code, link]);
});

test('HTML of a model is text', () => {
  expect(marked({ type: 'raw', value: '<script>alert("[1]")</script>' })).toEqual([
    text('<script>alert("[1]")</script>'),
  ]);
});

test('a text with characters that nobody would see is shown with marks', () => {
  expect(marked(text('a\u202Eb'), element('code', text('x\u200By')))).toEqual([
    data('a\u202Eb'),
    { ...element('code'), children: [data('x\u200By')] },
  ]);
  expect(marked(text('blank\u2800letter'))).toEqual([data('blank\u2800letter')]);
  expect(marked(text('line\nbreak\tand tab'))).toEqual([text('line\nbreak\tand tab')]);
});

test('a mark leads to its citation, and nothing else does', () => {
  const citation = { datasetId: 'd', datasetName: 'Handbook', row: 3, index: 4 };
  const marks = new Map([[1, citation]]);

  expect(citationAt(marks, 'citation-1')).toBe(citation);
  expect(citationAt(marks, 'citation-2')).toBeUndefined();
  expect(citationAt(marks, undefined)).toBeUndefined();
});
