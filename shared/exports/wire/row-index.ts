import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { TextCache } from '../decide/row-index/text-cache.ts';
import { indexRows as index, type RowsOf } from '../index-rows.ts';
import {
  listRows as list,
  type ReadRowsPorts,
  readRow as read,
  startRowIndex as start,
} from '../read-rows.ts';

type Asked<T> = T extends (ports: never, ...rest: infer Rest) => unknown ? Rest : never;

const INDEXER = 'tasks/exports/index-rows';
const invokes = [INDEXER];

/** What a function of two gigabytes reads and unpacks in less than two seconds. */
const SEARCH_BYTES_MAX = 192 * 1024 * 1024;

const CACHE_BYTES_MAX = 512 * 1024 * 1024;

function readPorts(use: Use): ReadRowsPorts {
  const table = use(theTable);
  return {
    runs: createRunRepository(table),
    versions: createVersionRepository(table),
    objects: use(theObjects),
    claims: createClaims(table),
    startIndex: use(theInvokers)(INDEXER).start,
    searchBytesMax: SEARCH_BYTES_MAX,
    // One for the process: it is empty until the first search.
    texts: new TextCache(CACHE_BYTES_MAX),
  };
}

const reads = { table: 'write', bucket: { read: ['datasets', 'exports', 'runs'] }, invokes } as const;

export const listRows = /* @__PURE__ */ need<(...asked: Asked<typeof list>) => ReturnType<typeof list>>(
  reads,
  (use) => {
    const ports = readPorts(use);
    return (...asked) => list(ports, ...asked);
  },
);

export const readRow = /* @__PURE__ */ need<(...asked: Asked<typeof read>) => ReturnType<typeof read>>(
  reads,
  (use) => {
    const ports = readPorts(use);
    return (...asked) => read(ports, ...asked);
  },
);

/** Sets off the index of a run's rows. */
export const startRowIndex = /* @__PURE__ */ need<(of: RowsOf) => Promise<void>>(
  { table: 'write', invokes },
  (use) => {
    const ports = {
      claims: createClaims(use(theTable)),
      startIndex: use(theInvokers)(INDEXER).start,
      onFailure: (error: unknown): void => logger.error('row index not set off', describeError(error)),
    };
    return (of) => start(ports, of);
  },
);

export const indexRows = /* @__PURE__ */ need<(of: RowsOf) => Promise<{ rows: number }>>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs', 'exports'], write: ['exports'], delete: ['exports'] },
  },
  (use) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      claims: createClaims(table),
      loadDetector: loadLanguageDetector,
    };
    return (of) => index(ports, of);
  },
);
