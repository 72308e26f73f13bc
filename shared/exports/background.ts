import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { ExportFormat } from '#shared/platform/schema/file-format.ts';

/** Builds one export file; the download handler invokes it and waits. */
export const buildExport = background({
  id: 'tasks/exports/build-export',
  trigger: { kind: 'invoke', retries: 0 },
  ...task({
    input: z.object({
      dataset_id: z.string(),
      team_id: z.string(),
      format: ExportFormat,
      run_id: z.string().nullable().optional(),
    }),
    output: z.object({ key: z.string() }),
    memoryMb: 2048,
    timeoutSeconds: 900,
    ephemeralStorageMb: 10_240,
    layers: ['duckdb'],
  }),
});

/** Writes the index of a dataset's rows; a run sets it off at its end, or else the first request for rows does. */
export const indexRows = background({
  id: 'tasks/exports/index-rows',
  trigger: { kind: 'invoke', retries: 0 },
  ...task({
    input: z.object({ dataset_id: z.string(), team_id: z.string(), run_id: z.string().optional() }),
    output: z.object({ rows: z.int().min(0) }),
    memoryMb: 2048,
    timeoutSeconds: 900,
  }),
});

/** Has the witnesses that ask no model look at rows that no run has adapted; the first request for their review sets it off. */
export const lookAtRows = background({
  id: 'tasks/exports/look-at-rows',
  trigger: { kind: 'invoke', retries: 0 },
  ...task({
    input: z.object({ dataset_id: z.string(), team_id: z.string(), run_id: z.string().optional() }),
    output: z.object({ doubted: z.int().min(0) }),
    // As the task of a run that looks for doubts, and what the program finds of each row.
    memoryMb: 2048,
    timeoutSeconds: 900,
  }),
});

/** Compares two versions of a dataset; a request for the comparison sets it off. */
export const buildDiff = background({
  id: 'tasks/exports/build-diff',
  trigger: { kind: 'invoke', retries: 0 },
  ...task({
    input: z.object({
      dataset_id: z.string(),
      team_id: z.string(),
      from: z.int().min(1),
      to: z.int().min(1),
    }),
    output: z.object({ rows: z.int().min(0) }),
    memoryMb: 2048,
    timeoutSeconds: 900,
  }),
});
