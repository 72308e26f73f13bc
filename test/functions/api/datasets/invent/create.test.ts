import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/invent/create.ts';
import { inferTopics } from '#shared/growth/infer-topics.ts';
import { type EmbeddingClient, type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { contextOf } from '#test/helpers/growing.ts';
import { executeInvention, inventor } from '#test/helpers/inventing.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { replying } from '#test/helpers/replying-model.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
});

interface Models {
  readonly model: ModelClient | null;
  readonly embedder: EmbeddingClient | null;
}

const invent = (body: object, models: Models = { model: null, embedder: null }, as = owner) =>
  world.call(
    handler,
    { as, body: { rows: 500, ...body } },
    {
      inferTopics: ({ prompt }: { prompt: string }) =>
        inferTopics({ models, clock: createFastClock(100), random: () => 0.5 }, prompt),
    },
  );

/** Texts that share words are near each other. */
const embedder: EmbeddingClient = {
  modelId: 'words',
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(512);
      for (const word of text.toLowerCase().match(/[a-z]{4,}/g) ?? []) {
        let hash = 7;
        for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 509;
        vector[hash] = 1;
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    }),
};
const choosing = (...topics: string[]): Models => ({
  model: replying(JSON.stringify({ topics })).client,
  embedder,
});

describe('preference pairs', () => {
  const pairs = { domains: ['medical'], training_type: 'preference_pairs' };
  const withJudge = (judgeModelId: string | null, body: object = {}) =>
    world.call(handler, { as: owner, body: { rows: 500, ...pairs, ...body } }, { judgeModelId });

  test.each([true, false])(
    'pairs are refused, unpaid, where the installation has no judge (estimate: %s)',
    async (estimate) => {
      const { status, problem } = await withJudge(null, { estimate });

      expect([status, problem?.code]).toEqual([422, 'not_available_yet']);
      expect(problem?.message).toMatch(
        /has no judge model. Invent an instruction_dataset, or ask your operator/,
      );
      expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 0, available: 1000 });
    },
  );

  test('pairs are accepted where there is a judge, which the run measures', async () => {
    const { status, body } = await withJudge('a-judge');

    expect([status, body]).toMatchObject([200, { training_type: 'preference_pairs', status: 'running' }]);
  });
});

test('it starts a generation, and says what it costs and what is left', async () => {
  const { status, body } = await invent({ domains: ['medical'], name: 'Clinic' });

  expect([status, body]).toEqual([
    200,
    {
      estimate: false,
      id: expect.any(String),
      name: 'Clinic',
      training_type: 'instruction_dataset',
      domains: ['medical'],
      subdomains: [],
      dataset_prompt: expect.stringContaining('Topics: Medicine and health.'),
      rows: 500,
      status: 'running',
      created_at: expect.any(String),
      estimated_credits: 50,
      available_credits: 950,
    },
  ]);
  expect(await world.store.datasets.find(body.id ?? '')).toMatchObject({
    kind: 'invented',
    source_dataset_id: null,
    state: 'running',
    name: 'Clinic',
    team_id: owner.team_id,
  });
});

test('an estimate starts nothing and has the same fields', async () => {
  const { body } = await invent({ domains: ['art', 'legal'], estimate: true });

  expect(body).toMatchObject({
    estimate: true,
    id: null,
    status: null,
    created_at: null,
    name: 'Invented: Visual arts, Law',
    estimated_credits: 50,
    available_credits: 1000,
  });
  expect(world.executions.started.size).toBe(0);
});

test('rows in other languages are billed too', async () => {
  const expansion = { type: 'translate', languages: ['es', 'de'], sample_rate: 0.5 };

  const { body } = await invent({ domains: ['art'], language_expansion: expansion });

  expect([body.rows, body.estimated_credits]).toEqual([500, 100]);
  expect(
    (await invent({ domains: ['art'], language_expansion: null, estimate: true })).body.estimated_credits,
  ).toBe(50);
});

