import * as z from 'zod';
import { DateTime, IntegerText } from '#shared/platform/schema/common.ts';

const Credits = z.int().min(0);
const Rows = z.int().min(0);

const RunId = z.string().describe('Id of the run.');
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

/** The data of each event, by its type. They hold ids, states and numbers, and never the text of a row. */
export const eventData = {
  'dataset.read': z
    .object({
      run_id: RunId,
      status: RunStatus,
      row_count: Rows.nullable().describe('Rows of the dataset; null if they could not be read.'),
      error_code: ErrorCode,
    })
    .describe('A file, or an import, was read.'),
  'run.progressed': z
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
    .describe('A run has reached another tenth of its rows.'),
  'run.ended': z
    .object({
      run_id: RunId,
      kind: z.string().describe('What the run did, such as `adapt`, `append`, `combine` or `expand`.'),
      status: RunStatus,
      version: z.int().min(1).nullable().describe('The version that it made; null if it made none.'),
      billed_credits: Billed,
      error_code: ErrorCode,
    })
    .describe('A run has ended.'),
  'pilot.ended': z
    .object({
      pilot_id: z.string().describe('Id of the pilot.'),
      status: RunStatus,
      billed_credits: Billed,
      error_code: ErrorCode,
    })
    .describe('A pilot has ended.'),
  'evaluation.ended': z
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
    .describe('An evaluation has ended.'),
  'training.iteration_ended': z
    .object({
      experiment_id: ExperimentId,
      kind: TrainingKind,
      iteration: z.int().min(1).describe('Number of the iteration, from 1.'),
      iterations_failed: z.int().min(0).describe('Iterations so far that have no result.'),
      best_win_rate: BestWinRate,
    })
    .describe('An iteration of a training has ended.'),
  'training.ended': z
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
  'credits.low': z
    .object({
      threshold: Credits.describe('A tenth of all credits that the team was granted.'),
    })
    .describe('What is left of the credits has fallen below a tenth of what was granted.'),
  'answer.failed': z
    .object({
      response_id: z.string().describe('Id of the response.'),
      error_code: z.string().describe('Code of the error, as in the response.'),
    })
    .describe('A response has failed after its first event.'),
  'webhook.disabled': z
    .object({
      webhook_id: z.string().describe('Id of the webhook.'),
      reason: z.enum(['failing', 'gone']).describe('As `disabled_reason` of the webhook.'),
    })
    .describe('A webhook gets no more events: it has failed for five days, or has answered 410.'),
  'webhook.test': z
    .object({ webhook_id: z.string().describe('Id of the webhook, which alone gets it.') })
    .describe('A caller has asked for a test of a webhook.'),
} as const satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof eventData;

export const EventTypeName = z.enum(Object.keys(eventData) as [EventType, ...EventType[]]);

const shape = <T extends EventType, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    id: z.string().describe('Stable: however often the event is delivered, its id is the same.'),
    type: z.literal(type).describe('What has happened.'),
    schema_version: z
      .literal(1)
      .describe('Changes when a field goes or changes its meaning. Fields may be added within a version.'),
    created_at: DateTime.describe('When the state was reached, ISO 8601 in UTC.'),
    dataset_id: z.string().nullable().describe('The dataset that it is about; null without one.'),
    sequence: z
      .int()
      .min(1)
      .nullable()
      .describe('Number among the events of its dataset, from 1, without gaps; null without a dataset.'),
    position: z
      .int()
      .min(1)
      .describe('Number among the events of the team: continue after it with `after` or `Last-Event-ID`.'),
    data,
  });

/** One change of state that callers wait for. */
export const Event = z
  .discriminatedUnion('type', [
    shape('dataset.read', eventData['dataset.read']),
    shape('run.progressed', eventData['run.progressed']),
    shape('run.ended', eventData['run.ended']),
    shape('pilot.ended', eventData['pilot.ended']),
    shape('evaluation.ended', eventData['evaluation.ended']),
    shape('training.iteration_ended', eventData['training.iteration_ended']),
    shape('training.ended', eventData['training.ended']),
    shape('credits.low', eventData['credits.low']),
    shape('answer.failed', eventData['answer.failed']),
    shape('webhook.disabled', eventData['webhook.disabled']),
    shape('webhook.test', eventData['webhook.test']),
  ])
  .meta({ id: 'Event', description: 'A change of state that callers wait for.' });
export type Event = z.infer<typeof Event>;

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
    cursor: z.string().describe('Pass it as `after` to continue: at once if `has_more`, else after a while.'),
    has_more: z.boolean().describe('Whether there are more events already.'),
    latest_cursor: z
      .string()
      .describe(
        'Cursor of the newest event of the team: pass it as `after`, or as `Last-Event-ID`, for events from now on.',
      ),
  })
  .meta({ id: 'EventPage' });
export type EventPage = z.infer<typeof EventPage>;
