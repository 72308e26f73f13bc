import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';
import type { CloudAdmin } from './cloud-admin.ts';

/** Rows that say `marker`, and from row `turn` on `marker-late`, by which faults find them. */
function csvOf(marker: string, rows: number, turn = rows): string {
  const lines = Array.from({ length: rows }, (_, n) => {
    const word = n < turn ? marker : `${marker}-late`;
    return `${n},tell me of ${word} row-${n},it is ${word} row-${n} as far as i know`;
  });
  return `id,question,answer\n${lines.join('\n')}\n`;
}

/** Uploads such rows and waits until they have been read; answers the dataset's id. */
export async function uploadRows(
  api: ApiClient,
  marker: string,
  rows: number,
  turn?: number,
): Promise<string> {
  const datasetId = await api.upload(`${marker}.csv`, csvOf(marker, rows, turn));
  expect((await api.untilRead(datasetId)).row_count).toBe(rows);
  return datasetId;
}

/** What holds however a run ended: every row is accounted for and delivered once, in order, billed if delivered. */
export async function requireSoundEnd(api: ApiClient, datasetId: string, rows: number) {
  const status = await api.untilEnded(datasetId, 280);
  const report = await api.report(datasetId);
  const counts = report.rows ?? {
    total: 0,
    changed: 0,
    kept: 0,
    failed: 0,
    dropped: 0,
    not_selected: 0,
    expanded: 0,
    expansion_failed: 0,
  };
  expect(counts.total).toBe(rows);
  expect(counts.changed + counts.kept + counts.failed + counts.dropped + counts.not_selected).toBe(rows);
  expect(report.credits).toEqual({
    reserved: Math.ceil(rows / 100),
    settled: Math.ceil((counts.changed + counts.kept) / 100),
  });
  expect(report.reported_rows.length).toBe(counts.kept + counts.failed);
  for (const row of report.reported_rows) expect(row.message).not.toBe('');

  // A failed run delivers the rows that it finished; one that succeeded delivers its failed rows as they were.
  const outcomes = new Map(report.reported_rows.map(({ row, outcome }) => [row, outcome]));
  const delivered = Array.from({ length: rows }, (_, n) => n).filter(
    (n) => status.status === 'succeeded' || outcomes.get(n) !== 'failed',
  );
  if (delivered.length === 0) await expect(api.rows(datasetId)).rejects.toThrow('no_data_yet');
  const got = delivered.length === 0 ? [] : await api.rows(datasetId);
  expect(got.map(({ id }) => Number(id))).toEqual(delivered);
  for (const row of got) {
    const isUnchanged = row.enhanced_completion === row.answer;
    expect(isUnchanged, JSON.stringify(row)).toBe(outcomes.has(Number(row.id)));
  }
  expect((await api.evaluation(datasetId)).status).not.toBe('running');
  return { status, report, counts };
}

/** Every sum of the team's ledger is right, and no credits are held. */
export async function requireSoundLedger(admin: CloudAdmin, team: string): Promise<void> {
  expect(await admin.ledgerFaults(team)).toEqual([]);
  expect(await admin.run('holds', 'list', '--team', team)).toHaveLength(1);
}
