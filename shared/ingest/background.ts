import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { ReadColumnsReply, ReadColumnsRequest } from './schema/read-columns.ts';

/**
 * Reads the columns of uploaded files; the endpoints that complete uploads invoke it and wait, since they hold the table
 * and this function parses files of strangers.
 */
export const readColumns = background({
  id: 'tasks/uploads/read-columns',
  trigger: { kind: 'invoke' },
  ...task({
    input: ReadColumnsRequest,
    output: ReadColumnsReply,
    memoryMb: 1024,
    timeoutSeconds: 20,
    answerBytesMax: 5 * 1024 * 1024,
  }),
});

/** Every five minutes: deletes uploads beyond a team's limit of uncompleted bytes. */
export const sweepUploads = background({
  id: 'consumers/sweep-uploads',
  trigger: { kind: 'schedule', everyMinutes: 5 },
  ...task({
    input: z.looseObject({}),
    output: z.object({ examined: z.int(), deleted: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 240,
  }),
});
