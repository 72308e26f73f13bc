import { randomUUID } from 'node:crypto';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { functionName } from '#infra/names.ts';
import { checkTeamLedger } from '#shared/access/check-ledger.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { createS3Client } from '#shared/platform/adapters/object-store.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { type AuditPorts, recorded } from './audit-trail.ts';
import { connectAccount } from './deploy/account.ts';
import { awsVariables, regionOfProfile } from './deploy/aws-environment.ts';
import { PRESENT, requireReadable } from './deploy/releases.ts';
import { findStores } from './deploy/stage.ts';
import { readRestoreArguments } from './restore/arguments.ts';
import { copyItems, dropTable, namingTable, requireRestorable, restoreTable } from './restore/copy-items.ts';
import { copyObjectsAt } from './restore/copy-objects.ts';
import { throwAwayWarning } from './restore/throw-away.ts';

/**
 * `npm run restore -- --from STAGE --into NEW_STAGE --to TIME`: brings the rows, credits, trainings and keys that a stage had at
 * a moment into a new stage, which is deployed and has no team yet. The stage that it reads stays as it is.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

async function storesOf(stage: string) {
  const stores = await findStores(connectAccount(), stage);
  if (stores !== null) return stores;
  throw new Error(`The stage "${stage}" is not deployed here: npm run deploy -- -c stage=${stage}`);
}

/** Runs a step, and prints how long it took and what came of it. */
async function step<T>(name: string, work: () => Promise<T>, words: (result: T) => string): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(
    `${((performance.now() - started) / 1000).toFixed(1).padStart(8)} s  ${name}: ${words(result)}`,
  );
  return result;
}

/** Prints a count where a person watches. */
const count = (what: string) => (n: number) => {
  if (process.stdout.isTTY) process.stdout.write(`\r${n} ${what} `);
};

/** Both stages tell of it: one that its data left, the other one where it is from. */
async function restore(): Promise<void> {
  const given = readRestoreArguments(process.argv.slice(2), Date.now());
  Object.assign(process.env, await awsVariables(given.profile, process.env, regionOfProfile));
  const account = connectAccount();
  const [source, target] = await Promise.all([storesOf(given.from), storesOf(given.into)]);
  requireReadable(source.dataFormat, PRESENT);
  const auditOf = ({ table }: Stores): AuditPorts => ({
    audit: createAuditLog(createTable(table)),
    whoAmI: async () => (await account.identity(AbortSignal.timeout(20_000))).arn,
    newId: randomUUID,
    now: Date.now,
  });
  const { from, into } = given;
  const told = { from, into, to: new Date(given.to).toISOString() };
  await recorded(auditOf(target), 'restore', told, () =>
    recorded(auditOf(source), 'restore', told, () => bring(given, source, target)),
  );
}

type Given = ReturnType<typeof readRestoreArguments>;
type Stores = Awaited<ReturnType<typeof storesOf>>;

/** Brings what `source` had at a moment into `target`. */
async function bring(given: Given, source: Stores, target: Stores): Promise<void> {
  const table = createTable(target.table);
  const access = createAccessAdministration(table);
  if ((await access.listTeams()).length > 0) {
    throw new Error(`The stage "${given.into}" has teams already: restore into a new stage.`);
  }
  console.log(
    `The stage "${given.from}" of ${new Date(given.to).toISOString()}, into the stage "${given.into}"`,
  );
  const client = new DynamoDBClient({});
  if (given.table === null) await requireRestorable(client, source.table, given.to);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: target.table }));
  const warning = throwAwayWarning(given.into, Table?.DeletionProtectionEnabled);
  if (warning !== null) console.error(warning);
  const objects = createS3Client(Boolean(process.env.AWS_ENDPOINT_URL));
  await step(
    'Objects',
    () =>
      copyObjectsAt(objects, { from: source.bucket, to: target.bucket, time: given.to }, (copied) =>
        count('objects')(copied.objects),
      ),
    (copied) => `${copied.objects} copied, ${(copied.bytes / 1e6).toFixed(1)} MB`,
  );
  const restored = given.table ?? `${source.table}-restored-${Date.now()}`;
  if (given.table === null) {
    await step(
      'Table',
      () => restoreTable(client, source.table, restored, given.to),
      () => restored,
    );
  }
  // The keys of callers are among the items: nobody gets in before the objects are there.
  await step(
    'Items',
    () =>
      namingTable(restored, () => copyItems(client, { from: restored, to: target.table }, count('items'))),
    ({ copied, leftOut }) => `${copied} copied, ${leftOut} of the moment left out`,
  );
  if (given.table === null) await dropTable(client, restored);
  await step(
    'Runs of that moment',
    () => callFunction(functionName(given.into, 'consumers/sweep-runs'), {}),
    (swept) => `ended by the sweeper: ${JSON.stringify(swept)}`,
  );
  await step(
    'Ledger',
    () => ledgerFaults(table),
    (teams) => `the sums of ${teams} teams hold`,
  );
}

/** @returns the number of teams @throws {Error} that names what does not hold */
async function ledgerFaults(table: ReturnType<typeof createTable>): Promise<number> {
  const teams = await createAccessAdministration(table).listTeams();
  const ports = { ledger: createLedger(table), meter: createMeterRepository(table) };
  const found: string[] = [];
  for (const { name, team_id } of teams) {
    const { faults } = await checkTeamLedger(ports, team_id);
    found.push(...faults.map((fault) => `Team "${name}" (${team_id}): ${fault}.`));
  }
  if (found.length > 0) throw new Error(`The ledger does not hold:\n${found.join('\n')}`);
  return teams.length;
}

try {
  await restore();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
