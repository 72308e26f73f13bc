import { GetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as cancelRun } from '#functions/api/evals/runs/cancel.ts';
import { handler as deleteRun } from '#functions/api/evals/runs/delete.ts';
import { handler as getRun } from '#functions/api/evals/runs/get.ts';
import { handler as listItems } from '#functions/api/evals/runs/output-items/list.ts';
import { administration } from '#shared/access/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import type { EvalRecord } from '#shared/evals/decide/records.ts';
import { removeEvalRun } from '#shared/evals/manage-evals.ts';
import { evals } from '#shared/evals/wire.ts';
import type { WorkEvalRunPorts } from '#shared/evals/work-eval-run.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { PAGE_BYTES_MAX } from '#shared/openai/read-page.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { placeClaim } from '#shared/platform/take-place.ts';
import { claims } from '#shared/platform/wire.ts';
import { PASSING } from '#shared/responses/ask-patiently.ts';
import { ADVICE_TO_TRUNCATE } from '#shared/responses/decide/answer.ts';
import type { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { verdicts } from '#shared/review/wire.ts';
import { resultsOf, startRunOn, writeResults } from '#test/helpers/active-run.ts';
import { seedRows } from '#test/helpers/combining.ts';
import {
  answering,
  CONTAINS,
  clockOf,
  content,
  seedEval,
  seedRun,
  workRun,
} from '#test/helpers/evaluating.ts';
import { leaveExpansion } from '#test/helpers/expansion.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { settle } from '#test/helpers/searching.ts';
import { seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let evalId: string;
let runId: string;

let passed = 0;

beforeEach(async () => {
  passed = 0;
  world = createWorld(() => Date.now() + passed);
  owner = await seedTeam(world.store, 100);
});

async function begin(data_source: object, testing_criteria: object[] = [CONTAINS]): Promise<void> {
  evalId = (await seedEval(world, owner, { testing_criteria })).id;
  runId = (await seedRun(world, owner, evalId, data_source)).id;
}
const params = () => ({ eval_id: evalId, run_id: runId });
const run = async () => (await world.call(getRun, { as: owner, params: params() })).body;
const items = async () =>
  (await world.call(listItems, { as: owner, params: params(), query: { limit: '100' } })).body.data;

/** Objects that note which stored responses of the owner are read. */
function countingReads(): { readonly read: string[]; readonly objects: WorkEvalRunPorts['objects'] } {
  const read: string[] = [];
  return {
    read,
    objects: {
      ...world.objects,
      read: async (key) => {
        if (key.startsWith(objectKeys.responsesOf(owner.team_id))) read.push(key);
        return world.objects.read(key);
      },
    },
  };
}

const ASKING = {
  type: 'completions',
  model: 'scripted',
  input_messages: {
    type: 'template',
    template: [
      { role: 'developer', content: 'Answer in a word.' },
      { role: 'user', content: '{{ item.question }}' },
    ],
  },
};
const JUDGE = {
  type: 'label_model',
  name: 'judge',
  model: 'scripted',
  input: [{ role: 'user', content: 'Is {{ sample.output_text }} like {{ item.answer }}?' }],
  labels: ['yes', 'no'],
  passing_labels: ['yes'],
};

describe('rows that a model answers', () => {
  test('a model is asked with the messages of each row, and what it says is graded and counted', async () => {
    const asked: CreateResponseRequest[] = [];
    await begin({
      ...ASKING,
      source: content(3, 0),
      sampling_params: {
        temperature: 0.5,
        max_completion_tokens: 50,
        seed: 42,
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
      },
    });

    await workRun(world, {
      respond: answering((question, request) => {
        asked.push(request);
        return question === 'q1' ? 'No.' : `It is ${question.replace('q', 'a')}.`;
      }),
    });

    expect(asked[0]).toMatchObject({
      model: 'scripted',
      store: false,
      temperature: 0.5,
      max_output_tokens: 50,
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' } } },
      input: [
        { role: 'developer', content: 'Answer in a word.' },
        { role: 'user', content: 'q0' },
      ],
    });
    expect(await run()).toMatchObject({
      status: 'completed',
      model: 'scripted',
      result_counts: { total: 3, passed: 2, failed: 1, errored: 0 },
      per_model_usage: [
        {
          model_name: 'scripted',
          invocation_count: 3,
          prompt_tokens: 30,
          completion_tokens: 15,
          cached_tokens: 12,
          total_tokens: 45,
        },
      ],
    });
    expect((await items())[0]?.sample).toMatchObject({
      model: 'scripted',
      input: [{ role: 'developer' }, { role: 'user', content: 'q0' }],
      output: [{ role: 'assistant', content: 'It is a0.' }],
      seed: 42,
      usage: { prompt_tokens: 10, total_tokens: 15 },
    });
  });

  test('messages of a row are sent as they are', async () => {
    const input = [{ role: 'user', content: 'hello' }];
    const asked: CreateResponseRequest[] = [];
    await begin({
      type: 'responses',
      model: 'scripted',
      source: { type: 'file_content', content: [{ item: { input, answer: 'hello' } }] },
      sampling_params: { text: { format: { type: 'text' } }, tools: [] },
    });

    await workRun(world, {
      respond: answering((_, request) => {
        asked.push(request);
        return 'Hello!';
      }),
    });

    expect(asked[0]?.input).toEqual(input);
    expect((await run()).result_counts.passed).toBe(1);
  });

  test('what is wrong with one question is the error of its row', async () => {
    await begin({ ...ASKING, source: content(3, 0) });

    await workRun(world, {
      respond: answering((question) =>
        question === 'q1'
          ? new ServiceError('context_too_long', 'Too long.')
          : `${question.replace('q', 'a')}.`,
      ),
    });

    expect((await run()).result_counts).toEqual({ total: 3, passed: 2, failed: 0, errored: 1 });
    expect((await items())[1]).toMatchObject({
      status: 'error',
      results: [],
      sample: { error: { code: 'sample_failed', message: 'Too long.' } },
    });
  });

  test('a long question that was not answered is not kept with its row', async () => {
    const template = { role: 'user', content: '{{item.question}}'.repeat(5000) };
    const refuse = answering(() => new ServiceError('context_too_long', 'Too long.'));
    await begin({
      ...ASKING,
      source: content(2, 0),
      input_messages: { type: 'template', template: [template] },
    });
    await workRun(world, { respond: refuse });
    expect((await items()).map(({ sample }) => sample.input)).toEqual([[], []]);

    await begin({ ...ASKING, source: content(1, 0) });
    await workRun(world, { respond: refuse });
    expect((await items())[0]?.sample.input).toHaveLength(2);
  });

  test('what passes is tried again, and what every question would meet ends the run with its reason', async () => {
    let busy = 2;
    await begin({ ...ASKING, source: content(1, 0) });
    const slept: number[] = [];
    await workRun(world, {
      respond: answering(() =>
        busy-- > 0 ? new ServiceError('rate_limited', 'Wait.', { retryAfterSeconds: 7 }) : 'a0.',
      ),
      clock: clockOf(async (milliseconds) => void slept.push(milliseconds)),
    });
    expect(slept).toEqual([7000, 7000]);
    expect((await run()).status).toBe('completed');

    await begin({ ...ASKING, source: content(1, 0) });
    await workRun(world, {
      respond: answering(() => new ServiceError('credits_insufficient', 'No credits are left.')),
    });
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { code: 'credits_insufficient', message: 'No credits are left.' },
    });
  });
});

