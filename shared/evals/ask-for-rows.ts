import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '#shared/models/decide/clock.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { translateError, translateMessage } from '#shared/openai/decide/translate-error.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { withinStack } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJsonLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { askPatiently, isPassing } from '#shared/responses/ask-patiently.ts';
import { foldEvents } from '#shared/responses/decide/fold-events.ts';
import type { ModelResponse, ResponseEvent } from '#shared/responses/schema/response.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import type { OwnField } from './decide/grade.ts';
import type { EvalRunRecord, SilentSince } from './decide/records.ts';
import { IN_WORDS_OF_GRADER, IN_WORDS_OF_RUN } from './decide/wording.ts';
import type { ModelUsage } from './schema/eval.ts';

/** Of a row: its answer and all of its graders. What is not done by then is an error of the row. */
export const ROW_MILLISECONDS = 240_000;

/** For which rows wait for a model, since it last answered. */
const WAITING_MILLISECONDS = 45 * 60_000;

/** What is wrong with one request; other errors end the run, since each request would meet them. */
const OF_ROW: readonly string[] = ['invalid_request', 'context_too_long', 'model_refused'];

/** What came of a question: the answer, or in words why there is none. */
export type Asked =
  | { readonly response: ModelResponse; readonly error: null }
  | { readonly response: null; readonly error: string };

/** What came of a question about a row, by the digest of the question. */
interface Said {
  readonly row: number;
  readonly question: string;
  readonly asked: Asked;
}

const Said = z.object({
  row: z.int(),
  question: z.string(),
  asked: z.custom<Asked>((value) => typeof value === 'object' && value !== null),
});

/** To whom a question is sent, and how many of these rows were sent before it. */
interface Sending {
  readonly model: string;
  readonly before: number;
}

/** Asks models about a row. */
export interface Asker {
  /**
   * Asks a model; what is wrong with this question alone is answered in words.
   * @param own fields without which a model is asked that does not take them
   * @throws {Waiting} while the model answers nothing, which passes
   * @throws {ServiceError} what each question would meet, such as `credits_insufficient`
   */
  readonly ask: (question: unknown, own?: readonly OwnField[]) => Promise<Asked>;
}

/** Why a row is not done yet: its model answers nothing just now. */
export class Waiting extends Error {
  override name = 'Waiting';
}

/** Why a worker asks no more: it stood still for longer than its lease, and has a successor. */
export class Superseded extends Error {
  override name = 'Superseded';
}

export interface AskForRowsPorts {
  /** Answers a request, and bills it. */
  readonly respond: (input: {
    readonly caller: Caller;
    readonly request: CreateResponseRequest;
    readonly signal: AbortSignal;
    readonly isCommitted: () => boolean;
  }) => AsyncIterable<ResponseEvent>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: () => number;
}

const OUT_OF_TIME: Asked = {
  response: null,
  error: `The row took longer than ${ROW_MILLISECONDS / 1000} seconds. Use fewer graders, or faster models.`,
};

/**
 * Asks models about the rows of a run that are worked on at once, as often as their turn comes: while one model answers nothing, what the
 * others have said of these rows is kept, and nobody pays for it twice.
 */
export class RowQuestions {
  readonly #ports: AskForRowsPorts;
  readonly #run: Pick<EvalRunRecord, 'team_id' | 'run_id'>;
  /** Whether the run is still this worker’s. */
  readonly #isMine: () => boolean;
  /** Since when models have answered nothing, in milliseconds since the epoch. */
  readonly #silentSince: Map<string, number>;
  #said: Said[] = [];
  /** Questions of these rows in the order in which they were first sent, and of each model the last that it has answered. */
  readonly #sent = new Map<string, Sending>();
  readonly #lastAnswered = new Map<string, number>();
  #needsAnother = false;
  /** Of these rows: since when they are worked on, and the models that have answered of them. */
  #beganMs = 0;
  readonly #answered = new Set<string>();
  /** Fields of graders that models have refused, with their values. */
  readonly #refused = new Set<string>();
  /** Models that were silent once in this turn of the rows. */
  readonly #silent = new Set<string>();

