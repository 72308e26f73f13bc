import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ANSWER_BYTES_MAX } from '#shared/exports/decide/row-index/fit-page.ts';
import { withTexts } from '#shared/exports/read-texts.ts';
import { statusOf } from './decide/judge-rows.ts';
import type { VerdictPlace } from './decide/verdict.ts';
import type { ReviewPorts } from './read-review.ts';
import { readCurrent } from './read-verdicts.ts';
import type { StoredVerdict, VerdictsPage, VerdictsQuery } from './schema/verdict.ts';

const VERDICTS_DEFAULT = 100;
/** Texts that are read at once. */
const TEXTS_AT_ONCE = 16;

/**
 * Reads a page of the verdicts of a dataset, with their texts.
 * @throws {ServiceError} as `readReview`
 */
export async function listVerdicts(
  ports: ReviewPorts,
  dataset: DatasetRecord,
  { after, limit = VERDICTS_DEFAULT }: VerdictsQuery,
  signal: AbortSignal,
): Promise<VerdictsPage> {
  const { dataset_id } = dataset;
  const page = await ports.verdicts.page(dataset_id, {
    after: after === undefined ? null : readPlace(after),
    limit,
  });
  if (page.verdicts.length === 0) return { dataset_id, verdicts: [], next_after: null };
  return withTexts(ports, dataset, signal, async (texts) => {
    const currentOf = await readCurrent(ports.objects, dataset_id, texts, page.verdicts);
    const verdicts: StoredVerdict[] = [];
    let bytes = 0;
    for (let at = 0; at < page.verdicts.length; at += TEXTS_AT_ONCE) {
      const group = page.verdicts.slice(at, at + TEXTS_AT_ONCE);
      const mended = await ports.verdicts.readTexts(
        dataset_id,
        group.flatMap(({ text_id }) => text_id ?? []),
      );
      for (const verdict of group) {
        const shown: StoredVerdict = {
          row: verdict.row,
          reviewer: verdict.reviewer,
          verdict: verdict.verdict,
          completion: mended.get(verdict.text_id ?? '') ?? null,
          content_hash: verdict.content_hash,
          status: statusOf(verdict, currentOf(verdict.row)),
          version: verdict.version,
          recorded_at: verdict.recorded_at,
        };
        bytes += Buffer.byteLength(JSON.stringify(shown));
        const last = verdicts.at(-1);
        if (last !== undefined && bytes > ANSWER_BYTES_MAX) {
          return { dataset_id, verdicts, next_after: writePlace(last) };
        }
        verdicts.push(shown);
      }
    }
    return { dataset_id, verdicts, next_after: page.next === null ? null : writePlace(page.next) };
  });
}

const writePlace = ({ row, reviewer }: VerdictPlace): string => `${row}.${reviewer}`;

/** A place without a reviewer is before all verdicts of the row. */
function readPlace(after: string): VerdictPlace {
  const [row = ''] = after.split('.', 1);
  return { row: Number(row), reviewer: after.slice(row.length + 1) };
}
