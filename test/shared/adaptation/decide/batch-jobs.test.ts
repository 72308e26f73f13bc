import { describe, expect, test } from 'vitest';
import {
  type BatchJob,
  BatchState,
  createJobPlanner,
  newBatchState,
  nextForJob,
  secondsToWait,
  tooLargeForQueue,
} from '#shared/adaptation/decide/batch-jobs.ts';

const job = (changes: Partial<BatchJob> = {}): BatchJob => ({
  name: 'run-1-0',
  model_id: 'a',
  calls: 400,
  parts: [],
  tokens_max: 1000,
  refused: [],
  is_tried: false,
  job_id: null,
  submitted_at: null,
  cancelled_at: null,
  unreachable_since: null,
  held_since: null,
  is_recorded: false,
  ...changes,
});
const underWay = (changes: Partial<BatchJob> = {}) => job({ is_tried: true, job_id: 'j', ...changes });
const state = (changes: Partial<BatchState>): BatchState => ({ ...newBatchState(0), ...changes });
const unlimited = { budget: null, callsMin: 1 };

test('a job that is not at the provider is submitted beside others', () => {
  expect(nextForJob(state({ jobs: [underWay()] }), job(), unlimited)).toBe('submit');
});

test('a job that is not at the provider is left to single calls once the run ends', () => {
  expect(nextForJob(state({ is_ending: true }), job(), unlimited)).toBe('leave');
});

test.each([
  ['while a job of its model is under way', underWay(), 'hold'],
  ['also one whose submission was cut off', job({ is_tried: true }), 'hold'],
  ['not while one of another model is', underWay({ model_id: 'b' }), 'submit'],
  ['not after that is recorded', underWay({ is_recorded: true }), 'submit'],
  ['not while the others wait too', job(), 'submit'],
] as const)('a job that is not at the provider waits for room in a full queue %s', (_, other, next) => {
  expect(nextForJob(state({ full_queues: ['a'], jobs: [other] }), job(), unlimited)).toBe(next);
});

test.each([
  ['is submitted if its calls can use just what is left', 3000, [underWay()], 'submit'],
  ['waits if those under way may need it', 2999, [underWay()], 'hold'],
  ['is split if it does not fit alone', 1999, [], 'split'],
] as const)('a job that is not at the provider: %s', (_, budget, jobs, next) => {
  const spent = state({ tokens: 1000, jobs: [...jobs] });
  expect(nextForJob(spent, job(), { budget, callsMin: 1 })).toBe(next);
});

test.each([
  [100, 1, 'split'],
  [99, 1, 'leave'],
  [400, 200, 'split'],
  [399, 200, 'leave'],
] as const)(
  'a job that is not at the provider of %d calls, where a job has %d at least, that does not fit alone: %s',
  (calls, callsMin, next) => {
    expect(nextForJob(state({}), job({ calls }), { budget: 1, callsMin })).toBe(next);
  },
);

test('jobs that a queue refuses are split with all of their size and model, if none is under way', () => {
  const large = [job({ name: '1' }), job({ name: '2', calls: 201 })];
  const others = [
    job({ name: '3', calls: 200 }),
    job({ name: '4', model_id: 'b' }),
    underWay({ name: '5', model_id: 'b' }),
    underWay({ name: '6', is_recorded: true }),
  ];

  expect(tooLargeForQueue(state({ jobs: [...large, ...others] }), job(), 1)).toEqual(large);
});

test('jobs that a queue refuses stay whole while another job has the room, and if they are small', () => {
  expect(tooLargeForQueue(state({ jobs: [job(), underWay()] }), job(), 1)).toEqual([]);
  expect(tooLargeForQueue(state({ jobs: [job({ calls: 99 })] }), job({ calls: 99 }), 1)).toEqual([]);
  expect(tooLargeForQueue(state({ jobs: [job({ calls: 199 })] }), job({ calls: 199 }), 100)).toEqual([]);
});

