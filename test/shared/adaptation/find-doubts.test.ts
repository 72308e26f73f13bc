import { beforeEach, describe, expect, test } from 'vitest';
import { type FindDoubtsPorts, findDoubts } from '#shared/adaptation/find-doubts.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import type { EmbeddingClient } from '#shared/models/decide/port.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { CodeJob, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';
import { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { type ActiveRun, startRun } from '#test/helpers/active-run.ts';
import { embedWords } from '#test/helpers/embed-words.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let silent: [string, unknown][];
let calls: { readonly jobs: readonly CodeJob[] }[];
let embedded: number;

beforeEach(() => {
  world = createWorld();
  silent = [];
  calls = [];
  embedded = 0;
});

const row = (question: string, answer: string): string => JSON.stringify({ note: 1, question, answer });
const code = (n: number, body = 'return n'): string =>
  row(`Write a function.\n\nf${n}(1) == 2`, `\`\`\`python\ndef f${n}(n):\n    ${body}\n\`\`\``);

const THINGS = 'anvil basket candle drum engine feather garden hammer island jacket kettle ladder'.split(' ');
const PLACES = 'Lisbon Madrid Oslo Paris Quito Riga Seoul Tunis Utrecht Vienna'.split(' ');
const question = (n: number): string =>
  `Where did the merchant number ${n + 100} sell the ${THINGS[n % 12]}, and how many did he take to ${PLACES[Math.floor(n / 6) % 10]}?`;
const answer = (n: number): string =>
  `Merchant ${n + 100} sold every ${THINGS[n % 12]} at the market of ${PLACES[Math.floor(n / 6) % 10]}, and took ${(n * 37) % 91} of them along.`;
const exchanged = (n: number): number => (n === 7 ? 31 : n === 31 ? 7 : n);
/** Questions about a thing and a place each; the answers of the rows 7 and 31 were exchanged. */
const prose = (n: number): string => row(question(n), answer(exchanged(n)));

const embedder: EmbeddingClient = {
  modelId: 'words',
  embed: async (texts) => {
    embedded += texts.length;
    return embedWords(texts);
  },
};

/** Fails the examples of each program that returns what it is given. */
const runs = async (payload: unknown): Promise<{ ran: (Ran | null)[] }> => {
  const { jobs } = payload as { jobs: CodeJob[] };
  calls.push({ jobs });
  return {
    ran: jobs.map(({ code }) => ({
      end: 'done',
      message: '',
      outcomes: [/return n\s*$/.test(code) ? { is: 'failed', came: '1' } : { is: 'passed', came: '2' }],
    })),
  };
};

const start = (
  lines: readonly string[],
  verification?: AdaptRequest['recipe_specification'],
  more: Partial<AdaptRequest> = {},
): Promise<ActiveRun> =>
  startRun(world, {
    rows: lines.length,
    chunkRows: 50,
    line: (n) => lines[n] as string,
    request: { ...(verification === undefined ? {} : { recipe_specification: verification }), ...more },
  });

const portsOf = (ports: Partial<FindDoubtsPorts> = {}): FindDoubtsPorts => ({
  objects: world.objects,
  embedder,
  callsMax: 4,
  clock: createVirtualClock(),
  random: Math.random,
  runCode: runs,
  onFailure: (witness, error) => silent.push([witness, error]),
  ...ports,
});

async function find({ context }: ActiveRun, ports: Partial<FindDoubtsPorts> = {}): Promise<RunDoubts> {
  await findDoubts(portsOf(ports), context);
  return RunDoubts.parse(JSON.parse(world.objects.text(objectKeys.doubts(context.run_id))));
}

const selects = ({ batches }: ActiveRun, row: number): boolean =>
  batches.some(
    ({ first_row: first, row_count: count, selected }) =>
      row >= first && row < first + count && (selected === null || selected.includes(row - first)),
  );

const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

describe('what is found', () => {
  test('a function that fails its example is doubted, and one that passes is not', async () => {
    const doubts = await find(await start([code(1), code(2, 'return n + 1'), prose(3)]));

    expect(doubts).toMatchObject({
      looked_at: { execution: 2, neighbours: 3 },
      not_looked_at: 0,
      rows: [
        {
          row: 0,
          reasons: [
            { witness: 'execution', kind: 'example_failed', message: expect.stringContaining('f1(1) == 2') },
          ],
        },
      ],
      asked: null,
    });
    expect(doubts.rows[0]?.probability).toBeGreaterThan(0.8);
  });

  test('answers that were exchanged are doubted, with their right row numbers and proposals', async () => {
    const lines = many(100, prose);
    const [wrong, home] = [7, 31];
    // A sample of the rows, so that places and numbers of rows differ: it depends on the dataset, and has to have both.
    let started = await start(lines, undefined, { job_specification: { max_rows: 90 } });
    for (let tries = 0; tries < 20 && !(selects(started, wrong) && selects(started, home)); tries += 1) {
      started = await start(lines, undefined, { job_specification: { max_rows: 90 } });
    }
    const doubts = await find(started);

    expect(doubts.not_looked_at).toBe(0);
    expect(doubts.looked_at.neighbours).toBe(90);
    expect(doubts.rows.map(({ row }) => row)).toEqual([wrong, home]);
    expect(doubts.rows[0]?.reasons).toMatchObject([
      { witness: 'neighbours', kind: 'answer_of_other_row', message: expect.stringContaining('row 31 ') },
    ]);
    expect(doubts.rows[0]?.proposal).toBe(answer(wrong));
    expect(doubts.share_wrong).toBeGreaterThan(0);
  });

  test('rows without code are sent nowhere, and few rows are not embedded', async () => {
    const doubts = await find(await start(many(19, prose)));

    expect(calls).toEqual([]);
    expect(embedded).toBe(0);
    expect(doubts).toMatchObject({ share_wrong: null, rows: [], not_looked_at: 0 });
  });

  test('rows that are all the same, and two rows, are not doubted', async () => {
    for (const lines of [many(60, () => prose(5)), [prose(1), prose(2)]]) {
      expect((await find(await start(lines))).rows).toEqual([]);
    }
    expect(silent).toEqual([]);
  });

  test('rows without an answer or a prompt are not looked at', async () => {
    const lines = [...many(30, (n) => row(question(n), '')), ...many(3, (n) => row('', answer(n)))];
    const doubts = await find(await start(lines));

    expect(doubts).toMatchObject({ rows: [], looked_at: { execution: 0, neighbours: 0 }, not_looked_at: 33 });
  });
});

describe('who is not looked at', () => {
  test('rows about images are not looked at, since witnesses do not see them', async () => {
    const picture = (n: number) => (n < 2 ? `https://images.test/${n}.png` : null);
    const started = await startRun(world, {
      rows: 3,
      dataset: {
        columns: ['note', 'question', 'answer', 'picture'].map((name) => ({ name, type: 'VARCHAR' })),
        image_column_formats: { picture: 'url' },
      },
      line: (n) => JSON.stringify({ ...JSON.parse(code(n)), picture: picture(n) }),
      request: {
        column_mapping: { prompt: 'question', completion: 'answer', image: 'picture', context: [] },
      },
    });
    const doubts = await find(started);

    expect(doubts.rows.map((doubt) => doubt.row)).toEqual([2]);
    expect(doubts.not_looked_at).toBe(2);
  });

  test('rows with pictures in their turns are not looked at either', async () => {
    const picture = { type: 'image_url', image_url: { url: 'https://images.test/a.png' } };
    const profile = { is_empty: false, not_chat: null, image_format: null };
    const started = await startRun(world, {
      rows: 3,
      dataset: {
        columns: ['note', 'question', 'answer'].map((name) => ({
          name,
          type: 'JSON',
          ...(name === 'question' ? { profile } : {}),
        })),
      },
      line: (n) => {
        const row = JSON.parse(code(n)) as { question: string };
        const content = [{ type: 'text', text: row.question }, ...(n < 2 ? [picture] : [])];
        return JSON.stringify({ ...row, question: [{ role: 'user', content }] });
      },
    });
    const doubts = await find(started);

    expect(doubts.rows.map((doubt) => doubt.row)).toEqual([2]);
    expect(doubts.not_looked_at).toBe(2);
  });

  test.each([
    ['the run wants no doubts', { recipe_specification: { recipes: { verification: 'off' as const } } }],
    ['the run reads no answers', { column_mapping: { prompt: 'question' } }],
  ])('nobody looks where %s', async (_, request) => {
    const { context } = await startRun(world, { rows: 2, line: code, request });
    const answer = await findDoubts(portsOf(), context);

    expect(answer).toEqual({ doubted: 0, not_looked_at: 0 });
    expect(world.objects.keys().filter((key) => key.endsWith('doubts.json'))).toEqual([]);
    expect(calls).toEqual([]);
  });
});

describe('what fails is silent', () => {
  test('without an embedding model rows are not compared, and the rest goes on', async () => {
    const doubts = await find(await start([...many(30, prose), code(1)]), { embedder: null });

    expect(doubts).toMatchObject({ looked_at: { execution: 1, neighbours: 0 }, not_looked_at: 30 });
    expect(doubts.rows.map(({ row }) => row)).toEqual([30]);
    expect(silent).toEqual([]);
  });

  test('an embedder that fails is named, and the rest goes on', async () => {
    const broken: EmbeddingClient = {
      modelId: 'broken',
      embed: async () => Promise.reject(new Error('No.')),
    };
    const doubts = await find(await start([...many(30, prose), code(1)]), { embedder: broken });

    expect(doubts).toMatchObject({ looked_at: { execution: 1, neighbours: 0 }, not_looked_at: 30 });
    expect(silent.map(([witness]) => witness)).toEqual(['neighbours']);
  });

  test('an embedder that never answers is left after its time', async () => {
    const hanging: EmbeddingClient = {
      modelId: 'hanging',
      embed: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const doubts = await find(await start([...many(30, prose), code(1)]), {
      embedder: hanging,
      clock: createFastClock(1000),
    });

    expect(doubts.looked_at).toMatchObject({ execution: 1, neighbours: 0 });
    expect(silent.map(([witness]) => witness)).toEqual(['neighbours']);
  });

  test('a sandbox that dies is asked three times in all, and the rest goes on', async () => {
    let died = 0;
    const doubts = await find(await start([...many(30, prose), ...many(2000, (n) => code(n))]), {
      runCode: async () => {
        died += 1;
        throw new Error('It died.');
      },
    });

    // Calls that were under way when the third failed are among them.
    expect(died).toBeLessThanOrEqual(6);
    expect(doubts.looked_at.execution).toBe(0);
    expect(silent.every(([witness]) => witness === 'execution')).toBe(true);
  });

  test.each([
    ['nothing', null],
    ['another form', { ran: [{ end: 'flew away' }] }],
    ['fewer outcomes', { ran: [] }],
  ])('a sandbox that answers %s shows nothing', async (_, given) => {
    const doubts = await find(await start([code(1), code(2)]), { runCode: async () => given });

    expect(doubts).toMatchObject({ looked_at: { execution: 0 }, rows: [] });
  });
});

describe('how many rows a model is asked about', () => {
  const verified = (verification_rows: number) => ({
    recipes: { verification: 'flag' as const, verification_rows },
  });

  test('the most doubtful ones come first, then others, the same ones each time', async () => {
    const lines = [...many(40, (n) => code(n, 'return n + 1')), code(40), ...many(20, prose)];
    const asked = async (rows: number) => (await find(await start(lines, verified(rows)))).asked;
    const [one, ten] = [await asked(1), await asked(10)];

    expect(one).toEqual([40]);
    expect(ten).toHaveLength(10);
    expect(ten).toContain(40);
    expect(ten).toEqual([...(ten ?? [])].sort((a, b) => a - b));
    expect(await asked(1000)).toEqual(many(61, (n) => n));
  });
});
