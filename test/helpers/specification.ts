import type { AdaptationSpecification } from '#shared/domain/adaptation/specification.ts';

/** The specification of a request that maps `prompt` and `completion` and asks for nothing else. */
export function specification(overrides: Partial<AdaptationSpecification> = {}): AdaptationSpecification {
  return {
    mode: 'prompt_and_completion',
    mapping: { prompt: 'prompt', completion: 'completion', context: [] },
    image_format: null,
    training_type: 'instruction_dataset',
    prompt_rephrase: false,
    deduplication: false,
    reasoning_traces: false,
    prompt_metadata_injection: false,
    length: null,
    blueprint: null,
    safety: null,
    grounding: false,
    max_rows: null,
    expansion: null,
    ...overrides,
  };
}
