import * as z from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { Plan } from '../schema/plan.ts';
import { Scope } from '../schema/scope.ts';

/** Who sent a request, as the authorizer determined from the API key. */
export const Caller = z.object({
  organization_id: z.string(),
  team_id: z.string(),
  user_id: z.uuid(),
  key_id: z.string(),
  scopes: z.array(Scope),
  plan: Plan,
});
export type Caller = z.infer<typeof Caller>;

/** The caller as the context of a Lambda authorizer, which carries strings only. */
export function callerToContext(caller: Caller): { caller: string } {
  return { caller: JSON.stringify(caller) };
}

/** Reads what `callerToContext` wrote; throws when the context holds no caller. */
export function parseCaller(context: Readonly<Record<string, unknown>> | null | undefined): Caller {
  return Caller.parse(JSON.parse(z.string().parse(context?.caller)));
}

/** @throws {ServiceError} `scope_missing` */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new ServiceError(
    'scope_missing',
    `The API key lacks the scope ${scope}. Ask your operator for a key that has it.`,
  );
}
