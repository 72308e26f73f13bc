import { afterAll, expect, inject, test } from 'vitest';
import { createApiClient } from '#test/helpers/api-client.ts';
import { requireChaosSurvived } from '#test/helpers/chaos.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { watchCloudRuns } from '#test/helpers/cloud-runs.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';

const cloud = inject('cloud');
const runs = watchCloudRuns(cloud);
const ROWS = 5000;

afterAll(() => runs.close());

test(`a run of ${ROWS} rows whose processes are killed at random loses no row, doubles none, asks none again that was checkpointed, and is billed for what it delivers`, async () => {
  const admin = createCloudAdmin(cloud);
  const api = createApiClient(cloud.apiUrl, await admin.createKey('chaos', '--credits', '100'));

  await requireChaosSurvived({
    api,
    admin,
    model: controlScriptedModel(cloud.modelUrl),
    runs,
    team: 'chaos',
    rows: ROWS,
    latencyMilliseconds: 200,
    seed: 42,
  });

  expect(await admin.ledgerFaults('chaos')).toEqual([]);
});
