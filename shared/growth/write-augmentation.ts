import * as z from 'zod';
import { type AnswerProfile, NO_PROFILE, profileAnswers } from '#shared/answers/decide/answer-profile.ts';
import { formFault } from '#shared/answers/decide/check-form.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { askModel, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import { repeatsMarks } from '#shared/models/decide/fence.ts';
import type { GenerateRequest, Generation, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { rowsToMake } from '#shared/runs/rows-to-make.ts';
import {
  type Invocation,
  type RunRows,
  runWorker,
  type WorkerPorts,
  type WorkStatus,
} from '#shared/runs/run-worker.ts';
import type { WritingPlan } from '#shared/runs/schema/run-context.ts';
import { GrowResult } from '#shared/runs/schema/run-result.ts';
import { briefOf } from './decide/invent/brief.ts';
import { SUBDOMAINS_IN_TURN } from './decide/invent/taxonomy.ts';
import { AugmentRunRequest, ExampleRow, type Exchange } from './decide/pool/augment-request.ts';
import { writeGeneral } from './decide/pool/prompts/write-general.v1.ts';
import { writeSimilar } from './decide/pool/prompts/write-similar.v3.ts';
import { type WrittenParts, writtenKeys } from './decide/pool/prompts/written-row.ts';
import { shapeOf } from './decide/pool/row-request.ts';

export interface WriteAugmentationPorts extends WorkerPorts {
  readonly model: ModelClient | null;
}

/** Source rows in the prompt of each new one. */
const EXAMPLES_SHOWN = 3;

/** How the rows of a kind are asked for. */
interface Writer {
  readonly ask: (row: number) => GenerateRequest;
  /** What a row has. */
  readonly parts: WrittenParts;
  /** Texts that all rows have and no model writes. */
  readonly shared: Readonly<Record<string, string>>;
  /** How long the answers of such rows are. */
  readonly profile: AnswerProfile;
}

/** Has a model write rows of a kind: one result for each, whatever becomes of it. */
export const writeAugmentation = (
  ports: WriteAugmentationPorts,
  plan: WritingPlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> => runWorker(ports, plan, invocation, (own) => openWriting(ports, own));

async function openWriting(ports: WriteAugmentationPorts, plan: WritingPlan): Promise<RunRows<GrowResult>> {
  const { objects, model } = ports;
  const { run_id: runId } = plan;
  if (model === null) {
    throw new ServiceError('model_unavailable', 'The installation has no model for this: configure one.');
  }
  const request = await readJson(objects, objectKeys.runRequest(runId), AugmentRunRequest);
  const withPair = request.training_type === 'preference_pairs';
  const { ask, parts, shared, profile } =
    plan.kind === 'similar' ? await similarWriter(objects, runId, withPair) : generalWriter(runId, withPair);
  return rowsToMake({
    // The rows do not exist yet: a row is its number.
    lines: Array.from({ length: plan.row_count }, (_, place) => String(plan.first_row + place)),
    budget: request.budget,
    known: () => ({}),
    async make(_line, row, asking, meter) {
      const cells = await askModel(
        model,
        ask(row),
        (answer) => readRow(answer, parts, profile),
        asking,
        meter,
      );
      return { outcome: 'made', cells: { ...shared, ...cells } };
    },
    parse: (value) => GrowResult.parse(value),
  });
}

/** Rows like those of the source, of which each sees a few. */
async function similarWriter(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  withPair: boolean,
): Promise<Writer> {
  const examples = await readJsonLines(objects, objectKeys.examples(runId), ExampleRow);
  const labels = await readJsonLines(objects, objectKeys.expansionLabels(runId), z.string());
  const profile = profileAnswers(examples.map(({ completion }) => completion ?? ''));
  const { system, ...shape } = shapeOf(examples);
  // Instructions that all rows share are no model's to write.
  const isShared = shape.withSystem && system !== '';
  const parts = { ...shape, withPair, withSystem: shape.withSystem && !isShared };
  return {
    ask: (row) => writeSimilar(drawExamples(examples, `${runId} ${row}`), parts, row + 1),
    parts,
    shared: isShared ? { system } : {},
    profile:
      profile.labels.length === 0
        ? profile
        : { ...profile, labels: [...new Set([...profile.labels, ...labels])] },
  };
}

/** Rows on topics of all kinds, each by a brief of its own. */
function generalWriter(runId: string, withPair: boolean): Writer {
  return {
    ask: (row) => writeGeneral(briefOf(runId, row, SUBDOMAINS_IN_TURN), withPair, row),
    parts: { withPair },
    shared: {},
    profile: NO_PROFILE,
  };
}

/** A few different examples, the same for the same seed. */
function drawExamples(examples: readonly ExampleRow[], seed: string): ExampleRow[] {
  const random = seededRandom(seed);
  const left = [...examples];
  return Array.from({ length: Math.min(EXAMPLES_SHOWN, examples.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** The written turns before a prompt, as the JSON of a cell. */
function readEarlier(value: unknown, textOf: (key: string, value: unknown) => string): string {
  if (!Array.isArray(value) || value.length === 0) {
    throw new UnusableAnswer('The model wrote a row without the turns before its prompt');
  }
  return JSON.stringify(
    value.map((turns: unknown): Exchange => {
      const exchange = typeof turns === 'object' && turns !== null ? { ...turns } : {};
      const said = (key: 'user' | 'assistant') => textOf(`${key} turn before its prompt`, own(exchange, key));
      return { user: said('user'), assistant: said('assistant') };
    }),
  );
}

/** The cells of a `PoolRow`. */
function readRow({ text }: Generation, parts: WrittenParts, profile: AnswerProfile): Record<string, string> {
  const answer = readJsonObject(text);
  const textOf = (key: string, value: unknown): string => {
    if (typeof value !== 'string' || value.trim() === '') {
      throw new UnusableAnswer(`The model wrote a row without a ${key}`);
    }
    if (repeatsMarks(value)) {
      throw new UnusableAnswer(`The model repeated the marks around the examples in the ${key}`);
    }
    return value.trim();
  };
  const row = Object.fromEntries(
    writtenKeys(parts).map((key) => [
      key,
      key === 'earlier' ? readEarlier(own(answer, key), textOf) : textOf(key, own(answer, key)),
    ]),
  );
  const { prompt = '', completion = '', rejected } = row;
  const form = readForm({ request: prompt, answer: '', profile });
  const fault = formFault(form, completion);
  if (fault !== null) throw new UnusableAnswer(`The model wrote a row whose answer ${fault}`);
  if (rejected === completion) throw new UnusableAnswer('The model wrote one answer twice');
  return row;
}
