import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { findRead } from '#shared/exports/wire/find-read.ts';
import { need, type Operation, type Use } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { PublicationRepository } from '../decide/ports.ts';
import { startModelPublication as startModel } from '../start-model-publication.ts';
import { type QueuePublicationPorts, startPublication as start } from '../start-publication.ts';
import { createPublicationRepository } from '../store/publications.ts';

const PUBLISHER = 'tasks/publishing/publish';

const queue = (use: Use): QueuePublicationPorts => {
  const table = use(theTable);
  return {
    publications: createPublicationRepository(table),
    claims: createClaims(table),
    findConnection: use(theConnections),
    start: (publication) => use(theInvokers)(PUBLISHER).start(publication),
    newId: use(theIds),
  };
};

export const startPublication = /* @__PURE__ */ need<Operation<typeof start>>(
  { table: 'write', connections: true, invokes: [PUBLISHER] },
  (use) => {
    const ports = { ...queue(use), findRead: use(findRead) };
    return (...args) => start(ports, ...args);
  },
);

export const startModelPublication = /* @__PURE__ */ need<Operation<typeof startModel>>(
  { table: 'write', bucket: { read: ['trainings'] }, connections: true, invokes: [PUBLISHER] },
  (use) => {
    const ports = {
      ...queue(use),
      datasets: createDatasetRepository(use(theTable)),
      objects: use(theObjects),
    };
    return (...args) => startModel(ports, ...args);
  },
);

export const publications = /* @__PURE__ */ need<Pick<PublicationRepository, 'find' | 'list'>>(
  { table: 'read' },
  (use) => createPublicationRepository(use(theTable)),
);
