import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createBooks } from '#shared/access/store/books.ts';
import { createIdempotencyRepository } from '#shared/access/store/idempotency.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createTokenLimiter } from '#shared/access/store/token-limiter.ts';
import { createVoucherRepository } from '#shared/access/store/vouchers.ts';
import { createSpeedStore } from '#shared/adaptation/store/speeds.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { createEvalRepository } from '#shared/evals/store/evals.ts';
import { createCustomEvalRepository } from '#shared/judging/store/custom-evals.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import {
  createFreeUseLimiter,
  createRateLimiter,
  createUnbilledAllowance,
} from '#shared/platform/store/rate-limiter.ts';
import type { Table } from '#shared/platform/store/table.ts';
import { createApprovalRepository } from '#shared/responses/store/approvals.ts';
import { createStackRepository } from '#shared/responses/store/stacks.ts';
import { createVerdictRepository } from '#shared/review/store/verdicts.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { createFinetuneJobRepository } from '#shared/training/store/finetune-jobs.ts';
import { trainingCompanion } from '#shared/training/store/training-transactions.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { createMemoryTable, type MemoryTable } from './memory-table.ts';

/** Every store of the service, on one table. */
export const createStores = (table: Table) => ({
  access: createAccessAdministration(table),
  approvals: createApprovalRepository(table),
  books: createBooks(table),
  claims: createClaims(table),
  customEvals: createCustomEvalRepository(table),
  datasets: createDatasetRepository(table),
  evals: createEvalRepository(table),
  finetuneJobs: createFinetuneJobRepository(table),
  freeUses: createFreeUseLimiter(table),
  idempotency: createIdempotencyRepository(table),
  ledger: createLedger(table, { train: trainingCompanion }),
  meter: createMeterRepository(table),
  rateLimiter: createRateLimiter(table),
  runs: createRunRepository(table),
  versions: createVersionRepository(table),
  speeds: createSpeedStore(table),
  stacks: createStackRepository(table),
  tokenLimiter: createTokenLimiter(table),
  trainings: createTrainingRepository(table),
  unbilled: createUnbilledAllowance(table),
  verdicts: createVerdictRepository(table),
  vouchers: createVoucherRepository(table),
});

export type Store = ReturnType<typeof createStores>;

/** The stores of the service on a table in memory. */
export function createMemoryStore(now: () => number = Date.now): Store & { readonly table: MemoryTable } {
  const table = createMemoryTable(now);
  return { ...createStores(table), table };
}
