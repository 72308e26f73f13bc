import { expect, test } from 'vitest';
import { readVectorShard, writeVectorShard } from '#shared/growth/decide/pool/vector-shard.ts';

const vectors = [Float32Array.of(0.6, 0.8, 0), Float32Array.of(0, 1, 0)];

test('vectors come back as they were, with the model that made them, from a buffer at any offset', () => {
  for (const model of ['m', 'mo', 'mod', 'mode']) {
    const body = writeVectorShard(model, vectors);
    const moved = Buffer.concat([Buffer.from('x'), body]).subarray(1);

    expect(readVectorShard(moved)).toEqual({
      model,
      dimensions: 3,
      vectors: Float32Array.of(0.6, 0.8, 0, 0, 1, 0),
    });
  }
});

test('what is no such object, or a part of one, is refused', () => {
  const body = writeVectorShard('m', vectors);

  expect(() => readVectorShard(Buffer.from('{}'))).toThrow('no vectors');
  expect(() => readVectorShard(Buffer.from('another format of another release'))).toThrow('no vectors');
  expect(() => readVectorShard(body.subarray(0, -4))).toThrow('incomplete');
  expect(() => writeVectorShard('m', [...vectors, Float32Array.of(1)])).toThrow('differ in length');
});

test('an object says of what model, how many dimensions and what length its vectors are', () => {
  expect(writeVectorShard('m', vectors).toString('latin1')).toContain(
    '{"model":"m","dimensions":3,"normalization":"unit length","rows":2}',
  );
});
