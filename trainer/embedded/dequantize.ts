/** The supported formats of weights, by `ggml_type` (ggml's `ggml.h`). */
interface Format {
  readonly blockValues: number;
  readonly blockBytes: number;
  /** Decodes the block at `offset` of the bytes to `at` of the values. */
  readonly read: (bytes: DataView, offset: number, values: Float32Array, at: number) => void;
}

const formats: Readonly<Record<number, Format>> = {
  0: {
    blockValues: 1,
    blockBytes: 4,
    read: (bytes, offset, values, at) => {
      values[at] = bytes.getFloat32(offset, true);
    },
  },
  1: {
    blockValues: 1,
    blockBytes: 2,
    read: (bytes, offset, values, at) => {
      values[at] = halfFloat(bytes.getUint16(offset, true));
    },
  },
  // Q4_0: a scale, then 32 values of four bits around 8, those of the second half in the high bits.
  2: {
    blockValues: 32,
    blockBytes: 18,
    read: (bytes, offset, values, at) => {
      const scale = halfFloat(bytes.getUint16(offset, true));
      for (let index = 0; index < 16; index += 1) {
        const pair = bytes.getUint8(offset + 2 + index);
        values[at + index] = ((pair & 15) - 8) * scale;
        values[at + 16 + index] = ((pair >> 4) - 8) * scale;
      }
    },
  },
  // Q4_1: a scale and the minimum, then 32 values of four bits.
  3: {
    blockValues: 32,
    blockBytes: 20,
    read: (bytes, offset, values, at) => {
      const scale = halfFloat(bytes.getUint16(offset, true));
      const least = halfFloat(bytes.getUint16(offset + 2, true));
      for (let index = 0; index < 16; index += 1) {
        const pair = bytes.getUint8(offset + 4 + index);
        values[at + index] = (pair & 15) * scale + least;
        values[at + 16 + index] = (pair >> 4) * scale + least;
      }
    },
  },
  // Q8_0: a scale, then 32 signed bytes.
  8: {
    blockValues: 32,
    blockBytes: 34,
    read: (bytes, offset, values, at) => {
      const scale = halfFloat(bytes.getUint16(offset, true));
      for (let index = 0; index < 32; index += 1) {
        values[at + index] = bytes.getInt8(offset + 2 + index) * scale;
      }
    },
  },
};

/**
 * Bytes of a number of values of a type.
 * @throws {Error} for an unsupported type, listing the supported ones.
 */
export function bytesOf(type: number, count: number): number {
  const { blockValues, blockBytes } = requireFormat(type);
  return (count / blockValues) * blockBytes;
}

/** Decodes quantised weights. */
export function dequantize(type: number, bytes: Uint8Array): Float32Array {
  const { blockValues, blockBytes, read } = requireFormat(type);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.byteLength / blockBytes;
  const values = new Float32Array(blocks * blockValues);
  for (let block = 0; block < blocks; block += 1) read(view, block * blockBytes, values, block * blockValues);
  return values;
}

function requireFormat(type: number): Format {
  const format = formats[type];
  if (format === undefined) {
    throw new Error(
      `Weights of ggml type ${type} cannot be trained on: quantise the model as F32, F16, Q4_0, Q4_1 or Q8_0.`,
    );
  }
  return format;
}

const halfFloats = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
});

function halfFloat(bits: number): number {
  return halfFloats[bits] ?? 0;
}
