import type { GenerateRequest } from '#shared/models/decide/port.ts';

/** A request for a generated text, with the caller's instructions at the end of its system message. */
export function withBlueprint(request: GenerateRequest, blueprint: string | null): GenerateRequest {
  const [system, ...turns] = request.messages;
  if (blueprint === null || system === undefined) return request;
  return { ...request, messages: [{ ...system, content: `${system.content}\n\n${blueprint}` }, ...turns] };
}
