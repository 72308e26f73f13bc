import { expect, test } from 'vitest';
import type { TrainingJob } from '#shared/training/schema/training-job.ts';
import type { TrainingEnd } from '#trainer/embedded/attempt.ts';
import { AttemptOverError } from '#trainer/embedded/errors.ts';
import type { TrainingProgress } from '#trainer/embedded/run-job.ts';
import { type LentPorts, type QueuePorts, takeMessages } from '#trainer/embedded/take-messages.ts';
import { createJob } from './training-job.ts';

const asked = { bucket: 'bucket', job_key: 'job.json', lender: 'lender', secret: 'secret-of-an-attempt' };
const message = { body: JSON.stringify(asked), receipt: 'receipt' };
const reported: TrainingEnd = { outcome: 'reported', reportKey: 'out/1/report.json' };

test('A job in the queue is claimed, taken from the queue, trained, reported and ended, in this order', async () => {
  const { calls, item } = await work({ end: reported });
  expect(calls).toEqual([
    'claim',
    'remove receipt',
    'train',
    'beat training 3',
    'succeed token-of-a-task {"report_key":"out/1/report.json"}',
    'end',
  ]);
  expect(item).toMatchObject({ state: 'ended', method: 'sft', step: 3, steps: 6 });
});

test('A job in the queue that another trainer has claimed is taken from the queue and left alone', async () => {
  const { calls } = await work({ state: 'claimed' });
  expect(calls).toEqual(['claim', 'remove receipt']);
});

test('A job in the queue is kept alive while it trains', async () => {
  const { calls } = await work({ end: reported, endsAfterBeats: 2 });
  expect(calls.slice(3)).toEqual([
    'beat training 3',
    'heartbeat',
    'beat training 3',
    'heartbeat',
    'beat training 3',
    expect.stringContaining('succeed'),
    'end',
  ]);
});

test('A job in the queue that was revoked is stopped at the next heartbeat, and nothing is reported', async () => {
  const { calls } = await work({ revokedAfterBeats: 1 });
  expect(calls.slice(3)).toEqual(['beat training 3', 'heartbeat', 'beat training 3', 'stop']);
});

test('A job in the queue that nobody waits for any more is stopped', async () => {
  const { calls } = await work({ taskIsGone: true });
  expect(calls.slice(3)).toEqual(['beat training 3', 'heartbeat', 'stop']);
});

test('A job in the queue that was revoked after its last heartbeat is not reported', async () => {
  const { calls } = await work({ end: reported, revokedAfterBeats: 0 });
  expect(calls.slice(3)).toEqual(['beat training 3']);
});

test.each(['refused', 'failed'] as const)(
  'A job in the queue that is %s says so to the state machine',
  async (outcome) => {
    const { calls } = await work({ end: { outcome, cause: 'One sentence.' } });
    expect(calls).toContain(`fail token-of-a-task trainer_${outcome} One sentence.`);
    expect(calls.at(-1)).toBe('end');
  },
);

test('A job in the queue goes on through a heartbeat that does not arrive', async () => {
  const { calls, logs } = await work({ end: reported, endsAfterBeats: 2, failsAtBeat: 1 });
  expect(calls.at(-1)).toBe('end');
  expect(logs).toContain('heartbeat_failed');
});

test.each([
  ['no JSON', 'nonsense', '{}'],
  ['no message of a job', '{"job": 1}', '{}'],
  ['of a service that lends no credentials', '{"bucket": "bucket", "job_key": "job.json"}', '{}'],
  ['of no job', message.body, '{"version": 2}'],
  ['of a job that is no JSON', message.body, '<xml>'],
])('A job in the queue that is %s stays there', async (_, body, object) => {
  const { calls, logs } = await work({ body, object });
  expect(calls).toEqual([]);
  expect(logs).toContain('message_left');
});

test('A job in the queue for which no credentials are lent any more is taken from the queue and left alone', async () => {
  const { calls, logs } = await work({ isOver: true });
  expect(calls).toEqual(['remove receipt']);
  expect(logs).toContain('credentials_refused');
});

