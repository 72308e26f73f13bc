import { expect, test } from 'vitest';
import { handler as sweep } from '#functions/consumers/sweep-runs.ts';
import { atRest, METRICS_AT_REST, toMonthTable } from '#lab/cost/at-rest.ts';
import { context } from '#test/helpers/call.ts';
import { readPage } from '#test/helpers/pages.ts';
import { collectMetrics } from '#test/helpers/written-metrics.ts';
import { synthesize } from '#test/infra/synthesize.ts';

const { data, pipelines, api, operations } = synthesize('prod');
const lines = atRest([data, pipelines, api, operations]);

test('what a stage costs at rest is what its templates give', () => {
  const [, table] =
    /<!-- at rest -->\n([\s\S]*?)\n<!-- \/at rest -->/.exec(readPage('docs/operations/pay.md')) ?? [];

  expect(table).toBe(toMonthTable(lines));
});

test('a stage costs less than ten dollars a month at rest, three of which are its dashboard', () => {
  expect(lines.reduce((sum, { count, usd }) => sum + count * usd, 0)).toBeLessThan(10);
});

test('a sweep that finds nothing writes as many metrics as are counted', async () => {
  const written = collectMetrics();

  await sweep.with({
    sweepErasures: async () => 0,
    sweepRuns: async () => ({ examined: 0, handed_over: 0, failures: [], next: null }),
    sweepMeters: async () => ({ lost: 0, returned: 0, failures: [] }),
    sweepQueuedRuns: async () => [],
    sweepRemovedEvals: async () => [],
    teamsBehind: async () => [],
    dueWebhooks: async () => [],
    inspectRuns: async () => ({ active: 0, stuck: [], holdsWithoutRun: [] }),
  })({}, context());

  expect(written()).toHaveLength(METRICS_AT_REST);
});
