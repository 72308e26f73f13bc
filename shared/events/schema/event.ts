import * as z from 'zod';
import { DatasetId, DateTime, IntegerText, RunId, text } from '#shared/platform/schema/common.ts';
import type { Scope } from '#shared/platform/schema/scope.ts';

const Credits = z.int().min(0);
const Rows = z.int().min(0);

const ErrorCode = z
  .string()
  .nullable()
  .describe('Code of the error; null if there was none. The resource has its message.');
const RunStatus = z
  .enum(['succeeded', 'failed'])
  .describe('How it ended. What was cancelled has failed with the code `run_cancelled`.');
const Billed = Credits.describe('Credits that it was billed.');
const TrainingKind = z
  .enum(['training', 'comparison'])
  .describe('Whether `experiment_id` is a training or a comparison.');
const ExperimentId = z.string().describe('Id of the training, or of the comparison.');
const BestWinRate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('The best win rate so far; null before the first, and for a comparison.');

/** The scope that a key needs to read each type of event; null for any. */
export const eventScopes = new Map<string, Scope | null>();

const eventType = <T extends string, D extends z.ZodType>(type: T, scope: Scope | null, data: D) => {
  eventScopes.set(type, scope);
  return z.object({
    id: text('evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d').describe(
      'Stable: however often the event is delivered, its id is the same.',
    ),
    type: z.literal(type).describe('What has happened.'),
    schema_version: z
      .literal(1)
      .describe('Changes when a field goes or changes its meaning. Fields may be added within a version.'),
    created_at: DateTime.describe('When the state was reached, ISO 8601 in UTC.'),
    dataset_id: DatasetId.nullable().describe('The dataset that it is about; null without one.'),
    sequence: z
      .int()
      .min(1)
      .nullable()
      .meta({ example: 4 })
      .describe('Number among the events of its dataset, from 1, without gaps; null without a dataset.'),
    position: z
      .int()
      .min(1)
      .meta({ example: 17 })
      .describe('Number among the events of the team: continue after it with `after` or `Last-Event-ID`.'),
    data,
  });
};

/**
 * One change of state that callers wait for: the list of its types, each with the scope that reads it and its data. Data
 * hold ids, states and numbers, and never the text of a row.
 */
