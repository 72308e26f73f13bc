import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '#local/progress.ts';

/** The result of a step; `note` if there was nothing to rehearse. */
export interface Outcome {
  readonly state: 'passed' | 'note';
  readonly result: string;
}

export interface Step {
  readonly name: string;
  /** Steps that this one depends on: it is skipped if one of them has not passed. */
  readonly needs: readonly string[];
  /** Timeout in minutes. */
  readonly minutesMax: number;
  /** How to fix a failure. */
  readonly advice: string;
  run(detail: (text: string) => void): Promise<Outcome>;
}

export interface StepResult {
  readonly name: string;
  /** Null if it did not start. */
  readonly seconds: number | null;
  readonly state: 'passed' | 'note' | 'failed' | 'left out';
  readonly result: string;
  /** How to fix a failure; empty if there is none. */
  readonly advice: string;
}

export const passed = (result: string): Outcome => ({ state: 'passed', result });
export const note = (result: string): Outcome => ({ state: 'note', result });

/** Runs steps in order. A failed step only skips those that depend on it. */
export async function runSteps(
  steps: readonly Step[],
  progress: Progress,
  now: () => number = () => performance.now(),
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    const lacking = step.needs.find((name) => !isDone(results, name));
    if (lacking !== undefined) {
      results.push({
        name: step.name,
        seconds: null,
        state: 'left out',
        result: `needs: ${lacking}`,
        advice: '',
      });
      continue;
    }
    const started = now();
    const { state, result } = await outcomeOf(step, progress);
    const seconds = (now() - started) / 1000;
    results.push({
      name: step.name,
      seconds,
      state,
      result,
      advice: state === 'failed' ? step.advice : '',
    });
  }
  return results;
}

/** Whether no step failed or was skipped. */
export const isSuccess = (results: readonly StepResult[]): boolean =>
  results.every(({ state }) => state === 'passed' || state === 'note');

/** A table: step, seconds, result, fix. */
export function renderResults(results: readonly StepResult[]): string {
  const rows = results.map(({ name, seconds, state, result, advice }) => [
    name,
    seconds === null ? '–' : seconds.toFixed(1),
    `${state === 'passed' ? 'ok' : state}: ${result.split('\n')[0]}`,
    advice,
  ]);
  const header = ['Step', 'Seconds', 'Result', 'What to do'];
  const table = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const isDone = (results: readonly StepResult[], name: string): boolean =>
  results.some((result) => result.name === name && (result.state === 'passed' || result.state === 'note'));

async function outcomeOf(
  { name, minutesMax, run }: Step,
  progress: Progress,
): Promise<{ readonly state: StepResult['state']; readonly result: string }> {
  const over = new AbortController();
  const late = sleep(minutesMax * 60_000, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`It was not done within ${minutesMax} minutes.`);
  });
  // If the step finishes in time, the timeout is ignored.
  late.catch(() => undefined);
  try {
    return await progress.step(name, (detail) => Promise.race([run(detail), late]));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    progress.note(text);
    return { state: 'failed', result: text };
  } finally {
    over.abort();
  }
}
