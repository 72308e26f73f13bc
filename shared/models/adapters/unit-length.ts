/** The vector divided by its Euclidean length; a zero vector is unchanged. */
export function toUnitLength(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}
