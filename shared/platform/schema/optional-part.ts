/**
 * Parts of a request that a model or its provider may not take. They are left out then: without a schema the prompt alone
 * asks for JSON, without a temperature or a seed answers vary, and without a prompt cache the common prefix is billed again.
 */
export const OPTIONAL_PARTS = ['schema', 'temperature', 'seed', 'prompt_cache'] as const;
export type OptionalPart = (typeof OPTIONAL_PARTS)[number];