test('A job in the queue is logged without its token and its secret', async () => {
  const { lines } = await work({ end: reported });
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('\n')).not.toMatch(/token-of-a-task|secret-of-an-attempt/);
  expect(lines.every((line) => line.includes('"experiment_id":"experiment"'))).toBe(true);
});

test('a queue that fails is asked again', async () => {
  const { logs, calls } = await work({ end: reported, queueFailsFirst: true });
  expect(logs[0]).toBe('queue_failed');
  expect(calls.at(-1)).toBe('end');
});

interface Scenario {
  readonly end?: TrainingEnd;
  /** Heartbeats after which the training ends; at once without it. */
  readonly endsAfterBeats?: number;
  readonly state?: 'queued' | 'claimed';
  /** Heartbeats after which the attempt is no longer the trainer's. */
  readonly revokedAfterBeats?: number;
  readonly failsAtBeat?: number;
  readonly taskIsGone?: boolean;
  readonly queueFailsFirst?: boolean;
  /** Whether the lender refuses. */
  readonly isOver?: boolean;
  readonly body?: string;
  readonly object?: string;
}

/** Gives a worker one message and lets it work until it asks for another. */
async function work(scenario: Scenario) {
  const calls: string[] = [];
  const logs: string[] = [];
  const lines: string[] = [];
  const done = new AbortController();
  const item: Record<string, unknown> = { state: scenario.state ?? 'queued' };
  let asked = 0;
  let beats = 0;
  let finish: (end: TrainingEnd) => void = () => {};
  const ended = new Promise<TrainingEnd>((resolve) => {
    finish = resolve;
  });
  const progress: TrainingProgress = { phase: 'training', method: 'sft', step: 3, steps: 6 };
  const lent: LentPorts = {
    readObject: async () => {
      if (scenario.isOver === true) throw new AttemptOverError('No credentials are lent for this attempt.');
      return scenario.object ?? JSON.stringify(createJob() satisfies TrainingJob);
    },
    attempts: {
      claim: async (_, owner) => {
        calls.push('claim');
        if (item.state !== 'queued') return false;
        Object.assign(item, { state: 'claimed', claimed_by: owner });
        return true;
      },
      beat: async (_, owner, __, now) => {
        beats += 1;
        calls.push(`beat ${now.phase} ${now.step}`);
        if (beats === scenario.failsAtBeat) throw new Error('The table does not answer.');
        if (scenario.revokedAfterBeats !== undefined && beats > scenario.revokedAfterBeats) return false;
        if (beats === scenario.endsAfterBeats && scenario.end !== undefined) finish(scenario.end);
        Object.assign(item, now);
        return item.claimed_by === owner;
      },
      end: async () => {
        calls.push('end');
        item.state = 'ended';
        return true;
      },
    },
    startTraining: () => {
      calls.push('train');
      if (scenario.endsAfterBeats === undefined && scenario.end !== undefined) finish(scenario.end);
      return {
        progress: () => progress,
        ended,
        stop: async () => {
          calls.push('stop');
        },
      };
    },
  };
  const ports: QueuePorts = {
    borrow: () => lent,
    receive: async () => {
      asked += 1;
      if (scenario.queueFailsFirst === true && asked === 1) throw new Error('The queue does not answer.');
      if (asked === (scenario.queueFailsFirst === true ? 2 : 1)) {
        return { ...message, body: scenario.body ?? message.body };
      }
      done.abort();
      return undefined;
    },
    remove: async (receipt) => {
      calls.push(`remove ${receipt}`);
    },
    tasks: {
      heartbeat: async () => {
        calls.push('heartbeat');
        return scenario.taskIsGone !== true;
      },
      succeed: async (token, output) => {
        calls.push(`succeed ${token} ${JSON.stringify(output)}`);
        return true;
      },
      fail: async (token, error, cause) => {
        calls.push(`fail ${token} ${error} ${cause}`);
        return true;
      },
    },
    newOwner: () => 'owner',
    now: () => new Date('2026-01-01T00:00:00Z'),
    pause: async () => {
      // As long as everything that is due takes.
      await new Promise((resolve) => setImmediate(resolve));
    },
    log: (event, fields) => {
      logs.push(event);
      lines.push(JSON.stringify({ event, ...fields }));
    },
  };
  await takeMessages(ports, done.signal);
  return { calls, logs, lines, item };
}
