import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EMULATED, flatten, resourcesOf, synthesize } from './synthesize.ts';

const { operations } = synthesize('dev', { OBJECTIVES: 'true' });

interface Window {
  readonly AlarmName: string;
  readonly Threshold: number;
  readonly AlarmActions?: unknown[];
  readonly Metrics: {
    readonly Id: string;
    readonly Expression?: string;
    readonly Period?: number;
    readonly MetricStat?: {
      readonly Stat: string;
      readonly Period: number;
      readonly Metric: { MetricName: string };
    };
  }[];
}

const windows = resourcesOf(operations, 'AWS::CloudWatch::Alarm')
  .map(([, { Properties }]) => Properties as unknown as Window)
  .filter(({ AlarmName }) => AlarmName.includes('-objective-'));
const composites = resourcesOf(operations, 'AWS::CloudWatch::CompositeAlarm').map(
  ([, { Properties }]) =>
    Properties as {
      AlarmName: string;
      AlarmDescription: string;
      AlarmRule: unknown;
      AlarmActions: unknown[];
      OKActions: unknown[];
    },
);

/** The burn rate of a window with these values; null is a metric without data. */
function burn(name: string, values: Readonly<Record<string, number | null>>): number {
  const { Metrics } = windows.find(({ AlarmName }) => AlarmName === `tunesmith-dev-${name}`) ?? {
    Metrics: [],
  };
  const expression = Metrics.find(({ Expression }) => Expression !== undefined)?.Expression;
  const calculate = new Function('IF', 'FILL', 'MAX', ...Object.keys(values), `return ${expression}`);
  return calculate(
    (holds: boolean, one: number, other: number) => (holds ? one : other),
    (value: number | null, other: number) => value ?? other,
    (series: readonly number[]) => Math.max(...series),
    ...Object.values(values),
  );
}

describe('objectives', () => {
  it('objectives have an alarm for a fast and a slow rate, of two windows each, which tells the topic when both burn', () => {
    expect(composites.map(({ AlarmName }) => AlarmName).sort()).toEqual(
      ['api', 'events', 'runs'].flatMap((id) =>
        ['fast', 'slow'].map((rate) => `tunesmith-dev-objective-${id}-${rate}`),
      ),
    );
    for (const { AlarmRule, AlarmActions, OKActions } of composites) {
      expect(flatten(AlarmRule)).toMatch(/^\(ALARM\(.*\) AND ALARM\(.*\)\)$/);
      expect([AlarmActions.length, OKActions.length]).toEqual([1, 1]);
    }
    expect(windows).toHaveLength(12);
    for (const { AlarmActions } of windows) expect(AlarmActions).toBeUndefined();
  });

  it('objectives are measured over an hour and a quarter, or over six hours and half an hour', () => {
    const periodOf = (name: string): unknown =>
      windows
        .find(({ AlarmName }) => AlarmName === `tunesmith-dev-objective-api-${name}`)
        ?.Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Period]));

    expect(['fast-long', 'fast-short', 'slow-long', 'slow-short'].map(periodOf)).toEqual([
      [3600, 3600],
      [900, 900],
      [21_600, 21_600],
      [1800, 1800],
    ]);
    expect([...new Set(windows.map(({ Threshold }) => Threshold))].sort()).toEqual([14.4, 6]);
  });

  it.each([
    ['of requests that use up two days of a month in an hour', 144, 10_000, 14.4],
    ['of one bad request in 1,000, which is what they may miss', 100, 100_000, 1],
    ['of a few bad requests among few', 4, 10, 0],
    ['without a request', null, null, 0],
    ['of bad ones alone', 5, null, 1000],
  ])('objectives %s burn as fast as they should', (_, bad, all, rate) => {
    expect(burn('objective-api-fast-long', { bad, all })).toBeCloseTo(rate, 6);
  });

  it('objectives of events are used up too fast with the second late sweep of an hour', () => {
    expect(burn('objective-events-fast-long', { bad: 1, all: 12 })).toBeLessThan(14.4);
    expect(burn('objective-events-fast-long', { bad: 2, all: 12 })).toBeGreaterThan(14.4);
    expect(burn('objective-events-fast-long', { bad: null, all: 12 })).toBe(0);
  });

  it('objectives that are missed a little all the time are seen in the short window too', () => {
    expect(burn('objective-api-slow-long', { bad: 48, all: 6000 })).toBeGreaterThan(6);
    expect(burn('objective-api-slow-short', { bad: 4, all: 500 })).toBeGreaterThan(6);
  });

  it('objectives name the section that says what to do', () => {
    const document = readFileSync(new URL('../../docs/operations/repair.md', import.meta.url), 'utf8');
    for (const { AlarmDescription } of composites) {
      const [, anchor] = / What to do: docs\/operations\/repair\.md#([a-z-]+)$/.exec(AlarmDescription) ?? [];
      expect(document).toContain(`\n### ${anchor}\n`);
    }
  });

  it('objectives are watched where the operator wants it, and on no emulator', () => {
    for (const template of [
      synthesize('dev').operations,
      synthesize('local', { ...EMULATED, OBJECTIVES: 'true' }).operations,
    ]) {
      expect(resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm')).toEqual([]);
    }
  });
});
