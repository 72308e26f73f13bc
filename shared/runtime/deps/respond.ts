import { randomUUID } from 'node:crypto';
import { createApprovalRepository } from '../../adapters/dynamodb/approvals.ts';
import { respond as answer, type RespondInput } from '../../operations/respond.ts';
import { createResponseRepository } from '../../operations/response-history.ts';
import type { ResponseEvent } from '../../schema/response.ts';
import { measureAnswer, reportAnswer, reportUnsettled } from '../measure-answers.ts';
import { need, usesOf } from '../need.ts';
import { once } from '../once.ts';
import { noteIds } from '../trace.ts';
import { answeringModels } from './answering-models.ts';
import { cursorKey } from './cursor-key.ts';
import { datasetSearch } from './dataset-search.ts';
import { hostedServers } from './hosted-servers.ts';
import { stacks } from './stacks.ts';
import { theTable } from './table.ts';
import { toolServers } from './tool-servers.ts';
import { usageMeter } from './usage-meter.ts';

type Respond = (
  input: Omit<RespondInput, 'onBegun' | 'onFailure' | 'onUnbilled'>,
) => AsyncGenerator<ResponseEvent, void>;

const parts = { answeringModels, stacks, hostedServers, toolServers, datasetSearch, usageMeter, cursorKey };

export const respond = need<Respond>(
  { ...usesOf(parts), table: 'write', bucket: { read: ['responses'], write: ['responses'] } },
  () => {
    // Only answers that are kept, and those that go on from them, load the client of the bucket.
    const objects = once(async () => (await import('./objects.ts')).theObjects());
    const ports = {
      models: answeringModels.get(),
      stacks: stacks.get(),
      hostedServers: hostedServers.get(),
      toolServers: toolServers.get(),
      datasetSearch: datasetSearch.get(),
      usage: usageMeter.get(),
      responses: createResponseRepository({
        read: async (...asked) => (await objects()).read(...asked),
        write: async (...asked) => (await objects()).write(...asked),
        remove: async (...asked) => (await objects()).remove(...asked),
      }),
      approvals: createApprovalRepository(theTable()),
      approvalKey: cursorKey.get(),
      newDigits: () => randomUUID().replaceAll('-', ''),
      now: Date.now,
    };
    const onBegun = (responseId: string): void => noteIds({ response_id: responseId });
    return (input) =>
      measureAnswer(
        answer(ports, { ...input, onBegun, onFailure: reportAnswer, onUnbilled: reportUnsettled }),
        input.signal,
      );
  },
);
