import type { TeamEvent } from '#shared/events/decide/event.ts';
import { addEvent } from '#shared/events/store/put-event.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { need, resource, usesOf } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { noteIds } from '#shared/platform/runtime/trace.ts';
import { cursorKey } from '#shared/platform/wire/cursor-key.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { respond as answer, type RespondInput } from '../respond.ts';
import { createResponseRepository } from '../response-history.ts';
import type { ResponseEvent } from '../schema/response.ts';
import { createApprovalRepository } from '../store/approvals.ts';
import { tellFailures } from '../tell-failures.ts';
import { answeringModels } from './answering-models.ts';
import { datasetSearch } from './dataset-search.ts';
import { hostedServers } from './hosted-servers.ts';
import { measureAnswer, reportAnswer, reportUnsettled, reportUntold } from './measure-answers.ts';
import { stacks } from './stacks.ts';
import { toolServers } from './tool-servers.ts';
import { usageMeter } from './usage-meter.ts';

type Respond = (
  input: Omit<RespondInput, 'onBegun' | 'onFailure' | 'onUnbilled'>,
) => AsyncGenerator<ResponseEvent, void>;

/** What checks that a link is public. Loaded with the first link: most requests have none. */
export const theLinkCheck = /* @__PURE__ */ resource<(address: string) => Promise<void>>(
  'the check of links',
  ({ env }) => {
    const loaded = once(async () => {
      const { createLinkCheck } = await import('#shared/platform/adapters/egress/link-check.ts');
      return createLinkCheck({ allowed: env.egressAllow() });
    });
    return async (address) => (await loaded())(address);
  },
);

const linkCheck = /* @__PURE__ */ need({ egress: true }, (use) => use(theLinkCheck));

const parts = {
  linkCheck,
  answeringModels,
  stacks,
  hostedServers,
  toolServers,
  datasetSearch,
  usageMeter,
  cursorKey,
};

export const respond = /* @__PURE__ */ need<Respond>(
  { ...usesOf(parts), table: 'write', bucket: { read: ['responses'], write: ['responses'] } },
  (use) => {
    // Only responses that are stored or continued load the S3 client.
    const objects = once(async () => use((await import('#shared/platform/wire/objects.ts')).theObjects));
    const ports = {
      models: use(answeringModels),
      stacks: use(stacks),
      hostedServers: use(hostedServers),
      toolServers: use(toolServers),
      datasetSearch: use(datasetSearch),
      usage: use(usageMeter),
      responses: createResponseRepository({
        read: async (...asked) => (await objects()).read(...asked),
        write: async (...asked) => (await objects()).write(...asked),
        remove: async (...asked) => (await objects()).remove(...asked),
      }),
      approvals: createApprovalRepository(use(theTable)),
      approvalKey: use(cursorKey),
      requirePublicLink: use(linkCheck),
      newDigits: () => use(theIds)().replaceAll('-', ''),
      now: use(theClock).now,
    };
    const table = use(theTable);
    const telling = {
      addEvent: (teamId: string, event: TeamEvent) => addEvent(table, teamId, event),
      now: ports.now,
      onUntold: reportUntold,
    };
    const onBegun = (responseId: string): void => noteIds({ response_id: responseId });
    return (input) =>
      measureAnswer(
        tellFailures(
          telling,
          input.caller.team_id,
          answer(ports, { ...input, onBegun, onFailure: reportAnswer, onUnbilled: reportUnsettled }),
          input.signal,
        ),
        input.signal,
      );
  },
);
