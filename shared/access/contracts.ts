import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { Account } from './schema/account.ts';
import { AuditPage, AuditQuery } from './schema/audit.ts';
import {
  AnswerCost,
  AnswerParams,
  CreditUsage,
  LedgerPage,
  LedgerQuery,
  UsageQuery,
} from './schema/credits.ts';

/**
 * Any key may ask: the answer says which scopes it has, so that a client can tell what it cannot do. The balance is no
 * secret of a key with less: a 402 names it to every key that spends credits.
 */
export const getAccount = endpoint({
  id: 'me.get',
  method: 'GET',
  path: '/api/v1/me',
  summary: 'Get the account of the key',
  description: 'Who the key belongs to, what it may do, the limits of the team and its credits.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'any',
  status: 200,
  response: Account,
  errors: [],
});

/**
 * What was spent on what names datasets and runs of the whole team: it takes the scope that lists those. A key for
 * answers alone, as an application has it, does not read the team's books.
 */
const books = {
  method: 'GET',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'datasets:read',
  status: 200,
} as const;

export const listLedger = endpoint({
  ...books,
  id: 'credits.ledger',
  path: '/api/v1/credits/ledger',
  summary: 'List the movements of credits',
  description: 'Newest first. Entries are added and never changed.',
  query: LedgerQuery,
  response: LedgerPage,
  errors: ['cursor_invalid'],
});

export const getUsage = endpoint({
  ...books,
  id: 'credits.usage',
  path: '/api/v1/credits/usage',
  summary: 'Get usage and cost by day',
  description:
    'Answers by day and model, and the credits that runs were billed by day. Days are those of UTC.',
  query: UsageQuery,
  response: CreditUsage,
  errors: [],
});

/** A key that may ask models may know what its answers cost; the sums of the team take the scope above. */
export const getAnswerCost = endpoint({
  ...books,
  id: 'credits.answer',
  path: '/api/v1/credits/answers/{response_id}',
  summary: 'Get the cost of an answer',
  description:
    'The tokens and credits of one response, stored or not. Available when the answer has ended, for 30 days; a failed one is billed for the tokens that the model used.',
  scope: 'responses',
  params: AnswerParams,
  response: AnswerCost,
  errors: ['response_not_found'],
});

/** The one endpoint that reads of other teams: its scope is none that a key has by default. */
export const listAudit = endpoint({
  id: 'audit.list',
  method: 'GET',
  path: '/api/v1/audit',
  summary: 'List what operators changed',
  description:
    'The commands that changed this installation, for all of its teams, newest first, of two years. It takes a key to which the operator has given the scope `audit`, which no key has by default.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'audit',
  query: AuditQuery,
  status: 200,
  response: AuditPage,
  errors: ['cursor_invalid'],
});
