import { beforeAll, describe, expect, test } from 'vitest';
import { HALVES, type Half, loadRows } from '#lab/effect/load-rows.ts';
import { connectModels } from '#lab/effect/models.ts';
import { quote } from '#lab/effect/report.ts';
import type { LabResult } from '#lab/effect/result.ts';
import { EXACT_KINDS, type Kind } from '#lab/effect/row.ts';
import { runRows } from '#lab/effect/run-rows.ts';
import { type ScriptName, startScriptedEndpoint } from '#lab/effect/scripted-answers.ts';
import { isHarmed, type LabSummary, summarize, VISIBLE_FLAWS } from '#lab/effect/summarize.ts';

/**
 * Below what no change of the service may take its rows, measured by the quality laboratory on every row of both
 * halves with models that always answer alike. It holds of each half:
 *
 * - With a model that is always right, no row of an exact kind is harmed, and at most one in a hundred of all rows
 *   that were right. Of the rows that are careless, empty, cut off or in the wrong language at least 65 of 100 are
 *   changed and six of ten are right afterwards. No good row of an open question, a refusal, a fact or a voice is
 *   changed. A row takes at most 0.8 calls and 600 tokens in. Of both halves together, at least half of such flawed
 *   rows of each exact kind are right afterwards; but for arithmetic, code and choices in columns that are too mixed to show
 *   a form, and verdicts, whose explanations stay.
 * - With a model that is wrong about one row in five and sure of it, no row of an exact kind is harmed, and at most
 *   one in fifty of all rows that were right.
 *
 * A failure quotes each row that is harmed. A rule that goes missing (what the form of an answer is held to, which
 * facts stay, which phrases are whole answers) shows here whether or not a test of its own holds it.
 */
const HARM_MAX = { strong: 0.01, 'confidently-wrong': 0.02 } as const;
const GAIN_MIN = 0.6;
const CHANGED_MIN = 0.65;
const GAIN_OF_KIND_MIN = 0.5;
const CALLS_MAX = 0.8;
const INPUT_TOKENS_MAX = 600;

/** Kinds whose good rows a model has nothing to add to. */
const UNTOUCHED: ReadonlySet<Kind> = new Set<Kind>(['open_good', 'refusal', 'wrong_fact', 'voice']);

/** A run waits for the sandboxes of its checkers more than it computes. */
const TIMEOUT_MS = 60_000;

const halves = await loadRows();

interface Measured {
  readonly results: readonly LabResult[];
  readonly summary: LabSummary;
}

const measuring = new Map<string, Promise<Measured>>();

/** Each run is made once. */
function measured(script: ScriptName, half: Half): Promise<Measured> {
  const key = `${script} ${half}`;
  const found = measuring.get(key) ?? measure(script, half);
  measuring.set(key, found);
  return found;
}

async function measure(script: ScriptName, half: Half): Promise<Measured> {
  const rows = halves[half];
  const endpoint = await startScriptedEndpoint(script, rows);
  const results: LabResult[] = [];
  try {
    const { models, asking, close } = await connectModels(endpoint, {
      concurrency: 4,
      judgeFile: 'a scripted judge is not measured',
    });
    try {
      await runRows({
        rows,
        isDone: () => false,
        models,
        asking,
        concurrency: 4,
        async onResult(result) {
          if (result.type === 'row') results.push(result);
        },
      });
    } finally {
      await close();
    }
  } finally {
    await endpoint.stop();
  }
  return { results, summary: summarize(results) };
}

function inFull(results: readonly LabResult[], half: Half): string {
  return `\n\n${results.map((result) => quote(result, halves[half])).join('\n\n---\n\n')}\n`;
}

function expectNone(results: readonly LabResult[], half: Half, what: string): void {
  expect(results.length, `${what}:${inFull(results, half)}`).toBe(0);
}

const scripts = ['strong', 'confidently-wrong'] as const;

