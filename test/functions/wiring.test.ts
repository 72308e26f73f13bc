import { expect, test } from 'vitest';
import { functionIds } from '#infra/names.ts';
import { theBaseModels } from '#shared/deployments/wire.ts';
import { theHubs } from '#shared/ingest/wire.ts';
import { bind, type Needs } from '#shared/platform/runtime/need.ts';
import { theApi } from '#shared/probe/wire.ts';
import { theHuggingFace, theKaggle } from '#shared/publishing/wire.ts';
import { theToolServerClient } from '#shared/responses/wire-responder.ts';
import { theReceiver } from '#shared/telemetry/wire.ts';
import {
  theCredentialLender,
  theTaskTokens,
  theTrainerQueue,
  theTrainingJobLauncher,
  theTrainingJobs,
} from '#shared/training/wire.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { createWorld } from '#test/helpers/world.ts';

const refused = async (): Promise<never> => {
  throw new Error('This test asks nothing.');
};

test.each([...functionIds])('the needs of %s can be made in memory', async (id) => {
  const { handler } = (await import(/* @vite-ignore */ `../../functions/${id}.ts`)) as {
    handler: { needs: Needs };
  };
  const world = createWorld(Date.now, [
    standIn(theHubs, refused),
    standIn(theBaseModels, { find: refused, read: refused } as never),
    standIn(theHuggingFace, refused),
    standIn(theKaggle, refused),
    standIn(theToolServerClient, { list: refused, call: refused, leave: refused }),
    standIn(theCredentialLender, { lend: refused }),
    standIn(theTaskTokens, { succeed: refused, fail: refused } as never),
    standIn(theTrainerQueue, refused as never),
    standIn(theTrainingJobs, { stop: refused } as never),
    standIn(theReceiver, refused),
    standIn(theApi, refused as never),
    standIn(theTrainingJobLauncher, { launch: refused } as never),
  ]);

  const settings = {
    BUCKET_NAME: 'data',
    FUNCTION_NAME_TASKS_ATTEMPTS_LEND_CREDENTIALS: 'lender',
    MODEL_PROVIDER: 'openai',
  };
  const bound = bind(handler.needs, world.installed(settings));

  expect(Object.keys(bound)).toEqual(Object.keys(handler.needs));
  expect(Object.values(bound)).not.toContain(undefined);
});
