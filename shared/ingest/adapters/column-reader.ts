import { LambdaClient } from '@aws-sdk/client-lambda';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { ReadColumnsReply, type UploadedColumns, type UploadToRead } from '../schema/read-columns.ts';

/**
 * Reads the columns of uploaded files by the function that holds no table.
 * @throws {ServiceError} what that function refuses a file with; `service_unavailable` if all of its places are taken
 */
export function createColumnReader(
  functionName: string,
  {
    client = new LambdaClient({}),
    trace = () => undefined,
  }: {
    readonly client?: LambdaClient;
    /** The trace that reading goes on with. */
    readonly trace?: () => TraceHeaders | undefined;
  } = {},
): (files: readonly UploadToRead[]) => Promise<UploadedColumns> {
  return async (files) => {
    const answer = ReadColumnsReply.parse(
      await callFunction(functionName, { files, trace: trace() }, { client }).catch((cause: Error) => {
        if (cause.name !== 'TooManyRequestsException') throw cause;
        throw new ServiceError(
          'service_unavailable',
          'Too many files are read at once. Try again in a moment.',
          {
            retryAfterSeconds: 2,
            cause,
          },
        );
      }),
    );
    if (!('refusal' in answer)) return answer;
    const { code, message, details } = answer.refusal;
    throw new ServiceError(code, message, { details });
  };
}