test('a description that is left out is written from the topics, and drives the rows as one that is given', async () => {
  const topics = { domains: ['medical', 'art'], subdomains: ['art.illustration'] };
  const requestOf = (id: string | null) =>
    JSON.parse(world.objects.text(`runs/${contextOf(world, id ?? '').run_id}/request.json`));

  const written = (await invent({ ...topics, rows: 3 })).body;
  const given = (await invent({ ...topics, rows: 3, dataset_prompt: 'Sad stories' })).body;

  expect(written.dataset_prompt).toMatch(/Topics: .*; Visual arts \(Illustration.*\)\.$/);
  expect(requestOf(written.id).dataset_prompt).toBe(written.dataset_prompt);
  expect((await invent({ ...topics, estimate: true })).body.dataset_prompt).toBe(written.dataset_prompt);
  expect([given.dataset_prompt, requestOf(given.id).dataset_prompt]).toEqual(['Sad stories', 'Sad stories']);
  const model = inventor();
  const shown: string[] = [];
  const generate: typeof model.generate = (request, signal) => {
    shown.push(request.messages.at(-1)?.content ?? '');
    return model.generate(request, signal);
  };
  await executeInvention(world, contextOf(world, written.id ?? ''), { ...model, generate });
  expect(
    shown
      .filter((each) => each.includes('Write request number'))
      .every((each) => each.includes(written.dataset_prompt)),
  ).toBe(true);
});

test('subdomains bring their domains, and narrow only those', async () => {
  const own = await invent({ subdomains: ['medical.medication', 'art.illustration'] });
  const both = await invent({ domains: ['medical', 'art'], subdomains: ['art.illustration'], rows: 3 });

  expect(own.body.domains).toEqual(['medical', 'art']);
  expect(both.body).toMatchObject({ domains: ['medical', 'art'], subdomains: ['art.illustration'] });
  const context = contextOf(world, both.body.id ?? '');
  const request = JSON.parse(world.objects.text(`runs/${context.run_id}/request.json`));
  expect(request.subdomains).toEqual([
    'medical.symptoms_diagnosis',
    'medical.preventive_care',
    'medical.medication',
    'medical.nutrition',
    'medical.chronic_conditions',
    'art.illustration',
  ]);
});

describe('topics that are not named', () => {
  const PROMPT = 'Questions of patients about medicine and their symptoms';

  test('topics that are not named are inferred from the prompt: the near domains by their embeddings, of those what the model says', async () => {
    const { client, requests } = replying('{"topics":["medical.symptoms_diagnosis","medical.medication"]}');

    const { body } = await invent({ dataset_prompt: PROMPT }, { model: client, embedder });

    expect(body).toMatchObject({
      domains: ['medical'],
      subdomains: ['medical.symptoms_diagnosis', 'medical.medication'],
    });
    const shown = requests[0]?.messages.at(-1)?.content ?? '';
    expect(shown).toContain(PROMPT);
    expect(shown).toContain('medical.symptoms_diagnosis: Symptoms and diagnosis');
    expect(shown).not.toContain('aviation_maritime');
  });

  test('topics that are not named are inferred from the older field too', async () => {
    const { body } = await invent({ prompt: PROMPT }, choosing('medical.nutrition'));

    expect(body.domains).toEqual(['medical']);
  });

  test.each([
    ['the model finds none that fits', choosing(), PROMPT, 'fits none'],
    ['nothing in the prompt is near a domain', choosing('medical.nutrition'), 'xq wv', 'fits none'],
    ['the model names what it was not given', choosing('medical.surgery'), PROMPT, 'cannot be inferred'],
    [
      'the model does not answer',
      { model: replying(new ModelError('misconfigured', 'no')).client, embedder },
      PROMPT,
      'cannot be inferred',
    ],
    ['there is no model', { model: null, embedder }, PROMPT, 'cannot be inferred'],
  ])(
    'topics that are not named are refused where %s, and never widened',
    async (_, models, prompt, message) => {
      for (const estimate of [true, false]) {
        const { status, problem } = await invent({ dataset_prompt: prompt, estimate }, models);

        expect([status, problem.code]).toEqual([400, 'domain_not_inferred']);
        expect(problem.message).toContain(message);
        expect(problem.message).toContain('Name domains or subdomains: GET /api/v1/datasets/invent/domains');
      }
      expect(world.executions.started.size).toBe(0);
      expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ held: 0 });
    },
  );

  test('topics that are not named are inferred as often in an hour as the plan says; requests that name topics never count', async () => {
    const { client, requests } = replying('{"topics":["medical.medication"]}');
    const limited = { ...owner, plan: { ...owner.plan, topic_inferences_per_hour: 2 } };
    const ask = (body: object) =>
      invent({ dataset_prompt: PROMPT, ...body }, { model: client, embedder }, limited);
    expect((await ask({ estimate: true })).status).toBe(200);
    expect((await ask({ rows: 1_000_000 })).problem.code).toBe('credits_insufficient');

    for (const body of [{ estimate: true }, {}]) {
      const { status, problem } = await ask(body);
      expect([status, problem.code]).toEqual([429, 'rate_limited']);
      expect(problem.details).toMatchObject([{ path: 'topic_inferences_per_hour', limit: 2 }]);
    }
    expect(requests).toHaveLength(2);
    expect((await ask({ domains: ['medical'] })).status).toBe(200);
  });

  test('topics that are not named are not inferred where any are named', async () => {
    const { client, requests } = replying('{"topics":[]}');

    const { body } = await invent({ domains: ['art'], dataset_prompt: PROMPT }, { model: client, embedder });

    expect(body.domains).toEqual(['art']);
    expect(requests).toEqual([]);
  });
});

