import { randomBytes, randomUUID } from 'node:crypto';
import { functionName } from '#infra/names.ts';
import { createAccessAdministration } from '#shared/adapters/dynamodb/access.ts';
import { createDatasetRepository } from '#shared/adapters/dynamodb/datasets.ts';
import { createFinetuneJobRepository } from '#shared/adapters/dynamodb/finetune-jobs.ts';
import { createLedger } from '#shared/adapters/dynamodb/ledger.ts';
import { createMeterRepository } from '#shared/adapters/dynamodb/meter.ts';
import { createRunRepository } from '#shared/adapters/dynamodb/runs.ts';
import { createStackRepository } from '#shared/adapters/dynamodb/stacks.ts';
import { createTable } from '#shared/adapters/dynamodb/table.ts';
import { createVoucherRepository } from '#shared/adapters/dynamodb/vouchers.ts';
import { callFunction } from '#shared/adapters/lambda/call-function.ts';
import { createObjectStore, createS3Client } from '#shared/adapters/s3/object-store.ts';
import type { TestCloud } from '#test/helpers/cloud-setup.ts';
import { createAdminProgram } from '../../bin/admin-program.ts';
import { poolOf } from '../../bin/pool-file.ts';

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
        finetuneJobs: createFinetuneJobRepository(table),
        ledger: createLedger(table),
        runs: createRunRepository(table),
        cancel: (run) => callFunction(functionName('local', 'tasks/runs/cancel-run'), run),
        sweep: () => callFunction(functionName('local', 'consumers/sweep-runs'), {}),
        pool: () => poolOf('local', createObjectStore(cloud.bucketName, createS3Client(true))),
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
