import { expect, test } from 'vitest';
import { Passages } from '#shared/responses/decide/citations.ts';
import type { Annotation } from '#shared/responses/schema/response.ts';

const cited = (index: unknown, row = 3): Annotation =>
  ({ type: 'file_citation', dataset_id: 'd', row, filename: 'Tickets', index }) as unknown as Annotation;

test('a citation of an earlier turn keeps its number, and one that stands elsewhere has none', () => {
  const passages = new Passages();

  passages.learn('Paris [7], Rome [8]', [cited(6), cited(0, 4), cited('17', 5), cited(-3, 6)]);

  expect(passages.cite('[7] [8] [3]')).toMatchObject([{ index: 0, row: 3 }]);
});

test('annotations of a long text that name no place in it are read without the text', () => {
  const text = `[${'1'.repeat(2_000_000)}`;
  const annotations = Array.from({ length: 100_000 }, () => ({ type: '' }) as unknown as Annotation);
  const passages = new Passages();

  passages.learn(text, annotations);

  expect(passages.cite('[1]')).toEqual([]);
});