describe('a worker', () => {
  test('a worker goes on where one that was killed or ran out of time was, and repeats no finished row', async () => {
    await begin({ ...ASKING, source: content(45, 0) });
    const asked: string[] = [];
    const respond = answering((question) => {
      if (asked.length === 25) throw new Error('killed');
      asked.push(question);
      return 'Yes.';
    });
    await expect(workRun(world, { respond })).rejects.toThrow('killed');
    expect((await run()).status).toBe('in_progress');

    const again: string[] = [];
    const onTime = {
      respond: answering((question) => {
        again.push(question);
        return 'Yes.';
      }),
    };
    const started: unknown[] = [];
    const late = { ...onTime, start: async (of: unknown) => void started.push(of) };
    expect(await workRun(world, late, Date.now() + 1000)).toEqual({ status: 'in_progress' });
    expect(started).toHaveLength(1);
    expect(again).toEqual([]);

    expect(await workRun(world, onTime)).toEqual({ status: 'completed' });
    expect(again).toHaveLength(20);
    expect(again).not.toContain('q24');
    expect((await run()).result_counts.total).toBe(45);
  });

  test('a run that is cancelled meanwhile asks nothing after the rows that it was at', async () => {
    await begin({ ...ASKING, source: content(45, 0) });
    const store = world.use(evals('write'));
    const asked: string[] = [];

    const ended = await workRun(world, {
      evals: {
        ...store,
        async changeRun(...change) {
          if (asked.length === 10) await world.call(cancelRun, { as: owner, params: params() });
          return store.changeRun(...change);
        },
      },
      respond: answering((question) => {
        asked.push(question);
        return 'Yes.';
      }),
    });

    expect(ended).toEqual({ status: 'canceled' });
    expect(asked).toHaveLength(10);
    // The rows that it was at were answered, and charged.
    expect(await run()).toMatchObject({
      status: 'canceled',
      result_counts: { total: 45, passed: 0, failed: 10, errored: 0 },
      per_model_usage: [{ model_name: 'scripted', invocation_count: 10, total_tokens: 150 }],
      per_testing_criteria_results: [{ testing_criteria: 'contains', passed: 0, failed: 10 }],
    });
  });

  test('a run that fails shows what was found in the rows that were answered before, and what models read and wrote', async () => {
    await begin({ ...ASKING, source: content(45, 0) });

    await workRun(world, {
      respond: answering((question) =>
        question === 'q25' ? new ServiceError('credits_insufficient', 'No credits are left.') : 'a0.',
      ),
    });

    expect(await run()).toMatchObject({
      status: 'failed',
      result_counts: { total: 45, passed: 1, failed: 24, errored: 0 },
      // Four were answered beside the one that failed.
      per_model_usage: [{ model_name: 'scripted', invocation_count: 29, total_tokens: 435 }],
      per_testing_criteria_results: [{ testing_criteria: 'contains', passed: 1, failed: 24 }],
    });
  });

  test('a run that fails while its rows are graded counts their answers in its usage, and what judges wrote', async () => {
    await begin({ ...ASKING, source: content(5, 0) }, [JUDGE]);

    await workRun(world, {
      respond: answering((question, { input }) => {
        const asked = JSON.stringify(input);
        if (asked.includes('Is a3')) return new ServiceError('credits_insufficient', 'No credits are left.');
        return asked.includes('Is a') ? '{"label":"yes"}' : question.replace('q', 'a');
      }),
    });

    expect(await run()).toMatchObject({ status: 'failed', per_model_usage: [{ invocation_count: 9 }] });
  });

  test('a run that is cancelled while no worker is at it shows what was found before, and what models read and wrote', async () => {
    await begin({ ...ASKING, source: content(45, 0) });
    const clock = clockOf(
      async () => undefined,
      () => Date.now() + passed,
    );
    const respond = answering(() => {
      passed += 20_000;
      return 'a0.';
    });
    const ended = await workRun(world, { respond, clock });
    expect(ended).toEqual({ status: 'in_progress' });
    await world.call(cancelRun, { as: owner, params: params() });

    expect(await workRun(world, { respond, clock })).toEqual({ status: 'gone' });

    const [answered] = (await run()).per_model_usage.map(({ invocation_count }) => invocation_count);
    expect(answered).toBeGreaterThan(20);
    expect(await run()).toMatchObject({
      status: 'canceled',
      result_counts: { total: 45, passed: 1, failed: Number(answered) - 1 },
      per_testing_criteria_results: [{ passed: 1, failed: Number(answered) - 1 }],
    });
  });

  test('a run that is cancelled before what would have ended it shows what models read and wrote', async () => {
    await begin({ ...ASKING, source: content(45, 0) });
    const cancelling = answering((question) =>
      question === 'q5' ? new ServiceError('credits_insufficient', 'No credits are left.') : 'a0.',
    );

    const ended = await workRun(world, {
      respond: async function* (asked) {
        if (JSON.stringify(asked.request.input).includes('q5'))
          await world.call(cancelRun, { as: owner, params: params() });
        yield* cancelling(asked);
      },
    });

    expect(ended).toEqual({ status: 'canceled' });
    expect(await run()).toMatchObject({
      status: 'canceled',
      result_counts: { total: 45, passed: 1, failed: 4, errored: 0 },
      per_model_usage: [{ invocation_count: 9 }],
    });
  });

  test('a worker reads the texts of its run once, however many rows it works on', async () => {
    await begin({ ...ASKING, source: content(45, 0) });
    const sent = vi.spyOn(world.table.client, 'send');

    expect(await workRun(world)).toEqual({ status: 'completed' });

    const reads = sent.mock.calls.filter(
      ([command]) =>
        (command instanceof GetCommand || command instanceof TransactGetCommand) &&
        JSON.stringify(command.input).includes('"RUN_TEXTS#'),
    );
    sent.mockRestore();
    // The first is that of the test, which starts the worker.
    expect(reads).toHaveLength(2);
  });

  test('an event that is delivered twice has no row answered twice', async () => {
    await begin({ ...ASKING, source: content(25, 0) });
    const asked: string[] = [];
    const respond = answering((question) => {
      asked.push(question);
      return 'Yes.';
    });
    let now = Date.now();
    const clock = clockOf(
      async (milliseconds) => {
        now += milliseconds;
      },
      () => now,
    );

    const ends = await Promise.all([workRun(world, { respond }), workRun(world, { respond, clock })]);

    expect(ends.map(({ status }) => status).sort()).toEqual(['completed', 'worked_on']);
    expect(asked).toHaveLength(25);
  });

  test('a worker whose forerunner was killed waits until its lease has ended', async () => {
    await begin({ ...ASKING, source: content(1, 0) });
    const gone = world.use(claims('write'));
    const started = world.invoked.at(-1)?.payload as { run_id: string };
    await gone.take(`eval run ${started.run_id} is worked on`, 90, 'a killed worker');
    const slept: number[] = [];
    const clock = clockOf(async (milliseconds) => {
      if (slept.push(milliseconds) === 5) passed = 91_000;
    });

    expect(await workRun(world, { clock })).toEqual({ status: 'completed' });
    expect(slept).toHaveLength(5);
  });

  test('a run whose key was revoked asks nothing more', async () => {
    await begin({ ...ASKING, source: content(25, 0) });
    const asked: string[] = [];
    const ended = await workRun(world, {
      respond: answering((question) => {
        asked.push(question);
        return 'Yes.';
      }),
      access: {
        ...world.use(administration),
        async listKeys(teamId) {
          const listed = await world.use(administration).listKeys(teamId);
          return asked.length === 0 ? listed : listed.map((key) => ({ ...key, revoked_at: key.created_at }));
        },
      },
    });

    expect(ended).toEqual({ status: 'failed' });
    expect(asked).toHaveLength(20);
    expect(await run()).toMatchObject({ status: 'failed', error: { code: 'unauthorized' } });
  });

  test('a row ends with an error where its graders take too long, and a worker begins none that it could not end', async () => {
    const graders = Array.from({ length: 5 }, (_, n) => ({ ...JUDGE, name: `judge ${n}` }));
    await begin({ ...ASKING, source: content(20, 0) }, graders);
    let now = Date.now();
    const clock = clockOf(
      async () => undefined,
      () => now,
    );
    const answer = answering((question) => (question.startsWith('q') ? 'It is so.' : '{"label":"yes"}'));
    const slow: WorkEvalRunPorts['respond'] = async function* (input) {
      // Five rows are asked at once.
      now += 60_000 / 5;
      yield* answer(input);
    };
    const started = now;

    expect(await workRun(world, { respond: slow, clock }, started + 900_000)).toEqual({
      status: 'in_progress',
    });
    expect(now - started).toBeLessThan(900_000);
    const done = await items();
    expect(done).toHaveLength(15);
    expect(done[0]?.results.map(({ error }) => error === null)).toEqual([true, true, true, false, false]);
    expect(done[0]?.results[4]?.error).toContain('took longer than 240 seconds');
  });

  /** A model that is being started, and a clock by which refusals and waits take their time. */
  function startingModel() {
    let now = Date.now();
    const clock = clockOf(
      async (milliseconds) => {
        now += milliseconds;
      },
      () => now,
    );
    const cause = new ModelError('unavailable', 'starting', { isStarting: true });
    return {
      clock,
      answer: answering(() => 'It is so.'),
      refuseAfter(milliseconds: number): never {
        now += milliseconds;
        const told = 'The model is being started.';
        throw new ServiceError('service_unavailable', told, { retryAfterSeconds: 60, cause });
      },
    };
  }

  test('a row waits for a model that is being started, in the next worker too, and the run fails if it never is', async () => {
    await begin({ ...ASKING, source: content(3, 0) });
    let isThere = false;
    let asked = 0;
    const model = startingModel();
    const respond: WorkEvalRunPorts['respond'] = async function* (input) {
      asked += 1;
      if (!isThere) model.refuseAfter(60_000);
      yield* model.answer(input);
    };
    const { clock } = model;

    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({
      status: 'in_progress',
    });
    expect(asked).toBeGreaterThan(3);
    expect(await items()).toEqual([]);
    isThere = true;
    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({ status: 'completed' });
    expect((await items()).map(({ sample }) => sample.error.code)).toEqual(['', '', '']);

    await begin({ ...ASKING, source: content(3, 0) });
    isThere = false;
    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({
      status: 'in_progress',
    });
    await clock.sleep(45 * 60_000);
    asked = 0;
    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({ status: 'failed' });
    expect(await run()).toMatchObject({
      status: 'failed',
      error: {
        code: 'model_unavailable',
        message: expect.stringContaining('The model did not start within 45 minutes.'),
      },
    });
    expect(asked).toBeLessThan(20);
  });

  test('rows wait for a model that is being started beside one that cannot be asked', async () => {
    await begin({ ...ASKING, source: content(3, 0) });
    let calls = 0;
    const model = startingModel();
    const respond: WorkEvalRunPorts['respond'] = async function* (input) {
      calls += 1;
      if (calls === 1) throw new ServiceError('invalid_request', 'The question is too long.');
      if (calls <= 3) model.refuseAfter(110_000);
      yield* model.answer(input);
    };
    const { clock } = model;

    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({ status: 'completed' });
    expect((await items()).map(({ sample }) => sample.error.code)).toEqual(['sample_failed', '', '']);
  });

  /** Has workers work on the run, each for a quarter of an hour of a clock on which waits and refusals take their time, until it has ended. */
  async function workThrough(
    respond: WorkEvalRunPorts['respond'],
    changes: Partial<WorkEvalRunPorts> = {},
  ): Promise<string> {
    const from = Date.now();
    const clock = clockOf(
      async (milliseconds) => {
        passed += milliseconds / 5;
      },
      () => from + passed,
    );
    for (;;) {
      const ended = await workRun(world, { respond, clock, ...changes }, clock.now() + 900_000);
      if (ended.status !== 'in_progress') return ended.status;
    }
  }
  const MINUTE = 60_000;

  /** An eval whose judge is another model than the one that answers, of which the world has one. */
  const otherJudge = (): Pick<WorkEvalRunPorts, 'evals'> => {
    const store = world.use(evals('write'));
    const testing_criteria = [{ ...JUDGE, model: 'judging' }] as EvalRecord['testing_criteria'];
    const find: typeof store.find = async (...asked) => {
      const found = await store.find(...asked);
      return found && { ...found, testing_criteria };
    };
    return { evals: { ...store, find } };
  };

  describe.each(PASSING)('where models answer with %s', (code) => {
    const busy = new ServiceError(code, 'Not now.', { retryAfterSeconds: 5 });
    // One that answers other rows may have a row that it never answers.
    const minutes = code === 'service_unavailable' ? 3 : 20;

    test.each(['the model', 'its judge'])(
      'for a while, rows wait for %s, in the next workers too, and nothing is asked twice',
      async (which) => {
        await begin({ ...ASKING, source: content(30, 0) }, [JUDGE]);
        const answered: string[] = [];
        let until = Number.POSITIVE_INFINITY;
        const respond = answering((question, { input }) => {
          const isJudge = question.startsWith('Answer with JSON');
          if (answered.length === 33 && until === Number.POSITIVE_INFINITY) until = passed + minutes * MINUTE;
          if (isJudge === (which === 'its judge') && until !== Number.POSITIVE_INFINITY && passed < until)
            return busy;
          answered.push(JSON.stringify(input));
          return isJudge ? '{"label":"yes"}' : question.replace('q', 'a');
        });

        expect(await workThrough(respond, otherJudge())).toBe('completed');
        expect(passed).toBeGreaterThanOrEqual(minutes * MINUTE);
        expect(new Set(answered).size).toBe(60);
        expect(answered).toHaveLength(60);
        expect(await run()).toMatchObject({
          result_counts: { total: 30, passed: 30, failed: 0, errored: 0 },
          per_model_usage: [{ invocation_count: 30 }, { invocation_count: 30 }],
        });
      },
    );

    test.each(['the model', 'its judge'])(
      'for the rest of a run, that is an error of the rows that %s has not answered, which wait once',
      async (which) => {
        await begin({ ...ASKING, source: content(100, 0) }, [JUDGE]);
        let answered = 0;
        const respond = answering((question) => {
          const isJudge = question.startsWith('Answer with JSON');
          if (isJudge === (which === 'its judge')) {
            if (answered === 43) return busy;
            answered += 1;
          }
          return isJudge ? '{"label":"yes"}' : question.replace('q', 'a');
        });

        expect(await workThrough(respond, otherJudge())).toBe('completed');
        expect(await run()).toMatchObject({
          status: 'completed',
          result_counts: { total: 100, passed: 43, failed: 0, errored: 57 },
        });
        expect(passed).toBeLessThan(90 * MINUTE);
        const [last] = (await items()).slice(-1);
        expect(last?.results[0]?.error ?? last?.sample.error.message).toBe('Not now.');
      },
    );
  });

  test.each(PASSING)(
    'rows that their model answers never, but with %s, while it answers others, are errors of their own, in the next workers too',
    async (code) => {
      await begin({ ...ASKING, source: content(30, 0) });
      const respond = answering((question) =>
        ['q3', 'q7', 'q12', 'q18', 'q22', 'q28'].includes(question)
          ? new ServiceError(code, 'The model does not answer.', { retryAfterSeconds: 10 })
          : question.replace('q', 'a'),
      );

      expect(await workThrough(respond)).toBe('completed');
      expect((await run()).result_counts).toMatchObject({ failed: 24, errored: 6 });
      expect(passed).toBeLessThan(60 * MINUTE);
    },
  );

  test('rows wait for a judge that has to start once their model is back, however long that was away', async () => {
    await begin({ ...ASKING, source: content(20, 0) }, [JUDGE]);
    const cause = new ModelError('unavailable', 'starting', { isStarting: true });
    let judgedAt: number | null = null;
    let isBack = false;
    const respond = answering((question) => {
      if (!question.startsWith('Answer with JSON')) {
        // It is asked for this row once those of the first have waited in vain.
        isBack ||= question === 'q7';
        return isBack ? 'a' : new ServiceError('model_busy', 'Not now.');
      }
      judgedAt ??= passed;
      return passed > judgedAt + 20 * MINUTE
        ? '{"label":"yes"}'
        : new ServiceError('service_unavailable', 'Starting.', { retryAfterSeconds: 60, cause });
    });

    expect(await workThrough(respond, otherJudge())).toBe('completed');
    const { passed: graded, errored } = (await run()).result_counts;
    expect(graded).toBeGreaterThan(10);
    expect(graded + errored).toBe(20);
  });

  test.each([
    ['context_too_long', ` Shorten it${ADVICE_TO_TRUNCATE}.`, ' Shorten it.', ' Shorten it.'],
    [
      'rate_limited',
      ' Wait, or lower max_output_tokens.',
      ' Wait, or lower max_completion_tokens.',
      ' Wait.',
    ],
    ['invalid_request', ' max_output_tokens', ' max_completion_tokens', ' max_completions_tokens'],
  ] as const)(
    'an error with %s says of rows and of graders what these can do about it',
    async (code, said, ofRow, ofGrader) => {
      await begin({ ...ASKING, source: content(2, 0) }, [JUDGE]);
      const refused = new ServiceError(code, `Not this.${said}`);
      const respond = answering((question) =>
        question === 'q0' || question.startsWith('Answer with JSON') ? refused : 'a',
      );

      expect(await workThrough(respond, otherJudge())).toBe('completed');
      const [first, second] = await items();
      expect(first?.sample.error.message).toBe(`Not this.${ofRow}`);
      expect(second?.results[0]?.error).toContain(`Not this.${ofGrader}`);
    },
  );

  const SCORER = {
    type: 'score_model',
    name: 'scorer',
    model: 'scripted',
    input: [{ role: 'user', content: 'Rate {{ sample.output_text }}.' }],
  };
  const BOTH = {
    type: 'multi',
    name: 'both',
    graders: { judge: JUDGE, scorer: SCORER },
    calculate_output: 'judge * scorer',
  };
  const asking = (sampling_params: object) => ({ ...SCORER, sampling_params });

  test.each([
    ['temperature', 'a label model', JUDGE, null],
    ['temperature', 'a score model', SCORER, null],
    ['temperature', 'a formula of both', BOTH, null],
    ['temperature', 'a score model with its own top_p', asking({ top_p: 0.9 }), null],
    ['temperature', 'a score model with its own temperature', asking({ temperature: 0.5 }), 'Not taken.'],
    ['text.format', 'a label model', JUDGE, null],
    ['text.format', 'a score model', SCORER, null],
    ['text.format', 'a formula of both', BOTH, null],
    ['top_p', 'a score model with its own top_p', asking({ top_p: 0.9 }), 'Not taken.'],
    [
      'max_output_tokens',
      'a score model with its own max_completions_tokens',
      asking({ max_completions_tokens: 50 }),
      'Not taken.',
    ],
    [
      'reasoning.effort',
      'a score model with its own reasoning_effort',
      asking({ reasoning_effort: 'low' }),
      'Not taken.',
    ],
  ])(
    'a judge that takes no %s is asked without it by %s that did not ask for it',
    async (field, _, grader, fault) => {
      await begin({ type: 'jsonl', source: content(20, 20) }, [grader]);
      let refused = 0;
      const respond = answering((question, request) => {
        const [first = '', second] = field.split('.');
        const sent = (request as Readonly<Record<string, unknown>>)[first];
        const value =
          second === undefined
            ? sent
            : (sent as Readonly<Record<string, unknown>> | null | undefined)?.[second];
        if (value != null) {
          refused += 1;
          return invalidField(field, 'Not taken.');
        }
        const answer = question.includes('label') ? '{"label":"yes"}' : '{"steps":[],"result":1}';
        return field === 'text.format' ? `\`\`\`json\n${answer}\n\`\`\`` : answer;
      });

      expect(await workThrough(respond)).toBe('completed');
      expect(await run()).toMatchObject({ result_counts: { total: 20, errored: fault === null ? 0 : 20 } });
      expect((await items())[0]?.results[0]?.error ?? null).toEqual(fault && expect.stringContaining(fault));
      // The rows that are asked at once, of each of two judges.
      if (fault === null) expect(refused).toBeLessThanOrEqual(10);
    },
  );

  test('rows wait for a judge that is being started, and none is answered meanwhile', async () => {
    await begin({ ...ASKING, source: content(20, 0) }, [JUDGE]);
    const cause = new ModelError('unavailable', 'starting', { isStarting: true });
    const told = 'The model is being started.';
    let answered = 0;
    const respond = answering((question) => {
      if (!question.startsWith('Answer with JSON')) {
        answered += 1;
        return 'a';
      }
      if (passed > 12 * MINUTE) return '{"label":"yes"}';
      expect(answered).toBeLessThanOrEqual(5);
      return new ServiceError('service_unavailable', told, { retryAfterSeconds: 60, cause });
    });

    expect(await workThrough(respond)).toBe('completed');
    expect(answered).toBe(20);
    expect((await run()).result_counts).toMatchObject({ passed: 20, errored: 0 });
  });

  test('a run that is cancelled while its rows wait for a judge shows what models read and wrote for them', async () => {
    await begin({ ...ASKING, source: content(5, 0) }, [JUDGE]);
    const respond = answering((question) =>
      question.startsWith('Answer with JSON') ? new ServiceError('model_busy', 'Not now.') : 'a',
    );
    const clock = clockOf(
      async (milliseconds) => {
        passed += milliseconds;
      },
      () => Date.now() + passed,
    );
    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({
      status: 'in_progress',
    });
    await world.call(cancelRun, { as: owner, params: params() });
    expect(await workRun(world, { respond, clock }, clock.now() + 900_000)).toEqual({ status: 'gone' });

    expect(await run()).toMatchObject({ status: 'canceled', per_model_usage: [{ invocation_count: 5 }] });
  });

  test('a store that is busy ends the worker, and not the run', async () => {
    await begin({ ...ASKING, source: content(5, 0) });
    const listKeys = async (): Promise<never> => {
      throw new ServiceError('service_unavailable', 'The service is busy.');
    };

    const access = { ...world.use(administration), listKeys };
    await expect(workRun(world, { access })).rejects.toThrow('The service is busy.');
    expect((await run()).status).toBe('queued');
    expect(await workRun(world)).toEqual({ status: 'completed' });
  });

  test('a worker that stood still for longer than its lease leaves the run to its successor', async () => {
    await begin({ ...ASKING, source: content(25, 0) });
    const started = world.invoked.at(-1)?.payload as { run_id: string };
    const asked: string[] = [];
    let beat: () => void = () => undefined;
    const clock = {
      now: Date.now,
      sleep: (_: number, signal?: AbortSignal) =>
        signal === undefined
          ? Promise.resolve()
          : new Promise<void>((resolve) => {
              beat = resolve;
              signal.addEventListener('abort', () => resolve());
            }),
    };
    const answer = answering((question) => {
      asked.push(question);
      return 'Yes.';
    });
    const ended = await workRun(world, {
      clock,
      async *respond(input) {
        if (asked.length === 5) {
          passed = 91_000;
          await world.use(claims('write')).take(`eval run ${started.run_id} is worked on`, 90, 'a successor');
          beat();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        yield* answer(input);
      },
    });

    expect(ended).toEqual({ status: 'worked_on' });
    expect(asked.length).toBeLessThanOrEqual(10);
    // The rows that it was at are those of its successor.
    expect((await items()).map(({ datasource_item_id: row }) => row)).toEqual([0, 1, 2, 3, 4]);
    expect((await run()).result_counts.passed + (await run()).result_counts.failed).toBe(5);
  });

  test('a worker whose place another run has taken asks no model, and its run has failed as callers were told', async () => {
    await begin({ ...ASKING, source: content(25, 0) });
    const place = placeClaim(`eval run ${owner.team_id}`, 4);
    const asked: string[] = [];
    const answer = answering((question) => {
      asked.push(question);
      return 'Yes.';
    });
    const ended = await workRun(world, {
      async *respond(input) {
        if (asked.length === 5) {
          const own = world.use(claims('write'));
          await own.release(place);
          await own.take(place, 3600, 'another run');
        }
        yield* answer(input);
      },
    });

    expect(ended).toEqual({ status: 'failed' });
    expect(asked).toHaveLength(10);
    expect((await run()).error.code).toBe('run_interrupted');
    expect(await world.use(claims('read')).isTaken(place)).toBe(true);
  });

  test('a run that is deleted meanwhile leaves no object', async () => {
    await begin({ ...ASKING, source: content(45, 0) });
    let deleted = false;
    const respond = answering(() => 'Yes.');
    const ended = await workRun(world, {
      async *respond(input) {
        if (!deleted) {
          deleted = true;
          await world.call(deleteRun, { as: owner, params: params() });
        }
        yield* respond(input);
      },
    });

    expect(ended).toEqual({ status: 'canceled' });
    expect(world.objects.keys().filter((key) => key.startsWith('evals/'))).toEqual([]);
  });

  test.each([false, true])(
    'what a worker writes after the deletion of its run is emptied (killed afterwards: %j)',
    async (isKilled) => {
      await begin({ ...ASKING, source: content(3, 0) });
      const { write } = world.objects;
      const changes: Partial<WorkEvalRunPorts> = {
        objects: {
          ...world.objects,
          write: async (key, body, type) => {
            if (body === '') return write(key, body, type);
            await world.call(deleteRun, { as: owner, params: params() });
            await write(key, body, type);
            if (isKilled) throw new Error('The process was killed.');
          },
        },
      };

      if (isKilled) {
        await expect(workRun(world, changes)).rejects.toThrow('killed');
        // Lambda repeats the event.
        expect(await workRun(world)).toEqual({ status: 'gone' });
      } else expect(await workRun(world, changes)).toEqual({ status: 'canceled' });

      const left = world.objects.keys().filter((key) => key.startsWith('evals/'));
      // Its items and, of one that went on, their statuses.
      expect(left).toHaveLength(isKilled ? 1 : 2);
      for (const key of left) expect((await world.objects.read(key))?.length).toBe(0);
    },
  );

  test('what a worker writes between two steps of the deletion of its run is emptied', async () => {
    await begin({ ...ASKING, source: content(3, 0) });
    const { write } = world.objects;
    const repository = world.use(evals('write'));
    let finish = async (): Promise<void> => {};
    const [of] = await repository.list(owner.team_id);
    const [record] = await repository.listRuns(owner.team_id, of?.eval_id ?? '');
    if (record === undefined) throw new Error('There is no run.');
    const slowly = {
      ...repository,
      removeRun: async (run: typeof record) => {
        finish = () => repository.removeRun(run);
      },
    };
    await workRun(world, {
      objects: {
        ...world.objects,
        write: async (key, body, type) => {
          if (body !== '') await removeEvalRun({ evals: slowly, objects: world.objects }, record);
          await write(key, body, type);
        },
      },
    });
    await finish();

    const left = world.objects.keys().filter((key) => key.startsWith('evals/'));
    expect(left).toHaveLength(1);
    for (const key of left) expect((await world.objects.read(key))?.length).toBe(0);
  });

  test('a run that is deleted before its worker begins gives its place back', async () => {
    await begin({ ...ASKING, source: content(3, 0) });
    const place = placeClaim(`eval run ${owner.team_id}`, 4);
    expect(await world.use(claims('read')).isTaken(place)).toBe(true);
    await world.call(deleteRun, { as: owner, params: params() });

    expect(await workRun(world)).toEqual({ status: 'gone' });

    expect(await world.use(claims('read')).isTaken(place)).toBe(false);
  });
});

describe('graders that ask', () => {
  test('the usage of a judge is counted beside that of the answers', async () => {
    await begin({ ...ASKING, source: content(2, 0) }, [JUDGE]);

    await workRun(world, {
      respond: answering((question) => (question.startsWith('q') ? 'It is so.' : '{"label":"yes"}')),
    });

    expect((await run()).per_model_usage).toMatchObject([{ model_name: 'scripted', invocation_count: 4 }]);
  });

  test('what judges were asked of a row is kept as far as it is shown', async () => {
    const source = content(1, 1);
    Object.assign(source.content[0]?.item ?? {}, { text: 'a'.repeat(190_000) });
    const input = Array.from({ length: 5 }, () => ({ role: 'user', content: '{{ item.text }}' }));
    const judges = Array.from({ length: 5 }, (_, n) => ({ ...JUDGE, name: `judge ${n}`, input }));
    await begin({ type: 'jsonl', source }, judges);

    await workRun(world, { respond: answering(() => '{"label":"yes"}') });

    const kept = world.objects.keys().filter((key) => key.includes('/items/'));
    expect(kept.map((key) => world.objects.text(key).length <= PAGE_BYTES_MAX)).toEqual([true]);
    expect((await items())[0]).toMatchObject({
      status: 'pass',
      results: judges.map(({ name }) => ({ name })),
    });
  });

  test('the programs of a block are run in one call of the sandbox, and what was not run once more', async () => {
    const code = { type: 'python', name: 'code', source: 'def grade(sample, item): return 1' };
    const multi = { type: 'multi', name: 'all', graders: { code }, calculate_output: 'code * 2' };
    await begin({ type: 'jsonl', source: content(3, 3) }, [code, multi]);
    const calls: number[] = [];

    await workRun(world, {
      runCode: async (payload) => {
        const { jobs } = payload as { jobs: unknown[] };
        calls.push(jobs.length);
        const ran = { end: 'done', message: '', outcomes: [{ is: 'failed', came: '0.75' }] };
        return { ran: jobs.map((_, n) => (calls.length === 1 && n === 1 ? null : ran)) };
      },
    });

    expect(calls).toEqual([3, 1]);
    expect((await items()).map(({ results }) => results.map(({ score }) => score))).toEqual(
      Array.from({ length: 3 }, () => [0.75, 1.5]),
    );
  });

  test('a row that is too long for programs is an error of its own, and the others are graded', async () => {
    const code = { type: 'python', name: 'code', source: 'def grade(sample, item): return 1' };
    const source = content(3, 3);
    Object.assign(source.content[1]?.item ?? {}, { text: 'a'.repeat(300_000) });
    await begin({ type: 'jsonl', source }, [code]);
    const ran = { end: 'done', message: '', outcomes: [{ is: 'failed', came: '1' }] };

    await workRun(world, {
      runCode: async (payload) => ({ ran: (payload as { jobs: unknown[] }).jobs.map(() => ran) }),
    });

    expect((await items()).map(({ status }) => status)).toEqual(['pass', 'error', 'pass']);
    expect((await items())[1]?.results[0]?.error).toContain('too long');
  });

  test('a program gets rows up to its limit whatever their letters, and says of longer ones what is too long', async () => {
    const code = {
      type: 'python',
      name: 'code',
      source: `def grade(sample, item): return 1${' '.repeat(40_000)}`,
    };
    const rows = ['語'.repeat(240_000), '"'.repeat(124_000), '"'.repeat(100_000), 'a'.repeat(240_000)];
    const text = rows.map((each) => ({ item: { text: each }, sample: { output_text: '' } }));
    await begin({ type: 'jsonl', source: { type: 'file_content', content: text } }, [code]);
    const ran = { end: 'done', message: '', outcomes: [{ is: 'failed', came: '1' }] };

    await workRun(world, {
      runCode: async (payload) => ({ ran: (payload as { jobs: unknown[] }).jobs.map(() => ran) }),
    });

    const errors = (await items()).map(({ results }) => results[0]?.error);
    expect(errors).toEqual([null, expect.stringContaining('1000000 bytes'), null, null]);
  });

  test('a program that is not run is an error of its row', async () => {
    const code = { type: 'python', name: 'code', source: 'def grade(sample, item): return 1' };
    await begin({ type: 'jsonl', source: content(1, 1) }, [code]);

    await workRun(world, { runCode: async () => ({ ran: [null] }) });

    expect((await run()).result_counts).toMatchObject({ passed: 0, failed: 0, errored: 1 });
    expect((await items())[0]?.results[0]?.error).toContain('not run');
  });
});

describe('files', () => {
  const seedFile = (lines: readonly object[]) =>
    seedRows(
      world,
      owner,
      Object.fromEntries(Object.keys(lines[0] ?? {}).map((name) => [name, 'JSON'])),
      lines.map((line) => JSON.stringify(line)),
    );
  const rows = Array.from({ length: 30 }, (_, n) => ({
    item: { question: `q${n}`, answer: `a${n}.` },
    sample: { output_text: n < 20 ? `a${n}.` : 'No.' },
  }));

  test('the lines of a file are rows with their answers, and any other dataset has rows without', async () => {
    const file = await seedFile(rows);
    await begin({ type: 'jsonl', source: { type: 'file_id', id: fileIdOf(file.dataset_id) } });
    await workRun(world);
    expect((await run()).result_counts).toEqual({ total: 30, passed: 20, failed: 10, errored: 0 });

    const plain = await seedFile([{ question: 'q7', answer: 'a7.' }]);
    await begin({ ...ASKING, source: { type: 'file_id', id: plain.dataset_id } });
    await workRun(world, { respond: answering((question) => `${question.replace('q', 'a')}.`) });
    expect((await items())[0]).toMatchObject({
      status: 'pass',
      datasource_item: { question: 'q7', answer: 'a7.' },
    });
  });

  test.each([
    { ended: 'succeeded', isFailed: false },
    { ended: 'failed', isFailed: true },
  ])(
    'a run of an eval reads the rows of the download: those in other languages too, of a run that $ended',
    async ({ isFailed }) => {
      const dataset = await seedTrainable(world, owner, 4);
      const active = await startRunOn(world, owner, dataset);
      for (const batch of active.batches) {
        const results = resultsOf(batch, () => 'changed').map((result) => ({
          ...result,
          cells: { enhanced_prompt: `Asked ${result.row}.`, enhanced_completion: `Better ${result.row}.` },
        }));
        // A failed run delivers the rows that it finished.
        const key = objectKeys.result(active.run.run_id, batch.n);
        await writeResults(world, key, isFailed ? results.slice(1) : results);
      }
      await leaveExpansion(world, active, 2);
      await settle(world, active, 0, isFailed, 2);
      await begin({ type: 'jsonl', source: { type: 'file_id', id: dataset.dataset_id } });

      await workRun(world);

      const said = (await items()).map(({ datasource_item }) => datasource_item.enhanced_completion);
      const own = ['Better 0.', 'Better 1.', 'Better 2.', 'Better 3.'];
      expect(said).toEqual([...(isFailed ? own.slice(1) : own), 'así 0.', 'así 1.']);
    },
  );

  test('a run of an eval over a file of which a part is gone fails, and says so', async () => {
    const file = await seedFile(rows);
    await begin({ type: 'jsonl', source: { type: 'file_id', id: fileIdOf(file.dataset_id) } });
    await world.objects.remove([objectKeys.rows(file.dataset_id, 0)]);

    await workRun(world);

    expect(await run()).toMatchObject({
      status: 'failed',
      error: { code: 'run_interrupted', message: expect.stringContaining('The file gave 0 of its 30 rows') },
    });
  });

  test('rows that a file gains while a run goes on are not of the run', async () => {
    const file = await seedFile(rows);
    await begin({ type: 'jsonl', source: { type: 'file_id', id: fileIdOf(file.dataset_id) } });
    expect(await workRun(world, {}, Date.now())).toEqual({ status: 'in_progress' });
    await world.use(datasets('write')).delete(owner, file.dataset_id, Date.now());

    expect(await workRun(world)).toEqual({ status: 'completed' });
    expect((await run()).result_counts.total).toBe(30);
  });

  test('verdicts of people on the rows of a file tell how often a grader is wrong, and correct its pass rate', async () => {
    const file = await seedFile(rows);
    const { dataset_id } = file;
    const said = (row: number, verdict: 'right' | 'wrong') => ({
      completion: null,
      record: {
        dataset_id,
        row,
        reviewer: 'me',
        verdict,
        content_hash: 'x',
        seen_in: 'x',
        version: 1,
        drawn_as: 'audit' as const,
        user_id: owner.user_id,
        recorded_at: new Date(NOW).toISOString(),
      },
    });
    // Rows 0 to 19 pass: two of ten that people looked at are wrong; of those that fail, one of five is right.
    await world
      .use(verdicts('write'))
      .record(dataset_id, [
        ...Array.from({ length: 10 }, (_, n) => said(n, n < 2 ? 'wrong' : 'right')),
        ...Array.from({ length: 5 }, (_, n) => said(n + 20, n < 1 ? 'right' : 'wrong')),
      ]);
    await begin({ type: 'jsonl', source: { type: 'file_id', id: fileIdOf(dataset_id) } });

    await workRun(world);

    const [result] = (await run()).per_testing_criteria_results;
    expect(result?.judge_error).toMatchObject({
      passes_wrong: { rows: 6, wrong: 2 },
      fails_right: { rows: 9, wrong: 1 },
    });
    // (20 / 30 + specificity − 1) / (sensitivity + specificity − 1), with half a row added to each side.
    const [sensitivity, specificity] = [1 - 1.5 / 10, 1 - 2.5 / 7];
    expect(result?.judge_error?.corrected_pass_rate).toBeCloseTo(
      (20 / 30 + specificity - 1) / (sensitivity + specificity - 1),
    );
  });

  test('stored responses of the team are graded as they are', async () => {
    const store = (id: string, team: string, fields: object) =>
      world.objects.write(
        objectKeys.response(team, id),
        JSON.stringify({
          input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] }],
          expires_at_ms: Date.now() + 60_000,
          response: {
            id,
            model: 'scripted',
            created_at: 100,
            metadata: {},
            output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }],
            ...fields,
          },
        }),
        'application/json',
      );
    await store('resp_1', owner.team_id, { metadata: { of: 'a' } });
    await store('resp_2', owner.team_id, { metadata: { of: 'b' } });
    await store('resp_3', 'other', { metadata: { of: 'a' } });
    const grader = { ...CONTAINS, reference: 'hi' };
    await begin({ type: 'responses', source: { type: 'responses', metadata: { of: 'a' } } }, [grader]);

    await workRun(world);

    const found = await items();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ status: 'pass', datasource_item: { id: 'resp_1' } });

    await store('resp_4', owner.team_id, { created_at: 101, metadata: { of: 'a' } });
    await begin({ type: 'responses', source: { type: 'responses', metadata: { of: 'a' }, limit: 1 } }, [
      grader,
    ]);
    await workRun(world);
    expect((await items()).map(({ datasource_item }) => datasource_item.id)).toEqual(['resp_4']);

    await begin({ type: 'responses', source: { type: 'responses', metadata: { of: 'none' } } }, [grader]);
    await workRun(world);
    expect(await run()).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_request', message: expect.stringContaining('names no stored response') },
    });
  });

  test('a stored response is graded by its calls too, and one that failed is an error of its row', async () => {
    const store = (id: string, fields: object) => {
      const response = {
        id,
        model: 'scripted',
        created_at: 100,
        metadata: {},
        status: 'completed',
        ...fields,
      };
      return world.objects.write(
        objectKeys.response(owner.team_id, id),
        JSON.stringify({ input: [], expires_at_ms: Date.now() + 60_000, response }),
        'application/json',
      );
    };
    const call = { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '{"city":"Paris"}' };
    await store('resp_1', { output: [call] });
    await store('resp_2', { status: 'failed', error: { code: 'x', message: 'It broke.' }, output: [] });
    const calls = {
      ...CONTAINS,
      operation: 'eq',
      input: '{{ sample.output_tools[0].function.name }} {{ sample.choices[0].finish_reason }}',
      reference: 'get_weather tool_calls',
    };
    const stored = { type: 'responses', source: { type: 'responses' } };
    await begin(stored, [calls]);

    await workRun(world);

    const byId = new Map((await items()).map((item) => [item.datasource_item.id, item]));
    expect(byId.get('resp_1')?.status).toBe('pass');
    expect(byId.get('resp_2')).toMatchObject({
      status: 'error',
      results: [],
      sample: { error: { message: 'The stored response failed: It broke.' } },
    });

    await begin(
      {
        ...stored,
        model: 'scripted',
        input_messages: { type: 'template', template: [{ role: 'user', content: 'Again, {{ item.id }}?' }] },
      },
      [{ ...CONTAINS, reference: 'yes' }],
    );
    await workRun(world);
    expect((await run()).result_counts).toEqual({ total: 2, passed: 2, failed: 0, errored: 0 });
  });

  test('a run asks for a stored response again with its instructions, the turns before it and their calls, or not at all', async () => {
    const idOf = (n: number) => `resp_${String(n).padStart(32, '0')}`;
    const said = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: 'input_text', text }],
    });
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'find', arguments: '{}' };
    const came = { type: 'function_call_output', id: 'item_1', call_id: 'c', output: 'Paris' };
    const store = async (
      n: number,
      of: string,
      stored: { input: object[]; output?: object[]; ancestors?: number[] },
    ) => {
      const { input, output = [], ancestors = [] } = stored;
      const instructions = n === 2 ? 'Answer in French.' : null;
      const response = {
        ...{ id: idOf(n), model: 'other', created_at: n, metadata: { of }, status: 'completed' },
        ...{ output, instructions },
      };
      const [expires_at_ms, chain] = [
        Date.now() + 60_000,
        ancestors.map((each) => ({ id: idOf(each), bytes: 9 })),
      ];
      await world.objects.write(
        objectKeys.response(owner.team_id, idOf(n)),
        JSON.stringify({ input, ancestors: chain, expires_at_ms, response }),
        'application/json',
      );
    };
    await store(1, 'before', {
      input: [said('user', 'Find it.')],
      output: [{ type: 'reasoning', id: 'rs_1', summary: [] }, call],
    });
    await store(2, 'asked', { input: [came, said('user', 'And?')], ancestors: [1] });
    const search = { type: 'file_search_call', id: 'fs_1', queries: ['q'], results: null };
    await store(3, 'asked', { input: [search, said('user', 'And?')] });
    await store(4, 'asked', { input: [said('user', 'And?')], ancestors: [9] });
    const source = { type: 'responses', metadata: { of: 'asked' } };
    await begin({ type: 'responses', model: 'scripted', source }, [{ ...CONTAINS, reference: 'yes' }]);
    const asked: CreateResponseRequest[] = [];

    await workRun(world, {
      respond: answering((_, request) => {
        asked.push(request);
        return 'Yes.';
      }),
    });

    expect(asked.map(({ input }) => input)).toEqual([
      [
        { type: 'message', role: 'system', content: 'Answer in French.' },
        said('user', 'Find it.'),
        call,
        came,
        said('user', 'And?'),
      ],
    ]);
    const found = await items();
    expect(found.map(({ status }) => status)).toEqual(['pass', 'error', 'error']);
    expect(found[1]?.sample.error.message).toContain('has an item file_search_call');
    expect(found[2]?.sample.error.message).toContain('earlier turns are deleted');

    const template = [{ role: 'user', content: 'Of {{ item.metadata.of }}?' }];
    const input_messages = { type: 'template', template };
    await begin({ type: 'responses', model: 'scripted', source, input_messages }, [
      { ...CONTAINS, reference: 'yes' },
    ]);
    await workRun(world);
    expect((await run()).result_counts.passed).toBe(3);
  });

  test('a run that asks again reads each turn of a conversation once, however many later turns name it', async () => {
    const idOf = (n: number) => `resp_${String(n).padStart(32, '0')}`;
    for (let n = 0; n < 12; n += 1) {
      const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: `Turn ${n}` }] }];
      const response = { id: idOf(n), model: 'other', created_at: n, metadata: {}, output: [] };
      const ancestors = Array.from({ length: n }, (_, back) => ({ id: idOf(n - 1 - back), bytes: 9 }));
      await world.objects.write(
        objectKeys.response(owner.team_id, idOf(n)),
        JSON.stringify({ input, ancestors, expires_at_ms: Date.now() + 60_000, response }),
        'application/json',
      );
    }
    const { read, objects } = countingReads();
    await begin({ type: 'responses', model: 'scripted', source: { type: 'responses' } });
    const asked: number[] = [];

    await workRun(world, {
      objects,
      respond: answering((_, { input }) => {
        asked.push(input?.length ?? 0);
        return 'Yes.';
      }),
    });

    expect(asked.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    expect(read).toHaveLength(12);
  });

  test('a run asks for a stored response again with its functions and the form of its answer, unless the run names others, and not where it had other tools', async () => {
    const find = { type: 'function', name: 'find', parameters: { type: 'object' }, strict: null };
    const format = { type: 'json_schema', name: 'a', schema: { type: 'object' } };
    const stored = [
      { tools: [find], tool_choice: 'required', text: { format } },
      { tools: [], tool_choice: 'auto', text: { format: { type: 'text' } } },
      {
        tools: [find, { type: 'file_search', vector_store_ids: ['d'] }],
        tool_choice: 'auto',
        text: { format },
      },
      { model: 'stack:support', tools: [], tool_choice: 'auto', text: { format } },
    ];
    for (const [n, fields] of stored.entries()) {
      const id = `resp_${String(n).padStart(32, '0')}`;
      const response = {
        id,
        model: 'other',
        created_at: n,
        metadata: {},
        status: 'completed',
        output: [],
        instructions: null,
      };
      const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: `q${n}` }] }];
      await world.objects.write(
        objectKeys.response(owner.team_id, id),
        JSON.stringify({
          input,
          ancestors: [],
          expires_at_ms: Date.now() + 60_000,
          response: { ...response, ...fields },
        }),
        'application/json',
      );
    }
    const askedBy = async (fields: object): Promise<object[]> => {
      const source = { type: 'responses' };
      await begin({ type: 'responses', model: 'scripted', source, ...fields }, [
        { ...CONTAINS, reference: 'yes' },
      ]);
      const asked: object[] = [];
      await workRun(world, {
        respond: answering((_, { tools, tool_choice, text }) => {
          asked.push({ tools, tool_choice, text });
          return 'Yes.';
        }),
      });
      return asked;
    };

    expect(await askedBy({})).toMatchObject([
      { tools: [{ type: 'function', name: 'find' }], tool_choice: 'required', text: { format } },
      {},
    ]);
    const found = await items();
    expect(found.map(({ status }) => status)).toEqual(['pass', 'pass', 'error', 'error']);
    expect(found[2]?.sample.error.message).toContain('it was asked with the tool file_search');
    expect(found[3]?.sample.error.message).toContain('it was answered by stack:support');

    const sampling_params = {
      tools: [{ ...find, name: 'other' }],
      text: { format: { type: 'json_object' } },
    };
    const others = await askedBy({ sampling_params });
    expect(others).toHaveLength(3);
    for (const each of others)
      expect(each).toMatchObject({ tools: [{ name: 'other' }], text: { format: { type: 'json_object' } } });
  });

  test('a place within the input of a stored response is one of its last request, whatever came before', async () => {
    const ids = [1, 2].map((n) => `resp_${String(n).padStart(32, '0')}`);
    const said = (text: string) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
    });
    for (const [n, id] of ids.entries()) {
      const response = {
        ...{ id, model: 'other', created_at: n, metadata: { of: String(n) }, status: 'completed' },
        ...{ output: [], instructions: 'Answer in French.' },
      };
      const ancestors = ids.slice(0, n).map((each) => ({ id: each, bytes: 9 }));
      const input = [said(n === 0 ? 'Capital of Peru?' : 'And of Japan?')];
      await world.objects.write(
        objectKeys.response(owner.team_id, id),
        JSON.stringify({ input, ancestors, expires_at_ms: Date.now() + 60_000, response }),
        'application/json',
      );
    }
    const content = '{{ item.input[0].content[0].text }}';
    const input_messages = { type: 'template', template: [{ role: 'user', content }] };
    const source = { type: 'responses', metadata: { of: '1' } };
    await begin({ type: 'responses', model: 'scripted', source, input_messages }, [
      { ...CONTAINS, input: content, reference: 'Japan' },
    ]);
    const asked: unknown[] = [];

    await workRun(world, {
      respond: answering((_, { input }) => {
        asked.push(input);
        return 'Tokyo.';
      }),
    });

    expect(JSON.stringify(asked)).toContain('And of Japan?');
    expect(JSON.stringify(asked)).not.toContain('Peru');
    expect((await items())[0]?.status).toBe('pass');
  });

  test('a run that looks through more stored responses than there is time for fails, and says what narrows them', async () => {
    for (let n = 0; n < 3; n += 1) {
      const response = { id: `resp_${n}`, model: 'other', created_at: n, metadata: {}, output: [] };
      await world.objects.write(
        objectKeys.response(owner.team_id, response.id),
        JSON.stringify({ input: [], expires_at_ms: Date.now() + 60_000, response }),
        'application/json',
      );
    }
    await begin({ type: 'responses', source: { type: 'responses', model: 'scripted' } });
    const objects: WorkEvalRunPorts['objects'] = {
      ...world.objects,
      read: async (key) => {
        passed += 400_000;
        return world.objects.read(key);
      },
    };

    await workRun(world, {
      objects,
      clock: clockOf(
        async () => undefined,
        () => Date.now() + passed,
      ),
    });

    const { status, error } = await run();
    expect([status, error.code]).toEqual(['failed', 'invalid_request']);
    expect(error.message).toContain('created_after');
  });

  test('a run with a limit reads no more stored responses than can be the newest', async () => {
    const { read, objects: counting } = countingReads();
    const objects: WorkEvalRunPorts['objects'] = {
      ...counting,
      // Each was stored ten seconds after it was begun.
      listSizes: async function* (prefix) {
        for await (const file of world.objects.listSizes(prefix)) {
          const [, n] = /resp_(\d+)/.exec(file.key) ?? [];
          yield { ...file, modifiedMs: (Number(n) * 1000 + 10) * 1000 };
        }
      },
    };
    for (let n = 1; n <= 30; n += 1) {
      const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }];
      const response = {
        id: `resp_${n}`,
        model: n % 2 === 0 ? 'other' : 'scripted',
        created_at: n * 1000,
        metadata: {},
        output,
      };
      await world.objects.write(
        objectKeys.response(owner.team_id, response.id),
        JSON.stringify({ input: [], expires_at_ms: Date.now() + 60_000, response }),
        'application/json',
      );
    }
    const newest = async (source: object) => {
      read.length = 0;
      await begin({ type: 'responses', source: { type: 'responses', ...source } });
      await workRun(world, { objects });
      return (await items()).map(({ datasource_item }) => datasource_item.id);
    };

    expect(await newest({ limit: 2 })).toEqual(['resp_29', 'resp_30']);
    expect(read).toHaveLength(2);
    expect(await newest({ limit: 2, model: 'scripted' })).toEqual(['resp_27', 'resp_29']);
    expect(read).toHaveLength(4);
    expect(await newest({ created_after: 28_000 })).toEqual(['resp_28', 'resp_29', 'resp_30']);
    // One may have been begun within the minute by which clocks may differ.
    expect(read).toHaveLength(3);
    expect(await newest({ limit: 1, created_before: 5000 })).toEqual(['resp_5']);
  });

  test('whatever a row has for an answer, what came of it can be read, and a further worker goes on', async () => {
    const anything = fc.jsonValue({ maxDepth: 4 });
    const call = fc.oneof(anything, fc.record({ id: fc.string(), function: anything }));
    const message = fc.oneof(
      anything,
      fc.record({ content: anything, tool_calls: fc.oneof(anything, fc.array(call, { maxLength: 3 })) }),
    );
    const sample = fc.dictionary(
      fc.constantFrom('choices', 'output_text', 'output_tools', 'model', 'surprise'),
      fc.oneof(anything, fc.array(fc.record({ message, finish_reason: anything }), { maxLength: 2 })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 6, maxLength: 6 }), async (samples) => {
        world = createWorld();
        owner = await seedTeam(world.store, 100);
        const rows = samples.map((each) => ({ item: { answer: 'a' }, sample: each }));
        await begin({ type: 'jsonl', source: { type: 'file_content', content: rows } });
        let looked = 0;
        // The first worker ends after five rows, and the second one reads what it wrote.
        const clock = clockOf(
          async () => undefined,
          () => Date.now() + (looked++ > 3 ? 700_000 : 0),
        );
        await workRun(world, { clock });
        await workRun(world);

        expect((await run()).result_counts.total).toBe(6);
        expect(await items()).toHaveLength(6);
      }),
      {
        numRuns: 30,
        examples: [[Array(6).fill({ choices: [{ message: { content: 'x', tool_calls: [1] } }] })]],
      },
    );
  });

  test('an answer that is a chat completion is graded and shown by what it says, and by its calls', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'quote', arguments: '{"symbol":"A"}' } };
    const chat = (message: object, finish_reason: string) => ({
      item: { symbol: 'A' },
      sample: {
        model: 'gpt',
        choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
      },
    });
    const named = {
      ...CONTAINS,
      input: '{{ sample.output_tools[0].function.arguments.symbol }}{{ sample.output_text }}',
      reference: '{{ item.symbol }}',
    };
    const rows = [
      chat({ content: null, tool_calls: [call] }, 'tool_calls'),
      chat({ content: 'A' }, 'stop'),
      { item: { symbol: 'A' } },
    ];
    await begin({ type: 'jsonl', source: { type: 'file_content', content: rows } }, [named]);

    await workRun(world);

    expect(await items()).toMatchObject([
      {
        status: 'pass',
        sample: { model: 'gpt', finish_reason: 'tool_calls', output: [{ content: '', tool_calls: [call] }] },
      },
      { status: 'pass', sample: { finish_reason: 'stop', output: [{ content: 'A' }] } },
      { status: 'error', results: [{ error: expect.stringContaining('The answer has no "output_tools"') }] },
    ]);
  });
});
