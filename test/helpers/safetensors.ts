/** A file of safetensors with these tensors in single precision, or in the given type. */
export function safetensors(
  tensors: Readonly<
    Record<string, { readonly dtype: string; readonly shape: readonly number[]; readonly bytes: Buffer }>
  >,
): Buffer {
  const entries: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  let offset = 0;
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    entries[name] = { dtype, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
  }
  const text = JSON.stringify(entries);
  const header = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

/** Values as F32. */
export function floats(shape: readonly number[], values: ArrayLike<number>) {
  const array = Float32Array.from(values);
  return { dtype: 'F32', shape, bytes: Buffer.from(array.buffer) };
}

/** Values as BF16, which the values have to fit. */
export function bfloats(shape: readonly number[], values: ArrayLike<number>) {
  const whole = floats(shape, values).bytes;
  const bytes = Buffer.concat(
    Array.from({ length: values.length }, (_, n) => whole.subarray(4 * n + 2, 4 * n + 4)),
  );
  return { dtype: 'BF16', shape, bytes };
}