test('a repeated key answers the first dataset as it stands now, also when nothing can be inferred any more', async () => {
  const body = { dataset_prompt: 'Medicine and symptoms', rows: 5, idempotency_key: 'k' };
  const first = await invent(body, choosing('medical.nutrition'));
  await executeInvention(world, contextOf(world, first.body.id ?? ''), inventor());

  const again = await invent(body);

  expect(again.body).toEqual({ ...first.body, status: 'succeeded' });
  expect(world.executions.started.size).toBe(1);
});

test('a repeated key with another request is refused', async () => {
  await invent({ domains: ['art'], idempotency_key: 'k' });

  const { status, problem } = await invent({ domains: ['legal'], idempotency_key: 'k' });

  expect([status, problem.code, problem.details?.[0]?.path]).toEqual([
    422,
    'idempotency_mismatch',
    'idempotency_key',
  ]);
});

test.each([
  ['no topic at all', {}, 'invalid_request', 'dataset_prompt'],
  ['empty lists of topics', { domains: [], subdomains: [] }, 'invalid_request', 'dataset_prompt'],
  ['no row', { rows: 0, domains: ['art'] }, 'invalid_request', 'rows'],
  ['a part of a row', { rows: 1.5, domains: ['art'] }, 'invalid_request', 'rows'],
  ['an unknown domain', { domains: ['art', 'alchemy'] }, 'domain_unknown', 'domains[1]'],
  ['an unknown subdomain', { subdomains: ['art.alchemy'] }, 'domain_unknown', 'subdomains[0]'],
  ['a subdomain that is not qualified', { subdomains: ['wildlife'] }, 'domain_unknown', 'subdomains[0]'],
  [
    'a subdomain of a domain that is not listed',
    { domains: ['art'], subdomains: ['legal.contracts'] },
    'invalid_request',
    'subdomains[0]',
  ],
  ['two prompts that differ', { dataset_prompt: 'one', prompt: 'another' }, 'invalid_request', 'prompt'],
  ['a prompt that is too long', { dataset_prompt: 'x'.repeat(10_001) }, 'invalid_request', 'dataset_prompt'],
  ['a name that is too long', { name: 'x'.repeat(256), domains: ['art'] }, 'invalid_request', 'name'],
  [
    'an unknown training type',
    { training_type: 'dpo', domains: ['art'] },
    'invalid_request',
    'training_type',
  ],
  [
    'an unknown language',
    { domains: ['art'], language_expansion: { type: 'translate', languages: ['q1'], sample_rate: 1 } },
    'language_unsupported',
    'language_expansion.languages[0]',
  ],
  [
    'a share of which no row in another language comes',
    {
      domains: ['art'],
      rows: 10,
      language_expansion: { type: 'translate', languages: ['es', 'fr'], sample_rate: 0.02 },
    },
    'invalid_request',
    'language_expansion.sample_rate',
  ],
])('%s is refused', async (_, body, code, path) => {
  const { status, problem } = await invent(body);

  expect([status, problem.code, problem.details?.[0]?.path]).toEqual([400, code, path]);
  expect(world.executions.started.size).toBe(0);
});

test('more rows than the plan allows are refused, those in other languages counted', async () => {
  const small = { ...owner, plan: { ...owner.plan, rows_per_launch: 600 } };
  const expansion = { type: 'translate', languages: ['es'], sample_rate: 0.5 };

  const { status, problem } = await invent(
    { domains: ['art'], language_expansion: expansion },
    undefined,
    small,
  );

  expect([status, problem.code, problem.details?.[0]]).toEqual([
    403,
    'plan_limit_exceeded',
    { path: 'rows', message: 'allows at most 600 rows', limit: 600 },
  ]);
  expect((await invent({ domains: ['art'] }, undefined, small)).status).toBe(200);
});

test('what the balance does not cover is refused', async () => {
  const { status, problem } = await invent({ rows: 10_001, domains: ['art'] });

  expect([status, problem.code]).toEqual([402, 'credits_insufficient']);
});
