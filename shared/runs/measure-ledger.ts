import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import type { Ledger } from './decide/ledger/repository.ts';
import type { RunRecord } from './decide/record.ts';

/**
 * The cause of a failed run: the caller, whose file or request was the reason, or the service. Runs with too many
 * failed rows count as the service's: mostly the model is the reason.
 */
function causeOf(code: string | undefined): 'caller' | 'service' {
  if (code === undefined || !Object.hasOwn(errorCatalog, code) || code === 'too_many_rows_failed') {
    return 'service';
  }
  return errorCatalog[code as ErrorCode].status >= 500 ? 'service' : 'caller';
}

const idsOf = ({ run_id, dataset_id, team_id, pipeline }: RunRecord) => ({
  run_id,
  dataset_id,
  team_id,
  pipeline,
});

function recordEnd(run: RunRecord): void {
  const { pipeline, status, counts } = run;
  const seconds = (Date.parse(run.ended_at ?? run.started_at) - Date.parse(run.started_at)) / 1000;
  const settled = run.settled_credits ?? 0;
  logger.info('run ended', {
    ...idsOf(run),
    status,
    seconds,
    settled_credits: settled,
    ...(run.error_data === null ? {} : { code: run.error_data.code }),
  });
  if (status === 'succeeded') recordMetric('RunsSucceeded', { pipeline });
  else recordMetric('RunsFailed', { pipeline, cause: causeOf(run.error_data?.code) });
  recordMetric('RunSeconds', { pipeline }, seconds);
  recordMetric('CreditsSettled', {}, settled);
  recordMetric('CreditsReturned', {}, run.reserved_credits - settled);
  const { total: _total, ...outcomes } = counts ?? { total: 0 };
  for (const [outcome, rows] of Object.entries(outcomes)) recordMetric('Rows', { outcome }, rows);
}

/** The ledger with logs and metrics: every run starts and ends through it. */
export function measureLedger(ledger: Ledger): Ledger {
  return {
    ...ledger,
    async launch(launch) {
      const launched = await ledger.launch(launch);
      if (launched.replayed === null) {
        const { run } = launch;
        logger.info('run started', { ...idsOf(run), reserved_credits: run.reserved_credits });
        recordMetric('RunsStarted', { pipeline: run.pipeline });
        recordMetric('CreditsReserved', {}, run.reserved_credits);
      }
      return launched;
    },
    async end(ending) {
      const run = await ledger.end(ending);
      // A run that had already ended returns its first ending.
      if (run.ended_at === ending.endedAt && run.status === ending.status) recordEnd(run);
      return run;
    },
  };
}
