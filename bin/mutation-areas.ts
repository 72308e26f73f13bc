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
      'shared/runs/decide/ledger/ending.ts',
      'shared/access/decide/ledger/invariant.ts',
      'shared/runs/decide/ledger/launch.ts',
      'shared/access/decide/prices.ts',
      'shared/access/decide/meter.ts',
      'shared/training/decide/price.ts',
      'shared/access/decide/vouchers/record.ts',
      'shared/growth/bill-growth.ts',
      'shared/training/bill-training.ts',
      'shared/access/bill-answer.ts',
      'shared/access/meter-usage.ts',
      'shared/access/reserve-answer.ts',
      'shared/access/release-lost-answers.ts',
      'shared/access/sweep-meters.ts',
      'shared/access/read-usage.ts',
      'shared/access/read-credit-usage.ts',
    ],
    tests: [
      'test/helpers/memory-store.test.ts',
      'test/shared/runs/decide/ledger/ending.test.ts',
      'test/shared/access/decide/ledger/invariant.test.ts',
      'test/shared/runs/decide/ledger/launch.test.ts',
      'test/shared/access/decide/prices.test.ts',
      'test/shared/access/decide/meter.test.ts',
      'test/shared/training/decide/price.test.ts',
      'test/shared/access/decide/vouchers/record.test.ts',
      'test/shared/growth/bill-growth.test.ts',
      'test/shared/access/meter-usage.test.ts',
      'test/functions/api/credits/usage.test.ts',
      'test/shared/adaptation/settled-credits.test.ts',
    ],
    threshold: 93,
  },
  tenancy: {
    files: [
      'functions/api/authorizer.ts',
      'shared/access/decide/api-key.ts',
      'shared/access/decide/authenticate.ts',
      'shared/platform/access/caller.ts',
      'shared/platform/access/organization.ts',
      'shared/platform/cursor.ts',
      'shared/ingest/decide/upload.ts',
      'shared/access/issue-key.ts',
      'shared/access/decide/ledger/listing.ts',
    ],
    tests: [
      'test/functions/api/authorizer.test.ts',
      'test/functions/api/datasets/uploads/complete.test.ts',
      'test/shared/access/decide/api-key.test.ts',
      'test/shared/access/decide/authenticate.test.ts',
      'test/shared/platform/access/organization.test.ts',
      'test/shared/platform/cursor.test.ts',
      'test/shared/ingest/decide/upload.test.ts',
      'test/shared/access/issue-key.test.ts',
      'test/functions/api/credits/ledger.test.ts',
    ],
    threshold: 96,
  },
  secrets: {
    files: [
      'shared/responses/adapters/mcp/redact-credential.ts',
      'shared/platform/adapters/connection-reader.ts',
      'shared/platform/adapters/secret-reader.ts',
      'shared/training/adapters/credential-lender.ts',
      'shared/responses/decide/approvals.ts',
      'shared/responses/decide/tool-catalog.ts',
      'shared/training/decide/attempt-policy.ts',
      'shared/training/decide/attempt-secret.ts',
      'shared/training/lend-credentials.ts',
      'shared/platform/runtime/logger.ts',
    ],
    tests: [
      'test/shared/responses/adapters/mcp/redact-credential.test.ts',
      'test/shared/platform/adapters/connection-reader.test.ts',
      'test/shared/platform/adapters/secret-reader.test.ts',
      'test/shared/training/adapters/credential-lender.test.ts',
      'test/shared/responses/decide/approvals.test.ts',
      'test/shared/responses/decide/tool-catalog.test.ts',
      'test/shared/training/decide/attempt-policy.test.ts',
      'test/shared/training/decide/attempt-secret.test.ts',
      'test/shared/training/lend-credentials.test.ts',
      'test/shared/platform/runtime/logger.test.ts',
    ],
    threshold: 98,
  },
  runs: {
    files: [
      'shared/datasets/decide/states.ts',
      'shared/runs/decide/record.ts',
      'shared/lifecycle/cancel-run.ts',
      'shared/lifecycle/finish-run.ts',
      'shared/runs/read-results.ts',
      'shared/runs/run-rows.ts',
      'shared/lifecycle/settle-ended-execution.ts',
      'shared/growth/settle-growth.ts',
      'shared/runs/settle-run.ts',
      'shared/lifecycle/sweep-runs.ts',
    ],
    tests: [
      'test/shared/datasets/decide/states.test.ts',
      'test/shared/runs/decide/record.test.ts',
      'test/shared/lifecycle/cancel-run.test.ts',
      'test/shared/adaptation/collect-run.test.ts',
      'test/shared/lifecycle/finish-run.test.ts',
      'test/shared/runs/run-rows.test.ts',
      'test/shared/lifecycle/settle-ended-execution.test.ts',
      'test/shared/growth/settle-growth.test.ts',
      'test/shared/runs/settle-run.test.ts',
      'test/shared/lifecycle/sweep-runs.test.ts',
    ],
    threshold: 94,
  },
} as const satisfies Record<string, MutationArea>;

export type AreaName = keyof typeof areas;
