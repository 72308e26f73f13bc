import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ANSWER_BYTES_MAX } from '#shared/exports/decide/row-index/fit-page.ts';
import { type OpenTexts, withTexts } from '#shared/exports/read-texts.ts';
import { SEARCH_CHARACTERS_MAX } from '#shared/exports/schema/rows.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { alikeTo, type MendedRow } from './decide/alike.ts';
import type { Reviewed } from './decide/choose-rows.ts';
import { learnEdit, needlesOf } from './decide/learn-edit.ts';
import { contentHash, type VerdictRecord } from './decide/verdict.ts';
import { openReview, type ReviewPorts } from './read-review.ts';
import { ALIKE_ROWS_MAX, type AlikeQuery, type AlikeRow, type AlikeRows } from './schema/verdict.ts';

interface FindAlikeInput {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly row: number;
  readonly query: AlikeQuery;
  readonly signal: AbortSignal;
}

/** Pieces of text that are searched for. */
const NEEDLES_MAX = 5;
/** Rows whose texts are read. */
const CANDIDATES_MAX = 5000;

/**
 * Finds the rows with the same defect as a mended one, each with what the same edit makes of it. Rows that somebody has called
 * right or has mended are not among them.
 * @throws {ServiceError} `row_not_found`, `invalid_request` if the row was not mended or has its mended text already, and as
 *   `readReview`
 */
export async function findAlike(ports: ReviewPorts, input: FindAlikeInput): Promise<AlikeRows> {
  const { dataset, row, signal } = input;
  return withTexts(ports, dataset, signal, async (texts) => {
    if (row >= texts.rows) {
      throw new ServiceError(
        'row_not_found',
        `The dataset has no row ${row}: its rows are 0 to ${texts.rows - 1}.`,
      );
    }
    const reviewed = await openReview(ports, dataset, texts);
    const text = await readMended(ports, input, reviewed);
    let mended: MendedRow = { edit: null, text, doubt: null };
    await texts.each([row], (_, { completion }, doubt) => {
      if (completion === text) throw alreadyMended(row);
      mended = { edit: completion === null ? null : learnEdit(completion, text), text, doubt };
    });
    const { rows: found, isComplete } = await findCandidates(texts, mended, reviewed.doubts, signal);
    const settled = new Set(
      reviewed.opinions.filter(({ says }) => !['wrong', 'stale'].includes(says)).map((each) => each.row),
    );
    const candidates = found.filter((each) => each !== row && !settled.has(each));
    const alike = await compareRows(texts, mended, candidates.slice(0, CANDIDATES_MAX));
    const rows = fitting(alike);
    return {
      rows,
      is_complete: isComplete && candidates.length <= CANDIDATES_MAX && rows.length === alike.length,
    };
  });
}

const alreadyMended = (row: number): ServiceError =>
  invalidField(
    'query.completion',
    `is the text that row ${row} already has, so that nothing says what was wrong with it: ask for the rows alike before the verdict is applied, or pass another text`,
  );

/** The text that the row was mended to: as asked, or as recorded. */
async function readMended(
  { verdicts }: Pick<ReviewPorts, 'verdicts'>,
  { caller, dataset: { dataset_id }, row, query }: FindAlikeInput,
  reviewed: { readonly verdicts: readonly VerdictRecord[] },
): Promise<string> {
  if (query.completion !== undefined) return query.completion;
  const own = query.reviewer ?? caller.key_id;
  const mended = reviewed.verdicts.filter((each) => each.row === row && each.verdict === 'mended');
  const verdict = mended.find(({ reviewer }) => reviewer === own) ?? mended[0];
  const texts =
    verdict?.text_id === undefined ? null : await verdicts.readTexts(dataset_id, [verdict.text_id]);
  const text = texts?.get(verdict?.text_id ?? '');
  if (text !== undefined) return text;
  throw invalidField(
    'query.completion',
    `is required, since row ${row} was not mended: pass its new text, or send the verdict mended first`,
  );
}

/** Rows that may have the same defect: the most doubtful first, since of many only some are read. */
async function findCandidates(
  texts: OpenTexts,
  { edit, doubt }: MendedRow,
  doubts: Reviewed['doubts'],
  signal: AbortSignal,
): Promise<{ rows: number[]; isComplete: boolean }> {
  const found = new Set<number>();
  let isComplete = true;
  const needles = (edit === null ? [] : needlesOf(edit)).map(searchable).filter((needle) => needle !== '');
  for (const needle of needles.toSorted((a, b) => b.length - a.length).slice(0, NEEDLES_MAX)) {
    const searched = await texts.search(needle, signal);
    for (const row of searched.rows) found.add(row);
    isComplete &&= searched.isComplete;
  }
  // What they are doubted for is read with their texts.
  if (doubt !== null) for (const { row } of doubts) found.add(row);
  const rows = [...found].sort((a, b) => texts.doubtOf(b) - texts.doubtOf(a) || a - b);
  return { rows, isComplete };
}

/** The beginning of a text, as long as a search takes, up to where a character cannot be searched for. */
const searchable = (text: string): string =>
  beginningOf(
    text.split('\0').reduce((a, b) => (b.length > a.length ? b : a), ''),
    SEARCH_CHARACTERS_MAX,
  );

async function compareRows(
  texts: OpenTexts,
  mended: MendedRow,
  candidates: readonly number[],
): Promise<AlikeRow[]> {
  let found: (AlikeRow & { similarity: number })[] = [];
  const keepBest = (): void => {
    found.sort((a, b) => b.similarity - a.similarity || a.row - b.row);
    found = found.slice(0, ALIKE_ROWS_MAX + 1);
  };
  await texts.each(candidates, (row, { prompt, completion }, doubt) => {
    if (completion === null) return;
    const alike = alikeTo(mended, completion, doubt);
    if (alike === null) return;
    found.push({ row, content_hash: contentHash({ prompt, completion }), prompt, completion, ...alike });
    if (found.length > 2 * ALIKE_ROWS_MAX) keepBest();
  });
  keepBest();
  return found.map(({ similarity: _, ...row }) => row);
}

/** The first rows, as many as an answer has room for. */
function fitting(rows: readonly AlikeRow[]): AlikeRow[] {
  let bytes = 0;
  return rows.slice(0, ALIKE_ROWS_MAX).filter((row, place) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return place === 0 || bytes <= ANSWER_BYTES_MAX;
  });
}
