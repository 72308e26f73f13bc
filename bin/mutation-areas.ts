/**
 * What must never be wrong, for `npm run test:mutations`: the files that Stryker breaks, the unit tests that must notice,
 * and the least share of mutants that they kill. Paths are whole, so that a search and replace moves them.
 */
interface MutationArea {
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Percent, as measured and rounded down (docs/testing.md). */
  readonly threshold: number;
}

export const areas = {
  money: {
    files: [
      'shared/domain/ledger/ending.ts',
      'shared/domain/ledger/invariant.ts',
      'shared/domain/ledger/launch.ts',
      'shared/domain/pricing/prices.ts',
      'shared/domain/responses/meter.ts',
      'shared/domain/training/price.ts',
      'shared/domain/vouchers/record.ts',
      'shared/operations/bill-growth.ts',
      'shared/operations/bill-training.ts',
      'shared/operations/meter-usage.ts',
      'shared/operations/release-lost-answers.ts',
      'shared/operations/sweep-meters.ts',
    ],
    tests: [
      'test/helpers/memory-store.test.ts',
      'test/shared/domain/ledger/ending.test.ts',
      'test/shared/domain/ledger/invariant.test.ts',
      'test/shared/domain/ledger/launch.test.ts',
      'test/shared/domain/pricing/prices.test.ts',
      'test/shared/domain/responses/meter.test.ts',
      'test/shared/domain/training/price.test.ts',
      'test/shared/domain/vouchers/record.test.ts',
      'test/shared/operations/bill-growth.test.ts',
      'test/shared/operations/meter-usage.test.ts',
      'test/shared/operations/settled-credits.test.ts',
    ],
    threshold: 93,
  },
  tenancy: {
    files: [
      'functions/api/authorizer.ts',
      'shared/domain/access/api-key.ts',
      'shared/domain/access/authenticate.ts',
      'shared/domain/access/caller.ts',
      'shared/domain/access/organization.ts',
      'shared/domain/cursor.ts',
      'shared/domain/ingest/upload.ts',
      'shared/operations/issue-key.ts',
    ],
    tests: [
      'test/functions/api/authorizer.test.ts',
      'test/functions/api/datasets/uploads/complete.test.ts',
      'test/shared/domain/access/api-key.test.ts',
      'test/shared/domain/access/authenticate.test.ts',
      'test/shared/domain/access/organization.test.ts',
      'test/shared/domain/cursor.test.ts',
      'test/shared/domain/ingest/upload.test.ts',
      'test/shared/operations/issue-key.test.ts',
    ],
    threshold: 96,
  },
  secrets: {
    files: [
      'shared/adapters/mcp/redact-credential.ts',
      'shared/adapters/secrets/connection-reader.ts',
      'shared/adapters/secrets/secret-reader.ts',
      'shared/adapters/sts/credential-lender.ts',
      'shared/domain/responses/approvals.ts',
      'shared/domain/responses/tool-catalog.ts',
      'shared/domain/training/attempt-policy.ts',
      'shared/domain/training/attempt-secret.ts',
      'shared/operations/lend-credentials.ts',
      'shared/runtime/logger.ts',
    ],
    tests: [
      'test/shared/adapters/mcp/redact-credential.test.ts',
      'test/shared/adapters/secrets/connection-reader.test.ts',
      'test/shared/adapters/secrets/secret-reader.test.ts',
      'test/shared/adapters/sts/credential-lender.test.ts',
      'test/shared/domain/responses/approvals.test.ts',
      'test/shared/domain/responses/tool-catalog.test.ts',
      'test/shared/domain/training/attempt-policy.test.ts',
      'test/shared/domain/training/attempt-secret.test.ts',
      'test/shared/operations/lend-credentials.test.ts',
      'test/shared/runtime/logger.test.ts',
    ],
    threshold: 98,
  },
  runs: {
    files: [
      'shared/domain/datasets/lifecycle.ts',
      'shared/domain/runs/record.ts',
      'shared/operations/cancel-run.ts',
      'shared/operations/finish-run.ts',
      'shared/operations/read-results.ts',
      'shared/operations/run-rows.ts',
      'shared/operations/settle-ended-execution.ts',
      'shared/operations/settle-growth.ts',
      'shared/operations/settle-run.ts',
      'shared/operations/sweep-runs.ts',
    ],
    tests: [
      'test/shared/domain/datasets/lifecycle.test.ts',
      'test/shared/domain/runs/record.test.ts',
      'test/shared/operations/cancel-run.test.ts',
      'test/shared/operations/collect-run.test.ts',
      'test/shared/operations/finish-run.test.ts',
      'test/shared/operations/run-rows.test.ts',
      'test/shared/operations/settle-ended-execution.test.ts',
      'test/shared/operations/settle-growth.test.ts',
      'test/shared/operations/settle-run.test.ts',
      'test/shared/operations/sweep-runs.test.ts',
    ],
    threshold: 94,
  },
} as const satisfies Record<string, MutationArea>;

export type AreaName = keyof typeof areas;
