import { type AnswerProfile, profileAnswers } from '../domain/answers/answer-profile.ts';
import { formFault } from '../domain/answers/check-form.ts';
import { readForm } from '../domain/answers/read-form.ts';
import { seededRandom } from '../domain/evaluation/sample-rows.ts';
import { askModel, UnusableAnswer } from '../domain/model/ask-model.ts';
import type { Generation, ModelClient } from '../domain/model/port.ts';
import { readJsonObject } from '../domain/model/read-json.ts';
import { AugmentRunRequest, ExampleRow } from '../domain/pool/augment-request.ts';
import { writeSimilar as promptOf } from '../domain/pool/prompts/write-similar.v1.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SimilarPlan } from '../schema/run-context.ts';
import { GrowResult } from '../schema/run-result.ts';
import { readJson, readLines } from './json-objects.ts';
import type { Invocation, WorkStatus } from './run-rows-on-model.ts';
import { makeEachRow, runWorker, type WorkerPorts } from './run-worker.ts';

export interface WriteSimilarPorts extends WorkerPorts {
  readonly model: ModelClient | null;
}

/** Rows of the source that each new one is shown. */
const EXAMPLES_SHOWN = 3;

/** Has a model write rows in the style of the source: one result for each, whatever becomes of it. */
export function writeSimilar(
  ports: WriteSimilarPorts,
  plan: SimilarPlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> {
  return runWorker(ports, plan, async () => {
    const { objects, model } = ports;
    const { run_id: runId } = plan;
    if (model === null) {
      throw new ServiceError('model_unavailable', 'The installation has no model for this: configure one.');
    }
    const request = await readJson(objects, objectKeys.runRequest(runId), AugmentRunRequest);
    const examples = (await readLines(objects, objectKeys.examples(runId))).map((line) =>
      ExampleRow.parse(JSON.parse(line)),
    );
    const profile = profileAnswers(examples.map(({ completion }) => completion ?? ''));
    const withPair = request.training_type === 'preference_pairs';
    return makeEachRow(ports, plan, invocation, {
      // The rows are yet to be written: a row is its number.
      lines: Array.from({ length: plan.row_count }, (_, place) => String(plan.first_row + place)),
      budget: request.budget,
      known: () => ({}),
      async make(_line, row, asking, meter) {
        const asked = promptOf(drawExamples(examples, `${runId} ${row}`), withPair, row + 1);
        const cells = await askModel(
          model,
          asked,
          (answer) => readRow(answer, withPair, profile),
          asking,
          meter,
        );
        return { outcome: 'made', cells };
      },
      parse: (value) => GrowResult.parse(value),
    });
  });
}

/** A few different examples, the same for the same seed. */
function drawExamples(examples: readonly ExampleRow[], seed: string): ExampleRow[] {
  const random = seededRandom(seed);
  const left = [...examples];
  return Array.from({ length: Math.min(EXAMPLES_SHOWN, examples.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** The cells of a `PoolRow`. */
function readRow({ text }: Generation, withPair: boolean, profile: AnswerProfile): Record<string, string> {
  const answer = readJsonObject(text);
  const textOf = (key: string): string => {
    const value = answer?.[key];
    if (typeof value !== 'string' || value.trim() === '') {
      throw new UnusableAnswer(`The model wrote a row without a ${key}`);
    }
    return value.trim();
  };
  const row = { prompt: textOf('prompt'), completion: textOf('completion') };
  const form = readForm({ request: row.prompt, answer: '', profile });
  const fault = formFault(form, row.completion);
  if (fault !== null) throw new UnusableAnswer(`The model wrote a row whose answer ${fault}`);
  if (!withPair) return row;
  const rejected = textOf('rejected');
  if (rejected === row.completion) throw new UnusableAnswer('The model wrote one answer twice');
  return { ...row, rejected };
}
