import { listAudit } from '#shared/access/contracts.ts';
import { readAuditPage } from '#shared/access/decide/audit.ts';
import { auditLog } from '#shared/access/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey } from '#shared/platform/wire.ts';

export const handler = serve(
  listAudit,
  { auditLog, cursorKey },
  async ({ caller: { team_id: teamId }, query, now }, { auditLog, cursorKey }) =>
    readAuditPage(auditLog, query, { teamId, signingKey: await cursorKey(), now }),
);
