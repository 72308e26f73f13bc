import { pipelines } from '#shared/service/pipelines/index.ts';
import { functionIds } from './names.ts';

/** Roles besides those of functions and state machines: for API logs, attempts, training jobs, batch jobs, imports, endpoints, CDK's own. */
const ROLES_BESIDES = 7;
const API_FUNCTIONS = functionIds.filter((id) => id.startsWith('api/')).length;

/** Roles that the stacks of a stage have at most: one of each function and state machine, and a few. */
export const ROLES_OF_STACKS: Readonly<Record<'api' | 'pipelines', number>> = {
  api: API_FUNCTIONS,
  pipelines: functionIds.length - API_FUNCTIONS + pipelines.length + ROLES_BESIDES,
};
