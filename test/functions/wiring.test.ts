import { expect, test } from 'vitest';
import { functionIds } from '#infra/names.ts';
import { theHubs } from '#shared/ingest/wire/download-files.ts';
import { bind, type Needs } from '#shared/platform/runtime/need.ts';
import { theHuggingFace, theKaggle } from '#shared/publishing/wire/publish.ts';
import { theToolServerClient } from '#shared/responses/wire/tool-server-client.ts';
import { theCredentialLender } from '#shared/training/wire/lend-credentials.ts';
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
    standIn(theHuggingFace, refused),
    standIn(theKaggle, refused),
    standIn(theToolServerClient, { list: refused, call: refused, leave: refused }),
    standIn(theCredentialLender, { lend: refused }),
  ]);

  const bound = bind(handler.needs, world.use);

  expect(Object.keys(bound)).toEqual(Object.keys(handler.needs));
  expect(Object.values(bound)).not.toContain(undefined);
});
