import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { DownloadBatch, DownloadProgress } from '../schema/import.ts';
import { IngestInput } from './ingest.ts';

/** Files of a provider → the run's quarantine → the ingest, which reads them as one dataset. */
export const importFiles = pipeline({
  id: 'import',
  description: 'Downloads the files of an import and has them read',
  input: IngestInput.extend({ team_id: z.string() }),
  // It may wait for a place of its team.
  timeoutSeconds: 172_800,
  tasks: {
    'plan-import': task({
      input: IngestInput.extend({ first: z.int().min(0) }),
      output: z.object({ batch: DownloadBatch, next: z.int().nullable(), wait_seconds: z.int().min(0) }),
      memoryMb: 256,
      timeoutSeconds: 30,
    }),
    // Follows addresses that callers name: beyond its own part of the quarantine it may change nothing.
    'download-files': task({
      input: IngestInput.extend({
        team_id: z.string(),
        batch: DownloadBatch,
        progress: DownloadProgress.nullable(),
      }),
      output: z.object({
        status: z.enum(['finished', 'unfinished']),
        progress: DownloadProgress,
        wait_seconds: z.int().min(0),
      }),
      memoryMb: 1024,
      timeoutSeconds: 300,
    }),
    'finish-import': task({
      input: IngestInput.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
  },
  children: ['ingest'],
  workers: [],
});
