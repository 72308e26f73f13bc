import { type DayUsage, METER_SHARDS } from './decide/meter.ts';
import type { MeterRepository } from './decide/meter-repository.ts';

export type UsageSums = Omit<DayUsage, 'team_id' | 'day' | 'model'>;

export interface UsageReport {
  /** Latest day first. */
  readonly days: readonly (UsageSums & { readonly day: string; readonly model: string })[];
  readonly total: UsageSums & { readonly day: 'in all'; readonly model: null };
}

const nothing: UsageSums = {
  answers: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_microcredits: 0,
  billed_microcredits: 0,
};

/** The sum of any number of them. */
export function sumUsage(each: readonly UsageSums[]): UsageSums {
  return each.reduce(plus, nothing);
}

function plus(a: UsageSums, b: UsageSums): UsageSums {
  return {
    answers: a.answers + b.answers,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_microcredits: a.cost_microcredits + b.cost_microcredits,
    billed_microcredits: a.billed_microcredits + b.billed_microcredits,
  };
}

/** The last `days` days in UTC up to that of `now`, oldest first. */
export function daysUntil(now: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Usage of a team's responses in the last `days` days (UTC, including today), by day and model. */
export async function readUsage(
  meter: Pick<MeterRepository, 'listDays'>,
  teamId: string,
  days: number,
  now: number,
): Promise<UsageReport> {
  const listed = daysUntil(now, days);
  const range = { from: listed[0] ?? '', to: listed.at(-1) ?? '' };
  const shards = await Promise.all(
    Array.from({ length: METER_SHARDS }, (_, shard) => meter.listDays(teamId, shard, range)),
  );
  const found = new Map<string, UsageSums & { day: string; model: string }>();
  for (const { day, model, ...sums } of shards.flat()) {
    const key = `${day} ${model}`;
    found.set(key, { ...plus(found.get(key) ?? nothing, sums), day, model });
  }
  return {
    days: [...found.values()].sort((a, b) => b.day.localeCompare(a.day) || a.model.localeCompare(b.model)),
    total: { ...sumUsage([...found.values()]), day: 'in all', model: null },
  };
}
