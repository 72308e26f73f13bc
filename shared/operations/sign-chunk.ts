import { materialReader } from '../domain/adaptation/row-material.ts';
import { readCells } from '../domain/adaptation/row-program.ts';
import { comparedText } from '../domain/deduplication/compared-text.ts';
import { Signer } from '../domain/deduplication/signature.ts';
import { newBlock } from '../domain/deduplication/signature-block.ts';
import { RunRequestObject } from '../domain/runs/run-request.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import type { ChunkPlan } from '../schema/run-context.ts';
import { readJson, readLines } from './json-objects.ts';

/**
 * Writes the signatures of a chunk's selected rows, from which duplicates are found without reading the rows again.
 * Idempotent: the same rows produce the same object.
 */
export async function signChunk(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  chunk: ChunkPlan,
): Promise<{ status: 'finished' }> {
  const { specification } = await readJson(objects, objectKeys.runRequest(chunk.run_id), RunRequestObject);
  const lines = await readLines(objects, chunk.chunk_key);
  if (lines.length < chunk.first_line + chunk.row_count) {
    throw new Error(`The chunk ${chunk.n} has ${lines.length} of its ${chunk.row_count} rows.`);
  }
  const places = chunk.selected ?? Array.from({ length: chunk.row_count }, (_, place) => place);
  const reader = materialReader(specification);
  const signer = new Signer();
  const block = newBlock(places.length);
  for (const [index, place] of places.entries()) {
    const material = reader.read(readCells(lines[chunk.first_line + place] ?? '', reader.columns));
    const text = 'skip' in material ? null : comparedText(material, specification.mode);
    signer.sign(text, block.words, block.at(index));
  }
  const body = Buffer.from(block.words.buffer);
  await objects.write(objectKeys.signatures(chunk.run_id, chunk.n), body, 'application/octet-stream');
  return { status: 'finished' };
}
