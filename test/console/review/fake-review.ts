import type {
  AlikeRow,
  Review,
  ReviewRow,
  ReviewSummary,
  Verdict,
  VerdictKind,
} from '../../../console/src/review/contract.ts';

export const DATASET = '0b9c6c52-2f0e-4a51-9a3e-2f1d5b8a1001';
export const RUN = '5d7f1a52-2f0e-4a51-9a3e-2f1d5b8a1002';
const NOW = '2026-11-28T12:00:00.000Z';

/** A row of the review with defaults for what a test does not look at. */
export const reviewRow = (row: number, changes: Partial<ReviewRow> = {}): ReviewRow => ({
  row,
  content_hash: row.toString(16).padStart(32, '0'),
  prompt: `How is item ${row} returned?`,
  original: `Item ${row} goes back to the shop.`,
  completion: `Item ${row} goes back to the shop.`,
  proposal: null,
  doubt: null,
  drawn_as: 'audit',
  ...changes,
});

/** Rows as a review offers them: every third drawn at random, the others doubted by one witness each. */
export function doubtfulRows(rows: number): ReviewRow[] {
  return Array.from({ length: rows }, (_, n) => {
    const row = n * 7;
    if (n % 3 === 2) return reviewRow(row);
    const probability = Math.round((0.97 - (0.6 * n) / rows) * 100) / 100;
    const label = n % 2 === 0;
    return reviewRow(row, {
      drawn_as: 'doubtful',
      ...(label
        ? {
            completion: `Label: refund ${row}`,
            original: `Label: refund ${row}`,
            proposal: `Label: delivery ${row}`,
          }
        : {
            completion: `Item ${row} costs 40 + 2 = 43 euros.`,
            original: `item ${row} cost 40 + 2 = 43 euros`,
          }),
      doubt: {
        probability,
        reasons: [
          label
            ? {
                witness: 'neighbours',
                kind: 'label',
                message: '9 of the 10 most similar rows have the label “delivery”.',
              }
            : { witness: 'execution', kind: 'equation', message: '40 + 2 is 42, not 43.' },
        ],
        ...(label ? { proposal: `Label: delivery ${row}` } : {}),
      },
    });
  });
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const answered = (body: unknown, status = 200): Answer => ({ status, body });

/** The part of the service that the page of the review asks, with what a dataset and its key are beside it. */
export class FakeReview {
  readonly rows: Map<number, ReviewRow>;
  /** What is recorded, by row. */
  readonly recorded = new Map<number, Verdict>();
  /** Every request for verdicts as it came, those that were not answered among them. */
  readonly posted: Verdict[][] = [];
  readonly limits: number[] = [];
  applied: { readonly wrong: string } | null = null;
  /** Looks at the version that is made until it is done. */
  looks = 2;
  /** Rows alike that one answer has at most. */
  alikeMax = 4;
  scopes: readonly string[] = ['datasets:read', 'datasets:write'];

  constructor(rows: readonly ReviewRow[]) {
    this.rows = new Map(rows.map((row) => [row.row, row]));
  }

  /** Changes a row, so that what is looked at is out of date. */
  changeRow(row: number, completion: string): void {
    const known = this.rows.get(row);
    if (known !== undefined)
      this.rows.set(row, { ...known, completion, content_hash: known.content_hash.replace(/^0/, 'f') });
  }

  #given(): VerdictKind[] {
    return [...this.recorded.values()].flatMap(({ verdict }) => (verdict === 'none' ? [] : [verdict]));
  }

  #open(): ReviewRow[] {
    return [...this.rows.values()].filter(({ row }) => !this.recorded.has(row));
  }

  #summary(): ReviewSummary {
    const given = this.#given();
    const of = (kind: VerdictKind): number => given.filter((each) => each === kind).length;
    const half = 1.4 / Math.sqrt(1 + given.length / 6);
    const round = (value: number): number => Math.round(value * 100) / 100;
    return {
      worth_a_look: this.#open().filter(({ doubt }) => doubt !== null).length,
      verdicts: { right: of('right'), wrong: of('wrong'), mended: of('mended'), disputed: 0, stale: 0 },
      witnesses: [],
      grade: {
        score: 7.8,
        grade: 'B',
        score_interval: [round(7.8 - half), round(7.8 + half)],
        verdicts: given.length,
        without_verdicts: { score: 8.1, score_interval: [6.7, 9.5] },
      },
    };
  }

  #review(limit: number): Review {
    this.limits.push(limit);
    return {
      dataset_id: DATASET,
      run_id: RUN,
      version: 2,
      looked_at: {
        status: 'done',
        ...{
          program: this.rows.size,
          execution: 0,
          neighbours: this.rows.size,
          not_looked_at: 0,
          not_listed: 0,
        },
        silent: [],
      },
      rows: this.#open().slice(0, limit),
      ...this.#summary(),
    };
  }

  #record(verdicts: readonly Verdict[]): Answer {
    const stale: number[] = [];
    for (const each of verdicts) {
      const known = this.rows.get(each.row);
      if (known?.content_hash !== each.content_hash) stale.push(each.row);
      else if (each.verdict === 'none') this.recorded.delete(each.row);
      else this.recorded.set(each.row, each);
    }
    return answered({ recorded: verdicts.length - stale.length, stale, ...this.#summary() });
  }

  /** The exchange of a label, made wherever it can be; of the recorded text. */
  #alike(row: number): AlikeRow[] {
    const was = this.rows.get(row)?.completion ?? '';
    if (!was.includes('refund') || this.recorded.get(row)?.completion?.includes('delivery') !== true)
      return [];
    return this.#open()
      .filter(({ completion }) => completion?.includes('refund'))
      .slice(0, this.alikeMax)
      .map(({ row: other, content_hash, prompt, completion }) => ({
        row: other,
        content_hash,
        prompt,
        completion: completion ?? '',
        proposal: completion?.replace('refund', 'delivery') ?? '',
        why: 'same_label',
      }));
  }

  /** Answers a request; null for what is not asked of a review. */
  answer(method: string, url: URL, body: unknown): Answer | null {
    const path = url.pathname.replace(/^.*\/api\/v1/, '');
    const at = `/datasets/${DATASET}`;
    if (path === '/me') {
      return answered({ key_id: 'k', team_id: 't', scopes: this.scopes, balance: { available: 100 } });
    }
    if (path === at) return answered(DATASET_RECORD);
    if (path === `${at}/status`) return answered(DATASET_STATUS);
    if (path === `${at}/review`) return answered(this.#review(Number(url.searchParams.get('limit'))));
    if (path === `${at}/verdicts` && method === 'POST') {
      const { verdicts } = body as { verdicts: Verdict[] };
      this.posted.push(verdicts);
      return this.#record(verdicts);
    }
    const alike = new RegExp(`^${at}/review/(\\d+)/alike$`).exec(path);
    if (alike !== null) {
      return answered({ rows: this.#alike(Number(alike[1])), is_complete: true });
    }
    if (path === `${at}/verdicts/apply`) {
      this.applied = body as { wrong: string };
      return answered({ run_id: RUN, version: 3, status: 'running' }, 202);
    }
    if (path === `${at}/versions`) {
      this.looks -= 1;
      return answered({
        versions: [{ ...VERSION, status: this.looks > 0 ? 'running' : 'succeeded' }],
        next_before: null,
      });
    }
    return null;
  }
}

const DATASET_RECORD = {
  dataset_id: DATASET,
  name: 'Questions to the shop',
  description: null,
  kind: 'upload',
  source_dataset_id: null,
  row_count: 420,
  created_at: NOW,
  updated_at: NOW,
  status: 'succeeded',
  evaluation_summary: null,
};

const DATASET_STATUS = {
  dataset_id: DATASET,
  status: 'succeeded',
  row_count: 420,
  progress: null,
  error_data: null,
};

const VERSION = {
  version: 3,
  made_by: 'review',
  parent_version: 2,
  row_count: 420,
  status: 'running',
  created_at: NOW,
  ended_at: null,
  models: {},
  pilot_id: null,
};