describe('the next look', () => {
  const seconds = (now: number, ...jobs: Partial<BatchJob>[]) => secondsToWait(jobs.map(job), now * 1000);

  test.each([
    [0, 5],
    [15, 5],
    [30, 10],
    [3000, 1000],
    [7200, 2400],
    [72_000, 2400],
  ])('the next look at a job of %d s is in %d s', (age, wait) => {
    expect(seconds(age, { submitted_at: 0 })).toBe(wait);
  });

  test('the next look is for the oldest job, from what was last asked for it', () => {
    expect(seconds(300, { submitted_at: 0 }, { submitted_at: 270_000 })).toBe(100);
    expect(seconds(300, { submitted_at: 0, cancelled_at: 270_000 })).toBe(10);
    expect(seconds(300, { held_since: 0, submitted_at: 299_000 })).toBe(100);
    expect(seconds(300, { unreachable_since: 240_000 })).toBe(20);
    expect(seconds(300, { submitted_at: 0, is_recorded: true }, {})).toBe(5);
  });
});

describe('the plan of jobs', () => {
  const limits = { callsMin: 1, callsMax: 2, bytesMax: 1000 };
  const planner = () => createJobPlanner({ limits, toLine: (id, model) => `${id} ${model}` }, {});
  const call = (id: string) => ({
    id,
    model_id: 'a',
    request: { messages: [], maxOutputTokens: 100, temperature: 0 },
  });

  test('the plan of jobs counts the most tokens of its calls once, by their bytes and their longest answer', () => {
    const plan = planner();
    plan.add(0, 'a', [call('11'), call('11')]);

    // "11 a" and a line end are five bytes.
    expect(plan.end()).toMatchObject([{ lines: ['11 a'], tokensMax: 102 }]);
  });

  test('the plan of jobs counts images, and rare characters by their bytes', () => {
    const { limits } = { limits: { callsMin: 1, callsMax: 9, bytesMax: 1e6 } };
    const tokensOf = (line: string, images: string[] = []) => {
      const plan = createJobPlanner({ limits, toLine: () => line }, {});
      const messages = [{ role: 'user' as const, content: '', images }];
      plan.add(0, 'a', [{ ...call('1'), request: { messages, maxOutputTokens: 0, temperature: 0 } }]);
      return plan.end()[0]?.tokensMax ?? 0;
    };

    expect(tokensOf('x'.repeat(299))).toBe(100);
    expect(tokensOf('x'.repeat(299), ['https://images.example/1.png'])).toBe(50_100);
    // Cuneiform: four bytes each, of which a byte-level tokenizer makes up to four tokens.
    expect(tokensOf('\u{12000}'.repeat(100))).toBeGreaterThanOrEqual(400);
  });

  test('the plan of jobs holds no more answers than are read of a job', () => {
    const wide = { callsMin: 1, callsMax: 1e6, bytesMax: 1e9 };
    const plan = createJobPlanner({ limits: wide, toLine: (id) => id }, {});
    const calls = Array.from({ length: 20_000 }, (_, n) => ({
      ...call(`${n}`),
      request: { messages: [], maxOutputTokens: 1100, temperature: 0 },
    }));
    const jobs = [...plan.add(0, 'a', calls), ...plan.end()];

    expect(jobs.map(({ lines }) => lines.length)).toEqual([7272, 7272, 5456]);
  });

  test('the plan of jobs names the places of calls from where they begin', () => {
    const plan = planner();

    expect(plan.add(3, 'a', [call('1'), call('2'), call('3')], 7)).toMatchObject([
      { parts: [{ n: 3, from: 7, to: 9 }] },
    ]);
    expect(plan.end()).toMatchObject([{ parts: [{ n: 3, from: 9, to: 10 }] }]);
  });
});

test('the state of jobs that an earlier version has begun is read', () => {
  const { tokens_max: _, held_since: __, ...earlier } = job({ is_tried: true, job_id: 'j' });
  const { full_queues: ___, is_ending: ____, no_room_since: _____, ...begun } = newBatchState(5);

  expect(BatchState.parse({ ...begun, jobs: [earlier] })).toEqual({
    ...newBatchState(5),
    jobs: [job({ is_tried: true, job_id: 'j', tokens_max: 0 })],
  });
});
