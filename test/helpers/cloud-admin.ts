import { randomBytes, randomUUID } from 'node:crypto';
import { createAdminProgram } from '#bin/admin-program.ts';
import { poolOf } from '#bin/pool-file.ts';
import { functionName } from '#infra/names.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createVoucherRepository } from '#shared/access/store/vouchers.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { createStackRepository } from '#shared/responses/store/stacks.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { createFinetuneJobRepository } from '#shared/training/store/finetune-jobs.ts';
import { createTeamRecords } from '#shared/transfer/store/team-records.ts';
import type { TestCloud } from '#test/helpers/cloud-setup.ts';

export interface CloudAdmin {
  /** Runs an administrator's command and answers the lines that it prints. */
  run(...args: readonly string[]): Promise<string[]>;
  /** A key of a team, which is made where it is new. */
  createKey(team: string, ...args: readonly string[]): Promise<string>;
  /** Every fault of the ledger, of one team or of all. */
  ledgerFaults(team?: string): Promise<string[]>;
}

/** The administrator's commands on the cloud of the tests, without a process for each of them. */
export function createCloudAdmin(cloud: TestCloud): CloudAdmin {
  const table = createTable(cloud.tableName);
  const execute = async (args: readonly string[]): Promise<{ lines: string[]; failed: boolean }> => {
    const lines: string[] = [];
    let failed = false;
    const program = createAdminProgram({
      connect: () => ({
        access: createAccessAdministration(table),
        datasets: createDatasetRepository(table),
        vouchers: createVoucherRepository(table),
        meter: createMeterRepository(table),
        stacks: createStackRepository(table),
        audit: createAuditLog(table),
        whoAmI: async () => 'arn:aws:iam::000000000000:user/tester',
        deployments: createDeploymentRepository(table),
        finetuneJobs: createFinetuneJobRepository(table),
        ledger: createLedger(table),
        runs: createRunRepository(table),
        cancel: (run) => callFunction(functionName('local', 'tasks/runs/cancel-run'), run),
        probeAccess: () => {
          throw new Error('Tests have no probe.');
        },
        sweep: () => callFunction(functionName('local', 'consumers/sweep-runs'), {}),
        pool: () => poolOf('local', createObjectStore(cloud.bucketName, createS3Client(true))),
        transfer: () => ({
          records: createTeamRecords(table),
          objects: createObjectStore(cloud.bucketName, createS3Client(true)),
        }),
        newId: randomUUID,
        randomBytes,
        now: Date.now,
      }),
      print: (line) => lines.push(line),
      fail: () => {
        failed = true;
      },
    });
    await program.parseAsync(args, { from: 'user' });
    return { lines, failed };
  };
  return {
    run: async (...args) => (await execute(args)).lines,
    createKey: async (team, ...args) => {
      const { lines } = await execute(['key', 'create', '--team', team, ...args]);
      return lines[0] ?? '';
    },
    ledgerFaults: async (team) => {
      const { lines, failed } = await execute([
        'ledger',
        'check',
        ...(team === undefined ? [] : ['--team', team]),
      ]);
      return failed ? lines.filter((line) => line.startsWith('Team ')) : [];
    },
  };
}
