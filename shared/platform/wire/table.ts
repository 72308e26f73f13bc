import { resource } from '../runtime/need.ts';
import { createTable } from '../store/table.ts';

/** The service's only table. */
export const theTable = /* @__PURE__ */ resource('the table', ({ env }) => createTable(env.tableName()));