export const Event = z
  .discriminatedUnion('type', [
    eventType(
      'dataset.read',
      'datasets:read',
      z
        .object({
          run_id: RunId,
          status: RunStatus,
          row_count: Rows.nullable()
            .meta({ example: 250 })
            .describe('Rows of the dataset; null if they could not be read.'),
          error_code: ErrorCode,
        })
        .describe('A file, or an import, was read, or could not be.'),
    ),
    eventType(
      'run.progressed',
      'datasets:read',
      z
        .object({
          run_id: RunId,
          kind: z.string().describe('What the run does, such as `adapt`, `expand` or `augment`.'),
          percent: z
            .int()
            .min(10)
            .max(90)
            .describe('The tenth of its rows that was reached, in percent; a fast run skips some.'),
          processed_rows: Rows.describe('Rows that are done.'),
          total_rows: z.int().min(1).describe('Rows of the run.'),
        })
        .describe('A run has reached another tenth of its rows; told every minute.'),
    ),
    eventType(
      'run.ended',
      'datasets:read',
      z
        .object({
          run_id: RunId,
          kind: z.string().describe('What the run did, such as `adapt`, `append`, `combine` or `expand`.'),
          status: RunStatus,
          version: z.int().min(1).nullable().describe('The version that it made; null if it made none.'),
          billed_credits: Billed,
          error_code: ErrorCode,
        })
        .describe('An adaptation, an append, a combination or a growing run has ended.'),
    ),
    eventType(
      'pilot.ended',
      'datasets:read',
      z
        .object({
          pilot_id: z.string().describe('Id of the pilot.'),
          status: RunStatus,
          billed_credits: Billed,
          error_code: ErrorCode,
        })
        .describe('A pilot has ended.'),
    ),
    eventType(
      'evaluation.ended',
      'datasets:read',
      z
        .object({
          run_id: z.string().describe('The run whose rows were scored.'),
          custom_eval_id: z
            .string()
            .nullable()
            .describe('Id of the custom evaluation; null for that of the run.'),
          status: z
            .enum(['succeeded', 'failed', 'skipped'])
            .describe('How it ended; `skipped` where there was nothing to score.'),
        })
        .describe('The evaluation of a run, or a custom one, has ended.'),
    ),
    eventType(
      'training.iteration_ended',
      'training',
      z
        .object({
          experiment_id: ExperimentId,
          kind: TrainingKind,
          iteration: z.int().min(1).describe('Number of the iteration, from 1.'),
          iterations_failed: z.int().min(0).describe('Iterations so far that have no result.'),
          best_win_rate: BestWinRate,
        })
        .describe('An iteration of a training has ended.'),
    ),
    eventType(
      'training.ended',
      'training',
      z
        .object({
          experiment_id: ExperimentId,
          kind: TrainingKind,
          status: z.enum(['succeeded', 'failed', 'cancelled']).describe('How it ended.'),
          iterations: z.int().min(0).describe('Iterations that have ended, with a result or without.'),
          best_win_rate: BestWinRate,
          billed_credits: Billed,
          error_code: ErrorCode,
        })
        .describe('A training, or a comparison, has ended.'),
    ),
    eventType(
      'credits.low',
      null,
      z
        .object({
          threshold: Credits.describe('A tenth of all credits that the team was granted.'),
        })
        .describe('What is left of the credits has fallen below a tenth of what was granted.'),
    ),
    eventType(
      'answer.failed',
      'responses',
      z
        .object({
          response_id: z.string().describe('Id of the response.'),
          error_code: z.string().describe('Code of the error, as in the response.'),
        })
        .describe(
          'A response has failed after its first event, for another reason than that its caller has left.',
        ),
    ),
    eventType(
      'webhook.disabled',
      'webhooks',
      z
        .object({
          webhook_id: z.string().describe('Id of the webhook.'),
          reason: z.enum(['failing', 'gone']).describe('As `disabled_reason` of the webhook.'),
        })
        .describe('A webhook gets no more events: it has failed for five days, or has answered 410.'),
    ),
    eventType(
      'webhook.test',
      'webhooks',
      z
        .object({ webhook_id: z.string().describe('Id of the webhook, which alone gets it.') })
        .describe('A caller has asked for a test of a webhook.'),
    ),
  ])
  .meta({ id: 'Event', description: 'A change of state that callers wait for.' });
export type Event = z.infer<typeof Event>;

export const EventType = z.enum(Event.options.map(({ shape }) => shape.type.value));
export type EventType = z.infer<typeof EventType>;

export const EVENTS_PAGE_MAX = 200;
export const EVENTS_PAGE_DEFAULT = 100;

export const EventsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the `cursor` of an earlier answer, or 0 for the oldest event that is kept')
    .optional()
    .describe(
      'Continue after this `cursor`. Without it a page begins with the oldest event that is kept (30 days), and a stream ' +
        'with the next one.',
    ),
  limit: IntegerText.pipe(z.int().min(1).max(EVENTS_PAGE_MAX))
    .optional()
    .meta({ description: 'Page size, 1 to 200, default 100; a stream does not read it' }),
});

export const EventPage = z
  .object({
    events: z.array(Event).describe('Events that the key may read, in the order of the team.'),
    cursor: text('17').describe('Pass it as `after` to continue: at once if `has_more`, else after a while.'),
    has_more: z.boolean().meta({ example: false }).describe('Whether there are more events already.'),
    latest_cursor: text('17').describe(
      'Cursor of the newest event of the team: pass it as `after`, or as `Last-Event-ID`, for events from now on.',
    ),
  })
  .meta({ id: 'EventPage' });
export type EventPage = z.infer<typeof EventPage>;
