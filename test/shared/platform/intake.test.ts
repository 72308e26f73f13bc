import { expect, test } from 'vitest';
import { endpointFunctionId } from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import { createEnv } from '#shared/platform/runtime/env.ts';
import { createUse, type Resource } from '#shared/platform/runtime/need.ts';
import { INTAKE_CLAIM } from '#shared/platform/storage/claims.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { intake } from '#shared/platform/wire.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { createMemoryTable } from '#test/helpers/memory-table.ts';

test('the intake refuses what starts while it is closed, for a minute at a time, and opens when the claim ends', async () => {
  let now = Date.UTC(2026, 10, 29);
  const table = createMemoryTable(() => now);
  const connect = <T>(_wanted: Resource<T>): T => table as T;
  const requireOpen = intake.create(createUse(createEnv({}), connect));

  await requireOpen();
  await createClaims(table).take(INTAKE_CLAIM, 300, 'a deployment');
  await expect(requireOpen()).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 60 });
  now += 301_000;
  await requireOpen();
});

test('every function of the API that starts executions may read the item that closes the intake', () => {
  const starting = contracts.map(endpointFunctionId).filter((id) => permissionsOf(id).starts !== undefined);

  expect(starting.length).toBeGreaterThan(10);
  for (const id of starting) expect(permissionsOf(id).table, id).toBeDefined();
});
