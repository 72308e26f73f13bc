import { keys } from '#shared/platform/store/keys.ts';
import { type Table, transact } from '#shared/platform/store/table.ts';
import type { ApprovalRepository } from '../decide/approvals.ts';

/** Days that a used approval is remembered: as long as the response that proposed the call can be continued. */
const REMEMBERED_DAYS = 31;

export function createApprovalRepository(table: Table): ApprovalRepository {
  return {
    async claim(teamId, approvalId) {
      const seconds = Math.floor(table.now() / 1000);
      const failed = await transact(table, {
        approval: {
          Put: {
            Item: { ...keys.approval(teamId, approvalId), expires_at: seconds + REMEMBERED_DAYS * 86_400 },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      });
      return failed.size === 0;
    },
  };
}
