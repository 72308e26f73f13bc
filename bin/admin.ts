import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretName } from '#infra/grants.ts';
import { functionName } from '#infra/names.ts';
import { emulatorIdentity } from '#local/emulator.ts';
import { parseEnvFile } from '#local/env-file.ts';
import { storeSecret } from '#local/model-key.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createVoucherRepository } from '#shared/access/store/vouchers.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { createStackRepository } from '#shared/responses/store/stacks.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { createFinetuneJobRepository } from '#shared/training/store/finetune-jobs.ts';
import { createTeamRecords } from '#shared/transfer/store/team-records.ts';
import type { AdminPorts } from './admin/context.ts';
import { createAdminProgram } from './admin-program.ts';
import { connectAccount } from './deploy/account.ts';
import { poolOf } from './pool-file.ts';

const LOCAL_STAGE = 'local';

/** Sets environment variables that are not set. */
function complete(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] ||= value;
}

/** An environment variable; an empty one counts as not set. */
const setting = (name: string): string | undefined => process.env[name] || undefined;

/** The outputs of a stack of a stage, as stored by the deployment; empty if there are none. */
function outputsOf(stage: string, part: 'data' | 'api' = 'data'): Record<string, string> {
  const folder = stage === LOCAL_STAGE ? localDirectory : join(repositoryRoot, 'cdk.out');
  const path = join(folder, 'outputs.json');
  if (!existsSync(path)) return {};
  const stacks = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>;
  return stacks[`tunesmith-${stage}-${part}`] ?? {};
}

function connect(given: string | undefined): AdminPorts {
  const stage = given ?? setting('STAGE') ?? (setting('TABLE_NAME') === undefined ? LOCAL_STAGE : undefined);
  const envFile = join(localDirectory, 'env');
  if (stage === LOCAL_STAGE && existsSync(envFile)) complete(parseEnvFile(readFileSync(envFile, 'utf8')));
  if (setting('AWS_ENDPOINT_URL') !== undefined && setting('AWS_ACCESS_KEY_ID') === undefined) {
    complete({
      AWS_ACCESS_KEY_ID: emulatorIdentity.accessKeyId,
      AWS_SECRET_ACCESS_KEY: emulatorIdentity.secretAccessKey,
      AWS_REGION: emulatorIdentity.region,
    });
  }
  if (stage === LOCAL_STAGE && setting('AWS_ENDPOINT_URL') === undefined) {
    throw new Error(
      'The local cloud is not running. Start it (npm run local), or name a deployed stage (--stage NAME).',
    );
  }
  const deployed = stage === undefined ? undefined : outputsOf(stage).TableName;
  const named = setting('TABLE_NAME');
  const tableName = given === undefined ? (named ?? deployed) : (deployed ?? named);
  if (tableName === undefined) {
    throw new Error(
      `It is not known which table the stage "${stage}" has. Set TABLE_NAME to the output TableName of its data stack.`,
    );
  }

  const table = createTable(tableName);
  const stageMissing = (what: string) => new Error(`Name the stage whose ${what} is meant: --stage NAME.`);
  const objectsOf = (what: string): ObjectStore => {
    const bucket =
      (given === undefined ? setting('BUCKET_NAME') : undefined) ?? (stage && outputsOf(stage).BucketName);
    if (bucket === undefined) throw stageMissing(what);
    const isEmulated = setting('AWS_ENDPOINT_URL') !== undefined;
    return createObjectStore(bucket, createS3Client(isEmulated));
  };
  return {
    access: createAccessAdministration(table),
    datasets: createDatasetRepository(table),
    vouchers: createVoucherRepository(table),
    meter: createMeterRepository(table),
    stacks: createStackRepository(table),
    audit: createAuditLog(table),
    whoAmI: async () => (await connectAccount().identity(AbortSignal.timeout(20_000))).arn,
    deployments: createDeploymentRepository(table),
    finetuneJobs: createFinetuneJobRepository(table),
    ledger: createLedger(table),
    runs: createRunRepository(table),
    cancel: async (run) => {
      if (stage === undefined) throw new Error('Name the stage whose run is meant: --stage NAME.');
      return callFunction(functionName(stage, 'tasks/runs/cancel-run'), run);
    },
    probeAccess: () => {
      if (stage === undefined) throw stageMissing('probe');
      return {
        apiUrl: outputsOf(stage, 'api').ApiUrl,
        store: (access) => storeSecret(secretName(stage, 'probe_access'), JSON.stringify(access)),
      };
    },
    sweep: async () => {
      if (stage === undefined) throw new Error('Name the stage whose sweeper is meant: --stage NAME.');
      return callFunction(functionName(stage, 'consumers/sweep-runs'), {});
    },
    pool: () => {
      if (stage === undefined) throw stageMissing('pool');
      return poolOf(stage, objectsOf('pool'));
    },
    transfer: () => ({ records: createTeamRecords(table), objects: objectsOf('team') }),
    newId: randomUUID,
    randomBytes,
    now: Date.now,
  };
}

// The SDK's warning about Node versions concerns the deployed functions, which run a newer one.
complete({ AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' });

const program = createAdminProgram({
  connect,
  print: (line) => process.stdout.write(`${line}\n`),
  fail: () => {
    process.exitCode = 1;
  },
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
