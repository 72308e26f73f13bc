import { randomUUID } from 'node:crypto';
import { createApprovalRepository } from '../../adapters/dynamodb/approvals.ts';
import { respond as answer, type RespondInput } from '../../operations/respond.ts';
import { createResponseRepository } from '../../operations/response-history.ts';
import type { ResponseEvent } from '../../schema/response.ts';
import { measureAnswer, reportAnswer } from '../measure-answers.ts';
import { need, usesOf } from '../need.ts';
import { noteIds } from '../trace.ts';
import { answeringModels } from './answering-models.ts';
import { cursorKey } from './cursor-key.ts';
import { datasetSearch } from './dataset-search.ts';
import { hostedServers } from './hosted-servers.ts';
import { theObjects } from './objects.ts';
import { stacks } from './stacks.ts';
import { theTable } from './table.ts';
import { toolServers } from './tool-servers.ts';
import { usageMeter } from './usage-meter.ts';

type Respond = (input: Omit<RespondInput, 'onBegun' | 'onFailure'>) => AsyncGenerator<ResponseEvent, void>;

const parts = { answeringModels, stacks, hostedServers, toolServers, datasetSearch, usageMeter, cursorKey };

export const respond = need<Respond>(
  { ...usesOf(parts), table: 'write', bucket: { read: ['responses'], write: ['responses'] } },
  () => {
    const ports = {
      models: answeringModels.get(),
      stacks: stacks.get(),
      hostedServers: hostedServers.get(),
      toolServers: toolServers.get(),
      datasetSearch: datasetSearch.get(),
      usage: usageMeter.get(),
      responses: createResponseRepository(theObjects()),
      approvals: createApprovalRepository(theTable()),
      approvalKey: cursorKey.get(),
      newDigits: () => randomUUID().replaceAll('-', ''),
      now: Date.now,
    };
    const onBegun = (responseId: string): void => noteIds({ response_id: responseId });
    return (input) =>
      measureAnswer(answer(ports, { ...input, onBegun, onFailure: reportAnswer }), input.signal);
  },
);
