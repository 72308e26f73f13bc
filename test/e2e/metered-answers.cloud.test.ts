import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ANSWER_MILLISECONDS_MAX } from '#shared/access/decide/meter.ts';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createTokenLimiter } from '#shared/access/store/token-limiter.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { makeCaller } from '#test/helpers/records.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const TEAM = 'metered';

test('the deployed sweeper returns what answers left behind, and operators see what they used', async () => {
  await admin.createKey(TEAM, '--credits', '100');
  const table = createTable(cloud.tableName);
  const team = await createAccessAdministration(table).findTeamByName(TEAM);
  if (team === null) throw new Error('The team is not there.');
  const before = Date.now() - ANSWER_MILLISECONDS_MAX;
  const meter = createUsageMeter({
    meter: createMeterRepository(table),
    limiter: createTokenLimiter(table),
    newId: randomUUID,
    now: () => before,
    random: Math.random,
    onUnbilled: () => {
      throw new Error('an answer was not billed');
    },
  });
  const microcredits = 2_500_000;
  const caller = makeCaller({ team_id: team.team_id });
  const admit = () => meter.admit(caller, { microcredits, tokens: 1500 }, before);
  const [answered] = await Promise.all([admit(), admit(), admit()]);
  await answered.settle({
    response_id: randomUUID(),
    model: 'qwen',
    microcredits,
    input_tokens: 500,
    output_tokens: 1000,
  });
  expect(await admin.ledgerFaults(TEAM)).toEqual([]);

  const [swept = '{}'] = await admin.run('sweep');

  expect(JSON.parse(swept)).toMatchObject({ answers_lost: 2 });
  expect(JSON.parse(swept).credits_returned).toBeGreaterThanOrEqual(5);
  // 2.5 credits were used: two are settled, and one is held of which half is.
  expect((await admin.run('ledger', 'check', '--team', TEAM)).at(-1)).toMatch(/ 100 +2 +1 +97 +holds$/);
  expect((await admin.run('usage', '--team', TEAM)).at(-1)).toMatch(
    /^in all +- +1 +500 +1000 +2.500 +2.500$/,
  );
});
