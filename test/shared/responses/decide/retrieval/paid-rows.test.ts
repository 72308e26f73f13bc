import { expect, test } from 'vitest';
import { paidRows } from '#shared/responses/decide/retrieval/paid-rows.ts';
import { RunPipeline } from '#shared/runs/decide/run-kinds.ts';

test('a run of any kind that took no credits has no row indexed', () => {
  expect(RunPipeline.options.length).toBeGreaterThan(8);
  for (const pipeline of RunPipeline.options) {
    expect(paidRows([{ pipeline, settled_credits: 0, counts: null }]), pipeline).toBe(0);
    expect(paidRows([{ pipeline, settled_credits: null, counts: null }]), pipeline).toBe(0);
  }
});

test('a credit of an adaptation or a generation has two hundred rows indexed, and one of a training or a pilot none', () => {
  const rowsOf = (pipeline: RunPipeline) => paidRows([{ pipeline, settled_credits: 3, counts: null }]);

  expect((['adapt', 'expand', 'invent', 'augment'] as const).map(rowsOf)).toEqual([600, 600, 600, 600]);
  expect((['train', 'pilot'] as const).map(rowsOf)).toEqual([0, 0]);
});

test('an adaptation whose rows were paid before has the rows indexed that it delivered, and a review none', () => {
  const counts = {
    total: 12,
    changed: 10,
    kept: 1,
    dropped: 0,
    failed: 1,
    not_selected: 0,
    expanded: 0,
    expansion_failed: 0,
  };

  expect(paidRows([{ pipeline: 'adapt', settled_credits: 0, counts }])).toBe(11);
  expect(paidRows([{ pipeline: 'review', settled_credits: 0, counts }])).toBe(0);
});
