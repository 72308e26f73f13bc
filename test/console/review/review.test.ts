import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AlikeDialog } from '../../../console/src/review/alike.tsx';
import { ApplyDialog, MadeVersion } from '../../../console/src/review/apply.tsx';
import { GradeBar } from '../../../console/src/review/grade-bar.tsx';
import { ReviewOf } from '../../../console/src/review/review.tsx';
import { RowCard } from '../../../console/src/review/row-card.tsx';
import { SendingProblems } from '../../../console/src/review/sending.tsx';
import { refusal, renderAnswered } from '../render.ts';
import { DATASET, reviewRow } from './fake-review.ts';

const seen = (changes: Parameters<typeof reviewRow>[1]) => ({
  row: reviewRow(1200, changes),
  given: null,
  isSkipped: false,
  isStale: false,
});
const card = (changes: Parameters<typeof reviewRow>[1], more: object = {}) =>
  renderAnswered(RowCard, { datasetId: DATASET, seen: { ...seen(changes), ...more } }, () => undefined);

describe('the row of a review', () => {
  test('a row shows its prompt, its answer with the proposal, and who doubts it why', async () => {
    const { html, text } = await card({
      proposal: 'Item 1200 goes to the depot.',
      drawn_as: 'doubtful',
      doubt: {
        probability: 0.82,
        reasons: [{ witness: 'model', kind: 'x', message: 'It says <b>depot</b>.' }],
      },
    });

    expect(text).toContain('Row 1,200 probably wrong, 82 %');
    expect(text).toContain('The model: It says <b>depot</b>.');
    expect(html).toContain('<del>shop</del>');
    expect(html).toContain('<ins>depot</ins>');
    expect(html).toContain(`href="#/datasets/${DATASET}/rows?row=1200"`);
    expect(html).not.toContain('<b>');
  });

  test('a row without a doubt says that it was drawn at random', async () => {
    const { text } = await card({});
    expect(text).toContain('nobody doubts it');
    expect(text).toContain('Drawn at random');
  });

  test('a row shows what the run has changed, and texts that are missing as such', async () => {
    expect((await card({ original: 'old words' })).text).toContain('Source');
    const { text } = await card({ prompt: null, original: null, completion: null });
    expect(text).toContain('Prompt None Answer None');
  });

  test('a row shows the verdict and the text that it was given', async () => {
    const { text } = await card({}, { given: { verdict: 'mended', completion: 'Other.' } });
    expect(text).toContain('your verdict: mended');
    expect(text).toContain('Your answer');
    expect((await card({}, { isStale: true })).text).toContain('changed since you saw it');
  });
});

describe('the page of the review', () => {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', { getItem: () => null });
    vi.stubGlobal('removeEventListener', () => undefined);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const page = (row_count: number | null, answer: Parameters<typeof renderAnswered>[2]) =>
    renderAnswered(
      ReviewOf,
      { made: null, dataset: { dataset_id: DATASET }, status: { status: 'succeeded', row_count } },
      answer,
    );

  test('the review of a dataset without rows asks nothing', async () => {
    const { text, requests } = await page(null, () => undefined);
    expect(text).toContain('No rows yet');
    expect(requests).toEqual([]);
  });

  test('a dataset whose answers nobody has named is led to its columns', async () => {
    const { html, text } = await page(3, () =>
      refusal(422, 'column_mapping_required', 'It is not known which columns hold answers.'),
    );
    expect(text).toContain('Nothing to review yet It is not known which columns hold answers.');
    expect(html).toContain(`href="#/datasets/${DATASET}/adapt"`);
  });

  test('a review that cannot be read is told with the id of the request', async () => {
    const { text, requests } = await page(3, () =>
      refusal(403, 'scope_missing', 'The key lacks datasets:read.'),
    );
    expect(requests).toContain(`GET /api/v1/datasets/${DATASET}/review?limit=20`);
    expect(text).toContain('This key may not read this page.');
    expect(text).toContain('r-1');
  });
});

describe('what stands beside the row', () => {
  test('the grade is a bar and a text with its interval', async () => {
    const { html, text } = await renderAnswered(
      GradeBar,
      {
        grade: {
          score: 8,
          grade: 'B',
          score_interval: [7, 9] as [number, number],
          verdicts: 9,
          without_verdicts: null,
        },
      },
      () => undefined,
    );
    expect(text).toContain('Grade B: 8 of 10, between 7 and 9');
    expect(html).toContain('left:70%;width:20%');
    expect((await renderAnswered(GradeBar, { grade: null }, () => undefined)).text).toContain('no grade yet');
  });

  test('rows alike are shown with what the edit makes of each', async () => {
    const row = {
      row: 3,
      content_hash: 'h',
      prompt: 'Why?',
      completion: 'As an AI, yes.',
      proposal: 'yes.',
      why: 'same_text',
    } as const;
    const { text } = await renderAnswered(
      AlikeDialog,
      {
        offer: { row: 1, rows: [row], isComplete: false },
        onAccept: () => undefined,
        onClose: () => undefined,
      },
      () => undefined,
    );
    expect(text).toContain('1 row alike');
    expect(text).toContain('Row 3 has the text that you replaced');
    expect(text).toContain('See 1 more');
    expect(text).toContain('There are more');
  });

  test('verdicts that the service does not take are told by row', async () => {
    const { text } = await renderAnswered(
      SendingProblems,
      {
        state: {
          unsent: [],
          problem: null,
          refused: [
            {
              verdict: { row: 7, content_hash: 'h', verdict: 'right' } as const,
              error: new Error('It is too long.'),
            },
          ],
        },
        outbox: { sendNow: () => undefined, drop: () => undefined, forgetRefused: () => undefined },
      },
      () => undefined,
    );
    expect(text).toContain('Row 7: It is too long.');
  });

  test('a version waits for verdicts that are not saved yet', async () => {
    const { html, text } = await renderAnswered(
      ApplyDialog,
      {
        datasetId: DATASET,
        verdicts: { right: 1, wrong: 2, mended: 0, disputed: 0, stale: 0 },
        unsent: 2,
        onLaunched: () => undefined,
        onClose: () => undefined,
      },
      () => undefined,
    );
    expect(text).toContain('Leave them out: 2 rows');
    expect(text).toContain('2 verdicts are not saved yet');
    expect(html).toMatch(/aria-disabled="true"[^>]*>Make the version/);
  });

  test('a version that could not be made says that the verdicts are kept', async () => {
    const { text } = await renderAnswered(
      MadeVersion,
      { datasetId: DATASET, version: 3, status: { status: 'succeeded' } as const },
      () => ({ body: { versions: [{ version: 3, status: 'failed' }], next_before: null } }),
    );
    expect(text).toContain('Version 3 could not be made. The verdicts are kept.');
  });
});