describe.each(HALVES)('of the half %s', (half) => {
  describe.each(scripts)('a model that is %s', (script) => {
    let run: Measured;
    beforeAll(async () => {
      run = await measured(script, half);
    }, TIMEOUT_MS);

    test('the model adapts every row that has an answer', () => {
      expect(run.summary.all.rows).toBe(halves[half].length);
      expectNone(
        run.results.filter(({ outcome, quality }) => outcome === 'failed' && quality !== 'empty'),
        half,
        'Rows that failed',
      );
    });

    test("the model tells of every row what the service's checks say, and how it was edited", () => {
      const untold = run.results.filter(
        ({ outcome, edit, checks }) =>
          outcome !== 'failed' &&
          (!checks ||
            checks.changed !== (outcome === 'changed') ||
            (outcome === 'changed') !== Boolean(edit)),
      );
      expectNone(untold, half, 'Rows of which that is not told');
    });

    test('the model harms no row of an exact kind', () => {
      const harmed = run.results.filter((result) => EXACT_KINDS.has(result.kind) && isHarmed(result));
      expectNone(harmed, half, 'Rows of exact kinds that were harmed');
    });

    test('the model harms next to no row of any kind', () => {
      const { all, harmed } = run.summary;
      expect(
        all.harm.count / all.harm.of,
        `Rows that were harmed, of ${all.harm.of} that were right:${inFull(harmed, half)}`,
      ).toBeLessThanOrEqual(HARM_MAX[script]);
    });

    if (script !== 'strong') return;

    test('the model mends rows whose flaws show', () => {
      const flawed = run.results.filter(({ quality }) => VISIBLE_FLAWS.has(quality));
      const unchanged = flawed.filter(({ outcome }) => outcome !== 'changed');
      const { count, of } = run.summary.all.gain;
      expect(of).toBe(flawed.length);
      expect(
        1 - unchanged.length / flawed.length,
        `Flawed rows that were not changed:${inFull(unchanged, half)}`,
      ).toBeGreaterThanOrEqual(CHANGED_MIN);
      expect(
        count / of,
        `Flawed rows that are not right afterwards:${inFull(
          flawed.filter(({ after_ok }) => !after_ok),
          half,
        )}`,
      ).toBeGreaterThanOrEqual(GAIN_MIN);
    });

    test('the model leaves good rows alone to which nothing is to be added', () => {
      const touched = run.results.filter(
        ({ kind, quality, outcome }) => quality === 'good' && UNTOUCHED.has(kind) && outcome === 'changed',
      );
      expectNone(touched, half, 'Good rows that were changed');
    });

    test('the model is asked little', () => {
      const { calls, inputTokens } = run.summary.all;
      expect(calls).toBeLessThanOrEqual(CALLS_MAX);
      expect(inputTokens).toBeLessThanOrEqual(INPUT_TOKENS_MAX);
    });
  });
});

/** Kinds of which no form of the column tells what is wrong, or whose rest is part of the answer. */
const UNSEEN: ReadonlySet<Kind> = new Set<Kind>(['arithmetic', 'yes_no', 'choice', 'code']);

test.each([...EXACT_KINDS].filter((kind) => !UNSEEN.has(kind)))(
  'of both halves a model that is always right mends flawed rows of the kind %s',
  async (kind) => {
    const flawed: LabResult[] = [];
    const quoted: string[] = [];
    for (const half of HALVES) {
      const { results } = await measured('strong', half);
      const own = results.filter((result) => result.kind === kind && VISIBLE_FLAWS.has(result.quality));
      flawed.push(...own);
      quoted.push(
        inFull(
          own.filter(({ after_ok }) => !after_ok),
          half,
        ),
      );
    }
    expect(
      flawed.filter(({ after_ok }) => after_ok).length / flawed.length,
      `Flawed rows that are not right afterwards:${quoted.join('')}`,
    ).toBeGreaterThanOrEqual(GAIN_OF_KIND_MIN);
  },
  2 * TIMEOUT_MS,
);