  constructor(
    ports: AskForRowsPorts,
    run: Pick<EvalRunRecord, 'team_id' | 'run_id'>,
    isMine: () => boolean,
    silentSince: SilentSince,
  ) {
    this.#ports = ports;
    this.#run = run;
    this.#isMine = isMine;
    this.#silentSince = new Map(Object.entries(silentSince));
  }

  /** Whether a row that has waited for its own time is to be asked beside a further one, which tells if its model answers others. */
  get needsAnother(): boolean {
    return this.#needsAnother;
  }

  get silentSince(): SilentSince {
    return Object.fromEntries(this.#silentSince);
  }

  /** What models read and wrote for these rows. */
  usage(): ModelUsage[] {
    return this.#said.flatMap(({ asked: { response } }) => (response === null ? [] : [usageOf(response)]));
  }

  /** Goes on with what models said of rows that an earlier worker was at. @param first the first row that is not done */
  async resume(first: number): Promise<void> {
    const { team_id, run_id } = this.#run;
    const said = await readJsonLines(this.#ports.objects, objectKeys.evalSaid(team_id, run_id), Said);
    this.#said = said.filter(({ row }) => row >= first);
    this.#beganMs = this.#ports.clock.now();
  }

  /** Keeps what models have said of these rows for the next worker. */
  async keep(): Promise<void> {
    const { team_id, run_id } = this.#run;
    if (this.#said.length > 0)
      await writeLines(this.#ports.objects, objectKeys.evalSaid(team_id, run_id), this.#said);
  }

  /** Forgets what was said of rows that are done. */
  clear(): void {
    this.#said = [];
    this.#answered.clear();
    this.#sent.clear();
    this.#lastAnswered.clear();
    this.#beganMs = this.#ports.clock.now();
  }

  /** Begins a turn of the rows. @param caller in whose name models are asked @returns what asks of a row, until the time is up */
  begin(caller: Caller, endMs: number): (row: number) => Asker {
    this.#silent.clear();
    this.#needsAnother = false;
    return (row) => {
      const earlier = this.#said.filter((each) => each.row === row);
      const ask = async (question: unknown, own: readonly OwnField[] = []): Promise<Asked> => {
        const model = modelOf(question);
        const digest = createHash('sha256').update(JSON.stringify(question)).digest('hex');
        const at = earlier.findIndex((each) => each.question === digest);
        const [known] = at === -1 ? [] : earlier.splice(at, 1);
        if (known?.asked.response != null) this.#answered.add(model);
        if (known !== undefined) return known.asked;
        const sending = this.#sent.get(digest) ?? { model, before: this.#sent.size };
        this.#sent.set(digest, sending);
        const wording = own.length === 0 ? IN_WORDS_OF_RUN : IN_WORDS_OF_GRADER;
        const asked = await this.#askWithout(question, own, (each) =>
          this.#ask(each, sending, caller, endMs),
        ).then(
          (came): Asked =>
            came.error === null ? came : { ...came, error: translateMessage(wording, came.error) },
          (error: unknown) => {
            throw translateError(wording, error);
          },
        );
        if (asked.response !== null) this.#noteAnswer(sending);
        this.#said.push({ row, question: digest, asked });
        return asked;
      };
      return { ask };
    };
  }

  #noteAnswer({ model, before }: Sending): void {
    this.#answered.add(model);
    this.#silentSince.delete(model);
    this.#lastAnswered.set(model, Math.max(before, this.#lastAnswered.get(model) ?? 0));
  }

  #noteSilence(model: string): void {
    this.#silent.add(model);
    if (!this.#silentSince.has(model)) this.#silentSince.set(model, this.#ports.clock.now());
  }

  /** Asks without those of a grader's own fields that the model refuses. @param ask throws what the model refuses */
  async #askWithout(
    question: unknown,
    own: readonly OwnField[],
    ask: (question: unknown) => Promise<Asked>,
  ): Promise<Asked> {
    // A schema that is refused is that of one grader.
    const keyOf = (field: OwnField): string =>
      JSON.stringify([modelOf(question), field, sentValue(question, field)]);
    for (;;) {
      const left = own.filter((field) => this.#refused.has(keyOf(field)));
      try {
        return await ask(left.reduce(withoutField, question));
      } catch (error) {
        if (!(error instanceof ServiceError) || !OF_ROW.includes(error.code)) throw error;
        const field = own.find((each) => error.details.some(({ path }) => path === each));
        if (field === undefined || left.includes(field)) return { response: null, error: error.message };
        this.#refused.add(keyOf(field));
      }
    }
  }

  /** @throws {ServiceError} what is wrong with the question too */
  async #ask(question: unknown, sending: Sending, caller: Caller, endMs: number): Promise<Asked> {
    const { respond, clock, random } = this.#ports;
    try {
      const parsed = withinStack(() => CreateResponseRequest.safeParse(question));
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return {
          response: null,
          error: `The request has a fault: ${issue?.path.join('.')} ${issue?.message}`,
        };
      }
      const ask = async (signal: AbortSignal): Promise<ModelResponse> => {
        if (!this.#isMine()) throw new Superseded();
        try {
          return await foldEvents(
            respond({ caller, request: parsed.data, signal, isCommitted: () => false }),
          );
        } catch (error) {
          if (isPassing(error)) this.#noteSilence(sending.model);
          throw error;
        }
      };
      // Rows behind those that have waited in vain are each asked once.
      const tries = this.#mayWait(sending.model) ? undefined : 1;
      const asked = await askPatiently({ clock, random }, endMs, ask, tries);
      if ('late' in asked) {
        if (asked.passing !== null) throw asked.passing;
        // It went by while a model was waited for.
        if (asked.late === 'all' && [...this.#silent].some((model) => this.#mayWait(model)))
          throw new Waiting();
        return asked.late === 'all'
          ? OUT_OF_TIME
          : { response: null, error: 'The model did not answer in time.' };
      }
      const { answer: response } = asked;
      return response.status === 'failed'
        ? { response: null, error: response.error?.message ?? 'The model did not answer.' }
        : { response, error: null };
    } catch (error) {
      if (isPassing(error)) return this.#wait(sending, error);
      throw error;
    }
  }

  /**
   * What comes of a question that a model has not answered, by an error that passes.
   * @throws {Waiting} as long as the row may wait for it
   * @throws {ServiceError} `model_unavailable` of a model that never started: the rows behind would wait as long, each in vain
   */
  #wait({ model, before }: Sending, error: ServiceError): Asked {
    const isStarting = error.cause instanceof ModelError && error.cause.isStarting;
    // An unusable answer looks like a silent model, and may be the fault of one row. Any other refusal is that of a row if its model has
    // answered one that was sent later: the row may be too long for the tokens that a provider takes in a minute.
    const isPassedOver =
      error.code === 'service_unavailable'
        ? this.#answered.has(model)
        : before < (this.#lastAnswered.get(model) ?? 0);
    const isTimeOver = !isStarting && this.#ports.clock.now() - this.#beganMs >= ROW_MILLISECONDS;
    if (this.#mayWait(model) && !(isPassedOver && isTimeOver)) {
      this.#needsAnother ||= isTimeOver;
      throw new Waiting();
    }
    if (isStarting) {
      throw new ServiceError(
        'model_unavailable',
        `The model did not start within ${WAITING_MILLISECONDS / 60_000} minutes. Start another run when it answers.`,
      );
    }
    return { response: null, error: error.message };
  }

  #mayWait(model: string): boolean {
    const now = this.#ports.clock.now();
    return now - (this.#silentSince.get(model) ?? now) < WAITING_MILLISECONDS;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function sentValue(question: unknown, field: OwnField): unknown {
  const { temperature, text } = question as Fields;
  return field === 'temperature' ? temperature : text;
}

/** A question without a field; the form of its answer is told in its words too. */
function withoutField(question: unknown, field: OwnField): unknown {
  const { [field === 'temperature' ? 'temperature' : 'text']: _, ...left } = question as Fields;
  return left;
}

/** The model that a question names. */
const modelOf = (question: unknown): string => String((question as { readonly model?: unknown }).model);

export function usageOf({ model, usage }: ModelResponse): ModelUsage {
  const { input_tokens = 0, output_tokens = 0, input_tokens_details: details } = usage ?? {};
  return {
    model_name: model,
    invocation_count: 1,
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    cached_tokens: details?.cached_tokens ?? 0,
    total_tokens: input_tokens + output_tokens,
  };
}
