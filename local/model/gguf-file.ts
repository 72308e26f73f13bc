import { readGgufFileInfo } from 'node-llama-cpp';

export interface GgufTensor {
  readonly name: string;
  /** The fastest first. */
  readonly dimensions: readonly number[];
  /** A `ggml_type`. */
  readonly type: number;
  /** Where its bytes begin in the file. */
  readonly offset: number;
}

/** A value of a GGUF file's metadata, whose keys are nested at their dots. */
export type GgufMetadata = Readonly<Record<string, unknown>>;

export interface GgufFile {
  readonly metadata: GgufMetadata;
  readonly tensors: readonly GgufTensor[];
}

/**
 * Reads what a model's file says of itself; its weights stay where they are.
 * @throws {Error} where it is no GGUF file.
 */
export async function readGgufFile(path: string): Promise<GgufFile> {
  const { metadata, fullTensorInfo } = await readGgufFileInfo(path, { sourceType: 'filesystem' });
  return {
    metadata,
    tensors: (fullTensorInfo ?? []).map(({ name, dimensions, ggmlType, fileOffset }) => ({
      name,
      dimensions: dimensions.map(Number),
      type: ggmlType,
      offset: Number(fileOffset),
    })),
  };
}
