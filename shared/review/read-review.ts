import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { currentVersion } from '#shared/datasets/decide/versions.ts';
import { ANSWER_BYTES_MAX } from '#shared/exports/decide/row-index/fit-page.ts';
import type { RowsOf } from '#shared/exports/index-rows.ts';
import type { ReadRowsPorts } from '#shared/exports/read-rows.ts';
import { type OpenTexts, withTexts } from '#shared/exports/read-texts.ts';
import { tellLook } from '#shared/exports/tell-look.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import { type Choice, chooseRows, type Reviewed } from './decide/choose-rows.ts';
import { gradeRows } from './decide/grade-rows.ts';
import { countOpinions, judgeRows } from './decide/judge-rows.ts';
import { contentHash, type VerdictRecord, type VerdictRepository } from './decide/verdict.ts';
import {
  BY_MODEL,
  correctDoubts,
  describeWitnesses,
  doubtedBy,
  type StatedDoubt,
} from './decide/witness-record.ts';
import { readCurrent } from './read-verdicts.ts';
import type { Review, ReviewRow } from './schema/review.ts';

export interface ReviewPorts extends ReadRowsPorts {
  readonly verdicts: VerdictRepository;
  readonly objects: ReadRowsPorts['objects'] & Pick<ObjectStore, 'write'>;
}

export interface ReadReviewPorts extends ReviewPorts {
  /** Starts to look at rows that no run has adapted, and returns at once. */
  readonly startLook: (of: RowsOf) => Promise<void>;
}

const ROWS_DEFAULT = 10;

/**
 * Reads what is to be looked at next, and how far the review is. Has the witnesses that ask no model look at rows that no run
 * has adapted.
 * @throws {ServiceError} as `listRows`, and `column_mapping_required`
 */
export async function readReview(
  ports: ReadReviewPorts,
  dataset: DatasetRecord,
  { limit = ROWS_DEFAULT }: { readonly limit?: number | undefined },
  { signal, now }: { readonly signal: AbortSignal; readonly now: number },
): Promise<Review> {
  return withTexts(ports, dataset, signal, async (texts) => {
    const reviewed = await openReview(ports, dataset, texts);
    const { shown: run, rows, doubts } = texts;
    const looked_at = await tellLook(ports, { dataset, run, rows, doubts, starts: true, now });
    const choice = chooseRows(reviewed, limit);
    return {
      dataset_id: dataset.dataset_id,
      run_id: texts.run?.run_id ?? null,
      version: reviewed.version,
      looked_at,
      rows: await showRows(texts, choice.rows, reviewed),
      ...summarize(reviewed, choice),
    };
  });
}

/** The number of the version whose rows are reviewed. */
export const versionOf = (dataset: DatasetRecord, { run }: OpenTexts): number =>
  run?.version ?? currentVersion(dataset);

/** What is said of the rows of one version. */
export interface OpenReview extends Reviewed {
  readonly verdicts: readonly VerdictRecord[];
  readonly version: number;
}

/** Reads what witnesses and reviewers say of the rows. Counts follow from this, so that they are right whoever writes. */
export async function openReview(
  { objects, verdicts }: Pick<ReviewPorts, 'objects' | 'verdicts'>,
  dataset: DatasetRecord,
  texts: OpenTexts,
): Promise<OpenReview> {
  const { dataset_id } = dataset;
  const version = versionOf(dataset, texts);
  const stored = await verdicts.list(dataset_id);
  const { found } = texts;
  const known = new Map(found?.rows.map((doubt) => [doubt.row, doubtedBy(doubt)]));
  const doubts: StatedDoubt[] = [];
  for (let row = 0; row < texts.rows; row += 1) {
    const stated = texts.doubtOf(row);
    if (stated > 0) doubts.push({ row, stated, by: known.get(row) ?? BY_MODEL });
  }
  const current = await readCurrent(objects, dataset_id, texts, stored);
  return {
    seed: dataset_id,
    rows: texts.rows,
    isDelivered: texts.isDelivered,
    version,
    doubts: correctDoubts(doubts, stored, version),
    silentWrong: found?.silent ?? null,
    opinions: judgeRows(stored, current, {
      isReviewed: texts.run === null || !kindOf(texts.run).rewritesRows,
    }),
    verdicts: stored,
  };
}

/** How far a review is. */
export function summarize(
  reviewed: OpenReview,
  { worthALook }: Pick<Choice, 'worthALook'>,
): Pick<Review, 'worth_a_look' | 'verdicts' | 'witnesses' | 'grade'> {
  return {
    worth_a_look: worthALook,
    verdicts: countOpinions(reviewed.opinions),
    witnesses: describeWitnesses(reviewed.verdicts, reviewed.version),
    grade: gradeRows(reviewed),
  };
}

async function showRows(
  texts: OpenTexts,
  chosen: Choice['rows'],
  { doubts }: Pick<Reviewed, 'doubts'>,
): Promise<ReviewRow[]> {
  const corrected = new Map(doubts.map(({ row, probability }) => [row, probability]));
  const shown = new Map<number, Omit<ReviewRow, 'row' | 'drawn_as'>>();
  await texts.each(
    chosen.map(({ row }) => row),
    (row, each, doubt) => {
      const { proposal = null } = doubt ?? {};
      shown.set(row, {
        content_hash: contentHash(each),
        ...each,
        proposal: proposal === each.completion ? null : proposal,
        doubt: doubt === null ? null : { ...doubt, probability: corrected.get(row) ?? doubt.probability },
      });
    },
  );
  const rows: ReviewRow[] = [];
  let bytes = 0;
  for (const { row, drawn_as } of chosen) {
    const read = shown.get(row);
    if (read === undefined) continue;
    const each = { row, ...read, drawn_as };
    bytes += Buffer.byteLength(JSON.stringify(each));
    if (rows.length > 0 && bytes > ANSWER_BYTES_MAX) break;
    rows.push(each);
  }
  return rows;
}
