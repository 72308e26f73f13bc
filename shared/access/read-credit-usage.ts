import type { Books } from './decide/ledger/books.ts';
import { MICROCREDITS } from './decide/meter.ts';
import type { MeterRepository } from './decide/meter-repository.ts';
import { daysUntil, readUsage, sumUsage, type UsageSums } from './read-usage.ts';
import type { AnswerCost, AnswersUsage, CreditUsage, RunsUsage, UsageDay } from './schema/credits.ts';

export interface CreditUsagePorts {
  readonly meter: Pick<MeterRepository, 'listDays'>;
  readonly books: Pick<Books, 'listBilledRuns'>;
  /** Entries of the ledger that are read at most, the newest ones. */
  readonly entriesMax: number;
}

/**
 * What a team used in the last `days` days (UTC, including today), every one of them listed: answers by model, from the
 * daily sums of its meter, and what runs were billed, from the newest entries of its ledger.
 */
export async function readCreditUsage(
  { meter, books, entriesMax }: CreditUsagePorts,
  teamId: string,
  days: number,
  now: number,
): Promise<CreditUsage> {
  const listed = daysUntil(now, days);
  const [from = '', to = ''] = [listed[0], listed.at(-1)];
  const [used, billed] = await Promise.all([
    readUsage(meter, teamId, days, now),
    books.listBilledRuns(teamId, { from, to }, entriesMax),
  ]);
  const runsOf = (day: string): RunsUsage =>
    sumOf(billed.runs.filter(({ created_at }) => created_at.startsWith(day)));
  return {
    days: listed.map((day): UsageDay => {
      const models = used.days.filter((each) => each.day === day);
      return {
        day,
        runs: runsOf(day),
        answers: shown(sumUsage(models)),
        models: models.map(({ model, ...sums }) => ({ model, ...shown(sums) })),
      };
    }),
    total: { runs: sumOf(billed.runs), answers: shown(used.total) },
    runs_complete_after: billed.complete_after,
  };
}

function sumOf(billed: readonly { readonly credits: number }[]): RunsUsage {
  return { runs: billed.length, credits: billed.reduce((sum, { credits }) => sum + credits, 0) };
}

function shown({ answers, ...sums }: UsageSums): AnswersUsage {
  return { answers, ...priced(sums) };
}

/** Microcredits as credits: a number of up to six decimals. */
function priced({
  input_tokens,
  output_tokens,
  cost_microcredits,
  billed_microcredits,
}: Omit<UsageSums, 'answers'>): Omit<AnswersUsage, 'answers'> {
  return {
    input_tokens,
    output_tokens,
    cost_credits: cost_microcredits / MICROCREDITS,
    billed_credits: billed_microcredits / MICROCREDITS,
  };
}

/** What one answer of a team cost; null while it has not been billed. */
export async function findAnswerCost(
  meter: Pick<MeterRepository, 'findUsage'>,
  teamId: string,
  responseId: string,
): Promise<AnswerCost | null> {
  const usage = await meter.findUsage(teamId, responseId);
  if (usage === null) return null;
  const { response_id, model, answered_at } = usage;
  return { response_id, model, ...priced(usage), answered_at };
}
