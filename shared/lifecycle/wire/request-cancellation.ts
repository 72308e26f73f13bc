import { need } from '#shared/platform/runtime/need.ts';
import { createFreeUseLimiter } from '#shared/platform/store/rate-limiter.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { requestCancellation as request } from '../request-cancellation.ts';

type Asked = Parameters<typeof request> extends [unknown, ...infer Rest] ? Rest : never;

const CANCEL_RUN = 'tasks/runs/cancel-run';

export const requestCancellation = /* @__PURE__ */ need<(...asked: Asked) => Promise<void>>(
  { table: 'write', invokes: [CANCEL_RUN] },
  (use) => {
    const table = use(theTable);
    const ports = {
      runs: createRunRepository(table),
      freeUses: createFreeUseLimiter(table),
      startCancellation: use(theInvokers)(CANCEL_RUN).start,
    };
    return (...asked) => request(ports, ...asked);
  },
);
