import { currentCaller } from '#shared/access/current-caller.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ObjectWriter, type PartedObjects } from '#shared/exports/write-object.ts';
import type { Sampling } from '#shared/models/decide/turn.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type HoldLeasePorts, holdLease } from '#shared/platform/hold-lease.ts';
import { readJson, readJsonLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { type AskPatientlyPorts, askPatiently, isPassing } from '#shared/responses/ask-patiently.ts';
import { foldEvents } from '#shared/responses/decide/fold-events.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { BATCH_PLACE_SECONDS, claimOfBatch, findBatchPlace } from './create-batch.ts';
import {
  addUsage,
  answeredLine,
  type BatchAddress,
  BatchLine,
  type BatchRecord,
  type BatchRepository,
  type BatchRequest,
  isAnswered,
  isOpen,
  KeptLine,
  NO_USAGE,
  OPEN,
  readRequests,
  refusedLine,
  shortened,
  unsentLine,
} from './decide/batches.ts';
import { foldChat, inWordsOfChat, toResponseRequest } from './decide/chat.ts';
import { openaiId } from './decide/ids.ts';
import { type ReadFileRowsPorts, readFileRows } from './read-file-rows.ts';
import type { BatchFault, BatchStatus } from './schema/batches.ts';
import { CreateChatCompletionRequest } from './schema/chat.ts';
import { type Held, SharedMemory } from './share-memory.ts';

export interface WorkBatchPorts extends ReadFileRowsPorts, HoldLeasePorts, AskPatientlyPorts {
  readonly batches: BatchRepository;
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'list' | 'remove'> & PartedObjects;
  /** Answers a request, and bills it. */
  readonly respond: (input: {
    readonly caller: Caller;
    readonly request: CreateResponseRequest;
    readonly sampling?: Sampling;
    readonly signal: AbortSignal;
    readonly isCommitted: () => boolean;
    readonly beforeLong: () => Promise<void>;
  }) => AsyncIterable<ResponseEvent>;
  readonly access: Pick<AccessAdministration, 'listKeys' | 'findTeam' | 'findPlan'>;
  /** Starts another worker, which goes on where this one ends. */
  readonly goOn: (batch: BatchAddress) => Promise<void>;
  readonly clock: HoldLeasePorts['clock'];
}

/** Requests that are one object of answers, and those that are sent at once. */
const BLOCK = 20;
const REQUESTS_AT_ONCE = 5;
/** Characters of a line in a block, which is read and written as a whole: with probabilities of tokens one may have 16 million. */
const LINE_CHARACTERS_MAX = 256 * 1024;
/** Of one request, with the times that it is sent again. */
const REQUEST_MILLISECONDS = 240_000;
/** What writing lines and files takes. */
const WRITING_MILLISECONDS = 120_000;
/** A worker sends nothing with less time left: the requests’, and what writing takes. */
const REST_MILLISECONDS = REQUEST_MILLISECONDS + WRITING_MILLISECONDS;
/** Between two looks at models that answer nothing, and the time after which they are given up. */
const PAUSE_MILLISECONDS = 30_000;
const IDLE_MILLISECONDS = 30 * 60_000;

/** What each further request would meet too: it ends the batch. */
const OF_ALL: readonly string[] = ['credits_insufficient', 'unauthorized', 'scope_missing'];
const isOfAll = ({ code, details }: ServiceError): boolean =>
  // What a request may cost by its own word is no matter of the others.
  OF_ALL.includes(code) && details[0]?.path !== 'max_credits';

/** How a batch ends, and what its requests without an answer are told. */
interface Ending {
  readonly status: 'completed' | 'failed' | 'expired' | 'cancelled';
  readonly unsent: { readonly code: string; readonly message: string };
  readonly faults: readonly BatchFault[];
}

const COMPLETED: Ending = { status: 'completed', unsent: { code: 'unsent', message: '' }, faults: [] };
const EXPIRED: Ending = {
  status: 'expired',
  unsent: {
    code: 'batch_expired',
    message: 'The request was not sent before the window of the batch was over.',
  },
  faults: [],
};
const CANCELLED: Ending = {
  status: 'cancelled',
  unsent: { code: 'batch_cancelled', message: 'The batch was cancelled before the request was sent.' },
  faults: [],
};
const failed = ({ code, message }: { readonly code: string; readonly message: string }): Ending => ({
  status: 'failed',
  unsent: { code, message },
  faults: [{ code, message, line: null, param: null }],
});

type Worked = { readonly status: string };

/**
 * Works on a batch until it has ended, or the time is up. What was answered is kept, so that a killed worker repeats those few
 * requests at most that it was at. One worker works at a time.
 * @param deadline milliseconds since the epoch
 */
export async function workBatch(
  ports: WorkBatchPorts,
  address: BatchAddress,
  deadline: number,
): Promise<Worked> {
  const worked = await holdLease(ports, `batch ${address.batch_id} is worked on`, async (isMine) => {
    const batch = await ports.batches.find(address.team_id, address.batch_id);
    if (batch === null) return { status: 'gone' };
    if (!isOpen(batch)) {
      await ports.claims.release(claimOfBatch(batch), batch.batch_id);
      return { status: batch.status };
    }
    const placed = await takePlaceAgain(ports, batch);
    // It is looked at again once it has stood still.
    if (placed === null) return { status: 'waiting' };
    const done = await work(ports, placed, deadline, isMine);
    if (done.status !== 'in_progress' && done.status !== 'worked_on')
      await ports.claims.release(claimOfBatch(placed), batch.batch_id);
    return done;
  });
  if (worked?.status === 'in_progress') await ports.goOn(address);
  return worked ?? { status: 'worked_on' };
}

/** A batch with a place of its team: another batch may have its own, if its worker was gone for an hour. Null without any. */
async function takePlaceAgain(ports: WorkBatchPorts, batch: BatchRecord): Promise<BatchRecord | null> {
  const { batch_id, team_id } = batch;
  const isHeld = await ports.claims.take(claimOfBatch(batch), BATCH_PLACE_SECONDS, batch_id);
  // One that is cancelled, or whose window is over, asks no model.
  const isEnding = batch.status === 'cancelling' || ports.clock.now() > Date.parse(batch.window_ends_at);
  if (isHeld || isEnding) return batch;
  const place = await findBatchPlace(ports.claims, team_id, batch_id);
  if (place === null) return null;
  const moved = { ...batch, place };
  if ((await ports.batches.change(batch, OPEN, { place })) !== null) return moved;
  await ports.claims.release(claimOfBatch(moved), batch_id);
  return null;
}

async function work(
  ports: WorkBatchPorts,
  batch: BatchRecord,
  deadline: number,
  isMine: () => boolean,
): Promise<Worked> {
  if ((await ports.datasets.find(batch.dataset_id)) === null) {
    return finish(
      ports,
      batch,
      [],
      failed({ code: 'dataset_not_found', message: 'The file of the batch is gone.' }),
    );
  }
  let requests: readonly BatchRequest[] = [];
  try {
    const context = { team_id: batch.team_id, run_id: batch.batch_id, dataset_id: batch.dataset_id };
    // Of the rows that were uploaded: what is made of them since is no request.
    const read = readRequests(await readFileRows(ports, context, null, 'input_file_id'), batch.endpoint);
    if ('faults' in read) {
      const failing = { ...failed({ code: 'invalid_request', message: '' }), faults: read.faults };
      return finish(ports, batch, [], failing);
    }
    requests = read.requests;
  } catch (error) {
    if (!(error instanceof ServiceError) || isPassing(error)) throw error;
    return finish(ports, batch, [], failed(error));
  }
  const now = timestamp(ports.clock.now());
  await ports.batches.change(batch, ['validating'], {
    status: 'in_progress',
    counts: { ...batch.counts, total: requests.length },
    in_progress_at: now,
    worked_at: now,
    progressed_at: now,
  });
  return answerAll(ports, { batch, requests, deadline, isMine });
}

interface Job {
  readonly batch: BatchRecord;
  readonly requests: readonly BatchRequest[];
  readonly deadline: number;
  readonly isMine: () => boolean;
}

/** Requests whose lines are one object. */
interface Block {
  readonly key: string;
  /** Those without a line. */
  missing: readonly BatchRequest[];
}

/** What is left to do, and what was done. */
interface Progress {
  readonly blocks: readonly Block[];
  completed: number;
  refused: number;
}

const count = (progress: Progress, lines: readonly KeptLine[]): void => {
  const answered = lines.filter(isAnswered).length;
  progress.completed += answered;
  progress.refused += lines.length - answered;
};

async function progressOf(ports: WorkBatchPorts, { batch, requests }: Job): Promise<Progress> {
  const progress: Progress & { blocks: Block[] } = { blocks: [], completed: 0, refused: 0 };
  const written = new Set<string>();
  for await (const key of ports.objects.list(objectKeys.batchLinesOf(batch.team_id, batch.batch_id)))
    written.add(key);
  for (let first = 0; first < requests.length; first += BLOCK) {
    const key = objectKeys.batchLines(batch.team_id, batch.batch_id, first / BLOCK);
    const done = written.has(key) ? await readBlock(ports, key) : new Map<string, KeptLine>();
    count(progress, [...done.values()]);
    const block = requests.slice(first, first + BLOCK);
    progress.blocks.push({ key, missing: block.filter(({ custom_id }) => !done.has(custom_id)) });
  }
  return progress;
}

/**
 * Sends requests until each has its line. A request that has to wait, and with it those of a model that answers nothing, is
 * sent again when all others were: a model that is gone holds up its own requests alone.
 */
async function answerAll(ports: WorkBatchPorts, job: Job): Promise<Worked> {
  const { batch, requests } = job;
  const progress = await progressOf(ports, job);
  while (progress.blocks.some(({ missing }) => missing.length > 0)) {
    const pass = await answerOnce(ports, job, progress);
    if ('status' in pass) return pass;
    if ('ending' in pass) return finish(ports, batch, requests, pass.ending);
    if (pass.passing === null || pass.answered > 0) continue;
    if (ports.clock.now() - Date.parse(pass.progressedAt) > IDLE_MILLISECONDS) {
      return finish(ports, batch, requests, givenUp(pass.passing, progress));
    }
    await ports.clock.sleep(PAUSE_MILLISECONDS);
  }
  return finish(ports, batch, requests, COMPLETED);
}

/** The end of a batch whose last requests got no answer: it fails only if none did. */
function givenUp({ code, message }: ServiceError, { completed }: Progress): Ending {
  return completed > 0 ? { ...COMPLETED, unsent: { code, message } } : failed({ code, message });
}

/** A look at all requests without a line. */
interface Pass {
  readonly answered: number;
  /** Why some wait. */
  readonly passing: ServiceError | null;
  readonly progressedAt: string;
}

/** One request may have a fault of its own that looks like a silent model. */
const SILENT_REQUESTS = 3;

/** Requests that a pass sends no more: those that have to wait, and those of models that answered nothing of what they were sent. */
class Waiting {
  readonly #requests = new Set<BatchRequest>();
  /** Requests in a row that a model did not answer. */
  readonly #silent = new Map<unknown, number>();

  has(request: BatchRequest): boolean {
    return this.#requests.has(request) || (this.#silent.get(request.body.model) ?? 0) >= SILENT_REQUESTS;
  }

  add(sent: readonly BatchRequest[], lines: readonly KeptLine[]): void {
    const ended = new Set(lines.map(({ custom_id }) => custom_id));
    const waiting = sent.filter(({ custom_id }) => !ended.has(custom_id));
    const answering = new Set(sent.filter((each) => !waiting.includes(each)).map(({ body }) => body.model));
    for (const model of answering) this.#silent.delete(model);
    for (const each of waiting) {
      this.#requests.add(each);
      const { model } = each.body;
      if (!answering.has(model)) this.#silent.set(model, (this.#silent.get(model) ?? 0) + 1);
    }
  }
}

async function answerOnce(
  ports: WorkBatchPorts,
  job: Job,
  progress: Progress,
): Promise<Worked | { readonly ending: Ending } | Pass> {
  let [answered, passing, progressedAt]: [number, ServiceError | null, string] = [
    0,
    null,
    job.batch.progressed_at,
  ];
  const waiting = new Waiting();
  for (const block of progress.blocks) {
    for (;;) {
      const sent = block.missing.filter((each) => !waiting.has(each)).slice(0, REQUESTS_AT_ONCE);
      if (sent.length === 0) break;
      const halt = await haltOf(ports, job);
      if (halt !== null) return halt;
      const asked = await answerSome(ports, job, sent);
      const kept = await keepLines(ports, job, { progress, block, lines: asked.lines });
      if ('status' in kept) return kept;
      if (asked.ending !== null) return { ending: asked.ending };
      waiting.add(sent, asked.lines);
      answered += asked.lines.length;
      passing = asked.passing ?? passing;
      progressedAt = kept.progressedAt;
    }
  }
  return { answered, passing, progressedAt };
}

/** Writes the lines of a block that were added, and how far the batch is. */
async function keepLines(
  ports: WorkBatchPorts,
  { batch, requests, isMine }: Job,
  { progress, block, lines }: { progress: Progress; block: Block; lines: readonly KeptLine[] },
): Promise<Worked | { readonly progressedAt: string }> {
  // A worker that stood still for longer than its lease has a successor, which writes the block.
  if (!isMine()) return { status: 'worked_on' };
  if (lines.length > 0) {
    const done = await readBlock(ports, block.key);
    for (const line of lines) done.set(line.custom_id, line);
    await writeLines(ports.objects, block.key, [...done.values()]);
    block.missing = block.missing.filter(({ custom_id }) => !done.has(custom_id));
    count(progress, lines);
  }
  const now = timestamp(ports.clock.now());
  const changed = await ports.batches.change(batch, OPEN, {
    counts: { total: requests.length, completed: progress.completed, failed: progress.refused },
    worked_at: now,
    ...(lines.length > 0 ? { progressed_at: now } : {}),
  });
  return changed === null ? { status: 'gone' } : { progressedAt: changed.progressed_at };
}

/** Why nothing more is sent now; null if something is. */
async function haltOf(
  ports: WorkBatchPorts,
  { batch, deadline, isMine }: Job,
): Promise<Worked | { readonly ending: Ending } | null> {
  if (!isMine()) return { status: 'worked_on' };
  const current = await ports.batches.find(batch.team_id, batch.batch_id);
  if (current === null || !isOpen(current)) return { status: 'gone' };
  if (current.status === 'cancelling') return { ending: CANCELLED };
  const now = ports.clock.now();
  if (now > Date.parse(batch.window_ends_at)) return { ending: EXPIRED };
  if (now > deadline - REST_MILLISECONDS) return { status: 'in_progress' };
  await ports.claims.take(claimOfBatch(batch), BATCH_PLACE_SECONDS, batch.batch_id);
  return null;
}

interface Asked {
  /** Of the requests that were answered or refused. */
  readonly lines: readonly KeptLine[];
  /** What ends the batch. */
  readonly ending: Ending | null;
  /** What keeps the others, and passes. */
  readonly passing: ServiceError | null;
}

/** Sends requests, all at once. */
async function answerSome(
  ports: WorkBatchPorts,
  { batch, deadline }: Pick<Job, 'batch' | 'deadline'>,
  requests: readonly BatchRequest[],
): Promise<Asked> {
  let caller: Caller;
  try {
    caller = await currentCaller(ports.access, batch, 'the batch');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { lines: [], ending: failed(error), passing: null };
  }
  const endMs = ports.clock.now() + REQUEST_MILLISECONDS;
  const lines: KeptLine[] = [];
  let ending: Ending | null = null;
  let passing: ServiceError | null = null;
  // Long answers wait for each other in none of their own time, and so they may take all of the worker's.
  const over = AbortSignal.timeout(Math.max(0, deadline - WRITING_MILLISECONDS - ports.clock.now()));
  const memory = new SharedMemory(over);
  const answerOne = async (request: BatchRequest, held: Held): Promise<void> => {
    try {
      const asked = await askPatiently(ports, endMs, async (own, time) => {
        const signal = AbortSignal.any([own, over]);
        try {
          return await respondTo(
            (each) => {
              const beforeLong = (): Promise<void> => held.takeLong(time);
              return held.read(ports.respond({ ...each, caller, signal, beforeLong }), time);
            },
            batch,
            request,
          );
        } catch (error) {
          held.letGo();
          throw error;
        }
      });
      // The next worker sends it again.
      if ('late' in asked && over.aborted) passing = asked.passing ?? workerIsOver();
      else if (!('late' in asked))
        lines.push(await kept(ports, batch, request, answeredLine(batch, request, asked.answer)));
      else if (asked.passing === null) lines.push(unsentLine(batch, request, LATE));
      else passing = asked.passing;
    } catch (error) {
      if (isPassing(error)) passing = error;
      else if (error instanceof ServiceError && isOfAll(error)) ending = failed(error);
      else {
        if (!(error instanceof ServiceError)) ports.onFailure(error);
        lines.push(refusedLine(batch, request, error));
      }
    }
  };
  await Promise.all(requests.map((request) => memory.hold((held) => answerOne(request, held))));
  return { lines, ending, passing };
}

const workerIsOver = (): ServiceError =>
  new ServiceError('service_unavailable', 'The time of the worker was over before the answer was whole.');

const LATE = {
  code: 'request_timeout',
  message: `The model did not answer in ${REQUEST_MILLISECONDS / 1000} seconds.`,
};

/** The answer of the endpoint to a request. @throws {ServiceError} */
function respondTo(
  respond: (
    asked: Pick<Parameters<WorkBatchPorts['respond']>[0], 'request' | 'sampling' | 'isCommitted'>,
  ) => AsyncGenerator<ResponseEvent, void>,
  { endpoint }: BatchRecord,
  { body }: BatchRequest,
): Promise<object> {
  const asked = { isCommitted: () => false };
  if (endpoint === '/v1/responses') {
    return foldEvents(respond({ ...asked, request: parseInput('', CreateResponseRequest, body) }));
  }
  const request = toResponseRequest(parseInput('', CreateChatCompletionRequest, body));
  return foldChat(inWordsOfChat(respond({ ...asked, ...request })));
}

/** A line for its block. A long one is written at once: several of them would fill the worker's memory. */
async function kept(
  { objects }: WorkBatchPorts,
  { team_id, batch_id }: BatchRecord,
  { row }: BatchRequest,
  line: BatchLine,
): Promise<KeptLine> {
  const text = JSON.stringify(line);
  if (text.length <= LINE_CHARACTERS_MAX) return line;
  await objects.write(objectKeys.batchLine(team_id, batch_id, row), text, 'application/json');
  return shortened(line);
}

/** The line of a request, whole. */
const wholeLine = (
  { objects }: WorkBatchPorts,
  { team_id, batch_id }: BatchRecord,
  { row }: BatchRequest,
  line: KeptLine,
): Promise<BatchLine> | BatchLine =>
  line.is_long === true ? readJson(objects, objectKeys.batchLine(team_id, batch_id, row), BatchLine) : line;

async function readBlock(ports: WorkBatchPorts, key: string): Promise<Map<string, KeptLine>> {
  const lines = await readJsonLines(ports.objects, key, KeptLine);
  return new Map(lines.map((line) => [line.custom_id, line]));
}

/** Writes the files that the batch leaves, in the order of its requests, each of which is in one of them; then ends it. */
async function finish(
  ports: WorkBatchPorts,
  batch: BatchRecord,
  requests: readonly BatchRequest[],
  { status, unsent, faults }: Ending,
): Promise<Worked> {
  const { batches, objects, clock } = ports;
  if (status === 'completed') {
    const now = timestamp(clock.now());
    // A batch that was just asked to be cancelled is complete all the same.
    await batches.change(batch, OPEN, { status: 'finalizing', finalizing_at: now, worked_at: now });
  }
  const output = new BatchFileWriter(ports, batch, batch.output_id, 'output');
  const errors = new BatchFileWriter(ports, batch, batch.error_id, 'error');
  let usage = NO_USAGE;
  for (let first = 0; first < requests.length; first += BLOCK) {
    const key = objectKeys.batchLines(batch.team_id, batch.batch_id, first / BLOCK);
    const done = await readBlock(ports, key);
    for (const request of requests.slice(first, first + BLOCK)) {
      const line = done.get(request.custom_id) ?? unsentLine(batch, request, unsent);
      usage = addUsage(usage, line);
      await (isAnswered(line) ? output : errors).write(await wholeLine(ports, batch, request, line));
    }
  }
  const now = timestamp(clock.now());
  await output.end(now);
  await errors.end(now);
  const ended = await batches.change(batch, OPEN, {
    status,
    faults,
    usage,
    counts: { total: requests.length, completed: output.lines, failed: errors.lines },
    has_output: output.lines > 0,
    has_errors: errors.lines > 0,
    [`${status}_at`]: now,
    worked_at: now,
  });
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.batchLinesOf(batch.team_id, batch.batch_id)))
    keys.push(key);
  if (keys.length > 0) await objects.remove(keys);
  return { status: ended === null ? 'gone' : (status satisfies BatchStatus) };
}

/** A file that a batch leaves: nothing of it is there unless it has lines. */
class BatchFileWriter {
  lines = 0;
  #bytes = 0;
  readonly #ports: WorkBatchPorts;
  readonly #batch: BatchRecord;
  readonly #fileId: string;
  readonly #kind: string;
  readonly #writer: ObjectWriter;

  constructor(ports: WorkBatchPorts, batch: BatchRecord, fileId: string, kind: string) {
    this.#ports = ports;
    this.#batch = batch;
    this.#fileId = fileId;
    this.#kind = kind;
    this.#writer = new ObjectWriter(
      ports.objects,
      objectKeys.batchFile(batch.team_id, fileId),
      'application/jsonl',
    );
  }

  async write(line: BatchLine): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.lines += 1;
    this.#bytes += bytes.length;
    await this.#writer.write(bytes);
  }

  async end(created_at: string): Promise<void> {
    if (this.lines === 0) return;
    await this.#writer.end();
    const { team_id, batch_id } = this.#batch;
    await this.#ports.batches.createFile({
      file_id: this.#fileId,
      team_id,
      name: `${openaiId('batch_', batch_id)}_${this.#kind}.jsonl`,
      bytes: this.#bytes,
      created_at,
    });
  }
}
