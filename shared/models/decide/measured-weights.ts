/** What a measurement of a model is about: the model, the prompts, and the questions that it was asked. */
interface MeasurementKey {
  readonly model_id: string;
  readonly prompt_version: string;
  readonly set_hash: string;
}

/** The stored measurement of exactly these weights with these prompts and questions; undefined if there is none. */
export function findMeasured<T extends MeasurementKey & { readonly weights_sha256: string }>(
  records: readonly T[],
  { model_id, prompt_version, set_hash }: MeasurementKey,
  weightsSha256: string,
): T | undefined {
  return records.find(
    (record) =>
      record.model_id === model_id &&
      record.prompt_version === prompt_version &&
      record.set_hash === set_hash &&
      record.weights_sha256 === weightsSha256,
  );
}
