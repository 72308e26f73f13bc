import { findRead } from '#shared/exports/wire/find-read.ts';
import { need, type Operation } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { PublicationRepository } from '../decide/ports.ts';
import { startPublication as start } from '../start-publication.ts';
import { createPublicationRepository } from '../store/publications.ts';

const PUBLISHER = 'tasks/publishing/publish';

export const startPublication = /* @__PURE__ */ need<Operation<typeof start>>(
  { table: 'write', connections: true, invokes: [PUBLISHER] },
  (use) => {
    const table = use(theTable);
    const ports = {
      publications: createPublicationRepository(table),
      claims: createClaims(table),
      findConnection: use(theConnections),
      findRead: use(findRead),
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
