import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { findRead } from '#shared/exports/find-read.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import type { PublicationRepository } from '../decide/ports.ts';
import { startPublication as start } from '../start-publication.ts';
import { createPublicationRepository } from '../store/publications.ts';

const PUBLISHER = 'tasks/publishing/publish-dataset';

type StartPublication = typeof start extends (ports: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

export const startPublication = /* @__PURE__ */ need<StartPublication>(
  { table: 'write', connections: true, invokes: [PUBLISHER] },
  (use) => {
    const table = use(theTable);
    const reads = { versions: createVersionRepository(table), runs: createRunRepository(table) };
    const ports = {
      publications: createPublicationRepository(table),
      claims: createClaims(table),
      findConnection: use(theConnections),
      findRead: (...args: [Parameters<typeof findRead>[1], Parameters<typeof findRead>[2]]) =>
        findRead(reads, ...args),
      start: (publication: { readonly dataset_id: string; readonly publish_id: string }) =>
        use(theInvokers)(PUBLISHER).start(publication),
      newId: use(theIds),
    };
    return (...args) => start(ports, ...args);
  },
);

export const publications = /* @__PURE__ */ need<Pick<PublicationRepository, 'find' | 'list'>>(
  { table: 'read' },
  (use) => createPublicationRepository(use(theTable)),
);
