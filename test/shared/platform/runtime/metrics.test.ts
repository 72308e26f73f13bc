import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { METRIC_NAMESPACE, metrics, serviceOf } from '#shared/platform/contracts/metrics.ts';
import { recordMetric, writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { collectMetrics, type WrittenMetric } from '#test/helpers/written-metrics.ts';

let written: () => WrittenMetric[];

beforeEach(() => {
  vi.useFakeTimers();
  written = collectMetrics('dev');
});

afterEach(() => {
  writeMetrics();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('what is recorded is added up until it is written, once for each set of dimensions', () => {
  recordMetric('ModelCalls', { role: 'judge' });
  recordMetric('ModelCalls', { role: 'judge' }, 2);
  recordMetric('ModelCalls', { role: 'answer' });
  expect(written()).toEqual([]);
  writeMetrics();

  const common = { namespace: METRIC_NAMESPACE, name: 'ModelCalls', unit: 'Count' };
  const service = serviceOf('dev');
  expect(written()).toEqual([
    { ...common, dimensions: ['role', 'service'], of: { service, role: 'judge' }, values: [3] },
    { ...common, dimensions: ['service'], of: { service }, values: [3] },
    { ...common, dimensions: ['role', 'service'], of: { service, role: 'answer' }, values: [1] },
    { ...common, dimensions: ['service'], of: { service }, values: [1] },
  ]);
  writeMetrics();
  expect(written()).toHaveLength(4);
});

test('what is recorded keeps the values of what is no sum, and of many a sample that CloudWatch takes', () => {
  for (let n = 0; n < 5000; n += 1) recordMetric('ModelMilliseconds', { role: 'judge' }, n);
  recordMetric('RunSeconds', { pipeline: 'adapt' }, 7);
  writeMetrics();

  const [latency, seconds] = written();
  expect(latency?.values).toHaveLength(99);
  expect(new Set(latency?.values).size).toBe(99);
  const mean = (latency?.values ?? []).reduce((sum, value) => sum + value, 0) / 99;
  // A uniform sample of 0 to 4999 has its mean within five standard errors of the middle.
  expect(Math.abs(mean - 2500)).toBeLessThan((5 * 1443) / Math.sqrt(99));
  expect(seconds?.values).toEqual([7]);
});

test('what is recorded does not wait for the end of a long invocation', () => {
  recordMetric('CircuitsOpened', {});
  vi.advanceTimersByTime(59_000);
  recordMetric('CircuitsOpened', {});
  expect(written()).toEqual([]);
  vi.advanceTimersByTime(1000);
  recordMetric('CircuitsOpened', {});

  expect(written()).toMatchObject([{ name: 'CircuitsOpened', values: [3] }]);
});

test('no metric has an id for a dimension, and none has many', () => {
  const dimensions = new Set(Object.values(metrics).flatMap((metric) => metric.dimensions.flat()));

  expect([...dimensions].sort()).toEqual([
    'cause',
    'format',
    'kind',
    'outcome',
    'part',
    'pipeline',
    'role',
    'step',
    'worker',
  ]);
  for (const metric of Object.values(metrics)) {
    for (const set of metric.dimensions) expect(set.length).toBeLessThanOrEqual(2);
  }
});
