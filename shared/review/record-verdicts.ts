import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { type OpenTexts, withTexts } from '#shared/exports/read-texts.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { chooseRows, drawnAs, drawnBefore, type Reviewed } from './decide/choose-rows.ts';
import { contentHash, type VerdictRecord } from './decide/verdict.ts';
import { doubtedBy } from './decide/witness-record.ts';
import { openReview, type ReviewPorts, summarize, versionOf } from './read-review.ts';
import {
  type GivenVerdict,
  type RecordedVerdicts,
  VERDICT_ROWS_MAX,
  VERDICTS_MAX,
  type VerdictsRequest,
} from './schema/verdict.ts';

export interface RecordVerdictsPorts extends ReviewPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly newId: () => string;
}

interface RecordVerdictsInput {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly request: VerdictsRequest;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Records what a reviewer says of rows, or takes it back. Nothing is recorded of a request that is refused, nor of rows that
 * have changed since the reviewer saw them.
 * @throws {ServiceError} `invalid_request`, `row_not_found`, and as `readReview`
 */
export async function recordVerdicts(
  ports: RecordVerdictsPorts,
  input: RecordVerdictsInput,
): Promise<RecordedVerdicts> {
  const { dataset, request, signal } = input;
  requireDistinct(request.verdicts);
  return withTexts(ports, dataset, signal, async (texts) => {
    requireRows(request.verdicts, texts);
    const before = await openReview(ports, dataset, texts);
    requireRoom(request.verdicts, before);
    const { recorded, withdrawn, stale } = await compare(ports, input, texts, before);
    await write(ports, input, before, { recorded, withdrawn });
    const reviewed = await openReview(ports, dataset, texts);
    return {
      recorded: recorded.length + withdrawn.length,
      stale,
      ...summarize(reviewed, chooseRows(reviewed, 0)),
    };
  });
}

function requireDistinct(verdicts: readonly GivenVerdict[]): void {
  const seen = new Set<number>();
  for (const [place, { row }] of verdicts.entries()) {
    if (seen.has(row)) {
      throw invalidField(
        `verdicts[${place}].row`,
        `is the second verdict about row ${row}; send one for each row`,
      );
    }
    seen.add(row);
  }
}

function requireRows(verdicts: readonly GivenVerdict[], { rows }: OpenTexts): void {
  const beyond = verdicts.find(({ row }) => row >= rows);
  if (beyond === undefined) return;
  throw new ServiceError(
    'row_not_found',
    `The dataset has no row ${beyond.row}: its rows are 0 to ${rows - 1}. No verdict of this request was recorded.`,
  );
}

/** Reviewers who write at the same time may exceed the limits by a request each. */
function requireRoom(
  verdicts: readonly GivenVerdict[],
  { opinions, verdicts: stored }: Reviewed & { readonly verdicts: readonly VerdictRecord[] },
): void {
  const known = new Set(opinions.map(({ row }) => row));
  const given = verdicts.filter(({ verdict }) => verdict !== 'none');
  const rows = known.size + given.filter(({ row }) => !known.has(row)).length;
  const isFull = given.length > 0 && (rows > VERDICT_ROWS_MAX || stored.length + given.length > VERDICTS_MAX);
  if (!isFull) return;
  throw invalidField(
    'verdicts',
    `are too many: a dataset keeps at most ${VERDICTS_MAX} verdicts on ${VERDICT_ROWS_MAX} rows. Take some back with the verdict none`,
  );
}

interface Changes {
  readonly recorded: { readonly record: VerdictRecord; readonly completion: string | null }[];
  readonly withdrawn: { readonly row: number; readonly reviewer: string }[];
}

/** Compares the verdicts with what the rows have. */
async function compare(
  { newId }: Pick<RecordVerdictsPorts, 'newId'>,
  { caller, dataset, request, now }: RecordVerdictsInput,
  texts: OpenTexts,
  before: Reviewed,
): Promise<Changes & { stale: number[] }> {
  const { dataset_id } = dataset;
  const reviewer = request.reviewer ?? caller.key_id;
  const given = new Map(request.verdicts.map((verdict, place) => [verdict.row, { ...verdict, place }]));
  const changes: Changes = { recorded: [], withdrawn: [] };
  const stale = new Set<number>();
  const wanted: number[] = [];
  for (const { row, verdict } of request.verdicts) {
    if (verdict === 'none') changes.withdrawn.push({ row, reviewer });
    else if (texts.isDelivered(row)) wanted.push(row);
    else stale.add(row);
  }
  const drawn_as = drawnAs(before);
  const lookedAt = new Map(before.opinions.map((each) => [each.row, each]));
  const version = versionOf(dataset, texts);
  await texts.each(wanted, (row, { prompt, completion }, doubt) => {
    const {
      verdict,
      content_hash: seen,
      completion: mended = null,
      drawn_as: shownAs,
      place,
    } = given.get(row) as GivenVerdict & {
      place: number;
    };
    const hash = contentHash({ prompt, completion });
    if (hash !== seen) {
      stale.add(row);
      return;
    }
    if (verdict === 'none') return;
    if (mended === completion && mended !== null) {
      throw invalidField(
        `verdicts[${place}].completion`,
        'is the text that the row has; send the verdict right, or the mended text',
      );
    }
    changes.recorded.push({
      completion: mended,
      record: {
        dataset_id,
        row,
        reviewer,
        verdict,
        content_hash: hash,
        ...(mended === null
          ? {}
          : {
              mended_hash: contentHash({ prompt, completion: mended }),
              text_id: newId(),
              mended_bytes: Buffer.byteLength(mended),
            }),
        seen_in: texts.key,
        version,
        drawn_as: drawn_as(row, shownAs),
        ...drawnBefore(lookedAt.get(row), texts.rows),
        ...(doubt === null ? {} : { doubted: { ...doubtedBy(doubt), probability: doubt.probability } }),
        user_id: caller.user_id,
        recorded_at: timestamp(now),
      },
    });
  });
  return { ...changes, stale: [...stale].sort((a, b) => a - b) };
}

/** A text is written before the verdict that names it, and removed after the verdict that named it is gone. */
async function write(
  { verdicts, datasets }: Pick<RecordVerdictsPorts, 'verdicts' | 'datasets'>,
  { dataset: { dataset_id } }: Pick<RecordVerdictsInput, 'dataset'>,
  before: { readonly verdicts: readonly VerdictRecord[] },
  { recorded, withdrawn }: Changes,
): Promise<void> {
  const places = [...withdrawn, ...recorded.map(({ record }) => record)];
  const replaced = new Set(places.map(({ row, reviewer }) => `${row} ${reviewer}`));
  const named = before.verdicts.flatMap(({ row, reviewer, text_id }) =>
    text_id !== undefined && replaced.has(`${row} ${reviewer}`) ? [text_id] : [],
  );
  await verdicts.record(dataset_id, recorded);
  await verdicts.withdraw(dataset_id, withdrawn);
  await verdicts.removeTexts(dataset_id, named);
  // A deletion has erased what was there before.
  if ((await datasets.find(dataset_id)) === null) await verdicts.erase(dataset_id);
}
