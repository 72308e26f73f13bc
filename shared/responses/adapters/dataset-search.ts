import { LambdaClient } from '@aws-sdk/client-lambda';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import type { DatasetSearch } from '../decide/dataset-search.ts';
import {
  QUERY_CHARACTERS_MAX,
  SEARCHED_DATASETS_MAX,
  SearchReply,
  type SearchRequest,
} from '../schema/dataset-search.ts';

/** Dataset search through the function with the index cache. */
export function createDatasetSearch(
  functionName: string,
  {
    client = new LambdaClient({}),
    trace = () => undefined,
  }: {
    readonly client?: LambdaClient;
    /** The trace to propagate. */
    readonly trace?: () => TraceHeaders | undefined;
  } = {},
): DatasetSearch {
  const ask = async (request: SearchRequest, signal?: AbortSignal): Promise<SearchReply['rows']> => {
    if (request.dataset_ids.length > SEARCHED_DATASETS_MAX) {
      throw invalidField('tools', `search ${SEARCHED_DATASETS_MAX} datasets at most; name fewer dataset_ids`);
    }
    const answer = await callFunction(functionName, { ...request, trace: trace() }, { client, signal });
    const { rows, refusal } = SearchReply.parse(answer);
    if (refusal === null) return rows;
    const { code, message, retry_after_seconds: seconds } = refusal;
    if (!Object.hasOwn(errorCatalog, code)) throw new Error(`The search answered the unknown code ${code}.`);
    throw new ServiceError(
      code as ErrorCode,
      message,
      seconds === null ? {} : { retryAfterSeconds: seconds },
    );
  };
  return {
    search: (teamId, datasetIds, query, limit, signal) => {
      const asked = query.slice(0, QUERY_CHARACTERS_MAX);
      return ask({ team_id: teamId, dataset_ids: [...datasetIds], query: asked, limit }, signal);
    },
    requireSearchable: async (teamId, datasetIds) => {
      await ask({ team_id: teamId, dataset_ids: [...datasetIds], query: null, limit: 1 });
    },
  };
}
