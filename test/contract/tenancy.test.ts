import { randomInt } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { handler as publish } from '#functions/api/autoscientist/publish.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { theConnections } from '#shared/platform/wire.ts';
import { createResponseRepository } from '#shared/responses/response-history.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { seedComparable, startComparison } from '#test/helpers/comparing.ts';
import { content, seedEval, seedRun } from '#test/helpers/evaluating.ts';
import { beginJob, jobParams } from '#test/helpers/fine-tuning.ts';
import { loadHandler } from '#test/helpers/handlers.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { seedModel } from '#test/helpers/published-model.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { seedBatch } from '#test/helpers/requesting.ts';
import { makeStored } from '#test/helpers/responses.ts';
import { bodies, queries } from '#test/helpers/sample-bodies.ts';
import { createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const namesIn = ({ path }: Pick<EndpointContract, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Endpoints of one thing; those of a dataset are tried in `every-endpoint.test.ts`, and models by the test of `models.get`. */
const cases = contracts
  .filter((contract) => contract.scope !== null && namesIn(contract).length > 0)
  .filter((contract) => !namesIn(contract).some((name) => name === 'dataset_id' || name === 'model'))
  .map((contract) => ({ id: contract.id, contract }));

/** Things inside of a thing of the owner's that are not there: nobody finds them. */
const MISSING_INSIDE: Readonly<Record<string, string>> = { position: '1', output_item_id: 'outputitem_1' };

const handlers = new Map<string, ServedHandler>();
let world: World;
let owner: Caller;

beforeAll(async () => {
  for (const { id, contract } of cases) handlers.set(id, await loadHandler(contract));
});
beforeEach(async () => {
  world = createWorld(Date.now, [standIn(theConnections, async () => 'hf_token')]);
  owner = await seedTeam(world.store, 1000);
});

/** Makes a thing of the owner's that the parameter names, and returns its id. */
const making: Readonly<Record<string, (params: Readonly<Record<string, string>>) => Promise<string>>> = {
  experiment_id: async () => (await seedModel(world, owner)).training.experiment_id,
  publish_id: async (params) => {
    const body = { target: 'huggingface', target_spec: { repo_name: 'model' } };
    return (await world.call(publish, { as: owner, params, body })).body.publish_id;
  },
  combine_job_id: async () => (await seedDataset(world.store, owner, { kind: 'combined' })).dataset_id,
  comparison_id: async () => {
    const active = await seedComparable(world);
    owner = active.caller;
    return (await startComparison(world, active)).run_id;
  },
  response_id: async () => {
    const stored = makeStored(['Hello']);
    const { id } = stored.response;
    await createResponseRepository(world.objects).put(owner.team_id, stored);
    await world.store.meter.record(
      {
        team_id: owner.team_id,
        response_id: id,
        model: 'a-model',
        input_tokens: 1,
        output_tokens: 1,
        cost_microcredits: 1,
        billed_microcredits: 0,
        admission_id: null,
        answered_at: new Date().toISOString(),
      },
      0,
    );
    return id;
  },
  file_id: async () =>
    fileIdOf((await seedDataset(world.store, owner, { state: 'succeeded', row_count: 3 })).dataset_id),
  fine_tuning_job_id: async () => jobParams(await beginJob(world, owner)).fine_tuning_job_id,
  batch_id: async () => (await seedBatch(world, owner)).id,
  eval_id: async () => (await seedEval(world, owner)).id,
  run_id: async ({ eval_id = '' }) =>
    (await seedRun(world, owner, eval_id, { type: 'jsonl', source: content(2, 1) })).id,
  webhook_id: async () => (await createWebhook(world, owner)).webhook_id,
};

/** An id of the same form that nothing has. */
const otherThan = (id: string): string =>
  id.replace(/[0-9a-f]{6}$/, () => randomInt(0x100000, 0xffffff).toString(16));

test.each(cases)(
  'a caller of another team cannot tell by $id whether there is what its path names',
  async ({ id, contract }) => {
    const handler = handlers.get(id) as ServedHandler;
    const params: Record<string, string> = {};
    for (const name of namesIn(contract)) {
      params[name] = MISSING_INSIDE[name] ?? (await (making[name] as (typeof making)[string])(params));
    }
    const ask = async (as: Caller, asked: Readonly<Record<string, string>>) => {
      const { status, text } = await world.call(handler, {
        as,
        params: asked,
        ...(id in bodies ? { body: bodies[id] } : {}),
        ...(id in queries ? { query: queries[id] ?? {} } : {}),
      });
      const named = Object.values(asked).reduce((rest, value) => rest.replaceAll(value, '<id>'), text);
      return { status, text: named.replaceAll(/"request_id":"[^"]*"/g, '') };
    };
    const nothing = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, otherThan(value)]),
    );

    const foreign = await ask(strangerTo(owner), params);
    const missing = await ask(strangerTo(owner), nothing);
    const own = await ask(owner, params);

    expect(foreign).toEqual(missing);
    expect(foreign.status).toBe(404);
    // What was made is there: else nothing would be shown.
    expect(own.status === 404).toBe(namesIn(contract).some((name) => name in MISSING_INSIDE));
  },
);
