import { readGgufFileInfo } from 'node-llama-cpp';

export interface GgufTensor {
  readonly name: string;
  /** The fastest-varying dimension first. */
  readonly dimensions: readonly number[];
  /** A `ggml_type`. */
  readonly type: number;
  /** Offset of its data in the file. */
  readonly offset: number;
}

/** A value of a GGUF file's metadata, whose keys are nested at their dots. */
export type GgufMetadata = Readonly<Record<string, unknown>>;

export interface GgufFile {
  readonly metadata: GgufMetadata;
  readonly tensors: readonly GgufTensor[];
}

/**
 * Reads the metadata of a model file, without its weights.
 * @throws {Error} if it is not a GGUF file.
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
