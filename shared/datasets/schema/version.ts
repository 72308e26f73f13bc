import * as z from 'zod';
import {
  count,
  DatasetParams,
  DateTime,
  IntegerText,
  RunId,
  text,
  UserId,
} from '#shared/platform/schema/common.ts';
import { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';

export const Version = z
  .object({
    version: z.int().min(1).meta({ example: 2 }).describe('Number of the version, from 1.'),
    status: z
      .enum(['running', 'awaiting_input', 'succeeded', 'failed', 'deleted'])
      .meta({ example: 'succeeded' })
      .describe(
        '`awaiting_input`: its rows are there and not adapted. `failed`: the run that was to make it failed. `deleted`: its results were deleted.',
      ),
    made_by: text('adapt').describe(
      'What made it: `ingest`, `import`, `append`, `adapt`, `review`, or the run that generated the dataset.',
    ),
    parent_version: z
      .int()
      .min(1)
      .nullable()
      .meta({ example: 1 })
      .describe('Version whose rows it was made of; null for the first.'),
    run_id: RunId.describe(
      'Run that made it. To download or read its rows, pass `version`, or this as `run_id`.',
    ),
    pilot_id: z.string().nullable().describe('Pilot whose arm was adapted; null without one.'),
    row_count: count(250).describe('Source rows of the version.'),
    models: z
      .record(z.string(), z.string())
      .meta({ example: { answer: 'qwen3-4b' } })
      .describe('Models by role.'),
    prompt_versions: z
      .record(z.string(), z.string())
      .meta({ example: { improve_answer: 'v2' } })
      .describe('Versions of the prompts, by prompt.'),
    configured_column_mapping: ConfiguredColumnMapping.nullable().describe(
      'Column mapping of the version; null where none was set.',
    ),
    created_by_user_id: UserId.describe('Id of the user who started what made it.'),
    created_at: DateTime.describe('Time at which it was begun, ISO 8601 in UTC.'),
    ended_at: DateTime.nullable().describe('Time at which its run ended, ISO 8601 in UTC; null until then.'),
    deleted_at: DateTime.nullable()
      .meta({ example: null })
      .describe('Time at which it was deleted, ISO 8601 in UTC; null until then.'),
  })
  .meta({ id: 'Version' });
export type Version = z.infer<typeof Version>;

/** The number of a version, where the path or the query of a request names one. */
export const VersionText = IntegerText.pipe(z.int().min(1).max(999_999_999));

/** The version whose rows a request reads; it excludes `run_id`. */
export const ReadVersion = VersionText.optional().meta({
  description: 'Version whose rows are meant, from 1, instead of `run_id`',
});

/** Refuses a query with both; use it with `refine`. */
export const namesOneRead = (query: {
  readonly run_id?: string | undefined;
  readonly version?: number | undefined;
}): boolean => query.run_id === undefined || query.version === undefined;

export const NAMES_TWO_READS = {
  path: ['version'],
  message: 'cannot be given together with run_id: name the version or its run',
};

export const VersionParams = DatasetParams.extend({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
    .meta({ description: 'Number of the version, from 1.', example: '2' }),
});

export const VersionsQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(100))
    .optional()
    .meta({ description: 'Page size, 1 to 100, default 20' }),
  before: IntegerText.pipe(z.int().min(1))
    .optional()
    .meta({ description: 'Only versions with a lower number; `next_before` of the previous page' }),
});
export type VersionsQuery = z.infer<typeof VersionsQuery>;

export const VersionsPage = z.object({
  versions: z.array(Version).describe('Versions of the dataset, newest first.'),
  next_before: z
    .int()
    .nullable()
    .describe('Pass it as `before` to get the next page; null on the last page.'),
});
export type VersionsPage = z.infer<typeof VersionsPage>;
