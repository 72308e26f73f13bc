import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';
import zlib from 'node:zlib';
import { streamingApi } from './answer-stream.ts';

/*
 * Imported before every module of the service: what happens here is read, or taken over, when they are loaded.
 */

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
process.env.POWERTOOLS_METRICS_DISABLED = 'true';
process.env.STAGE = 'simulated';
Object.assign(globalThis, { awslambda: streamingApi });

/*
 * Files and compression are done at once: how long the disk and the threads of the process take would decide the order of
 * steps otherwise, and no simulation would be like another.
 */
type Callback = (error: Error | null, value?: unknown) => void;
const atOnce =
  (work: (...values: never[]) => unknown) =>
  (...values: unknown[]): void => {
    const done = values.pop() as Callback;
    try {
      done(null, work(...(values as never[])));
    } catch (error) {
      done(error as Error);
    }
  };
Object.assign(zlib, {
  brotliCompress: atOnce(zlib.brotliCompressSync),
  brotliDecompress: atOnce(zlib.brotliDecompressSync),
  inflateRaw: atOnce(zlib.inflateRawSync),
  gzip: atOnce(zlib.gzipSync),
  gunzip: atOnce(zlib.gunzipSync),
});
Object.assign(fsPromises, {
  readFile: async (...given: Parameters<typeof fs.readFileSync>) => fs.readFileSync(...given),
  writeFile: async (...given: Parameters<typeof fs.writeFileSync>) => fs.writeFileSync(...given),
  rm: async (...given: Parameters<typeof fs.rmSync>) => fs.rmSync(...given),
  stat: async (...given: Parameters<typeof fs.statSync>) => fs.statSync(...given),
  mkdtemp: async (prefix: string) => fs.mkdtempSync(prefix),
});
fs.createWriteStream = ((path: string) => {
  fs.writeFileSync(path, '');
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      fs.appendFileSync(path, chunk);
      done();
    },
  });
}) as unknown as typeof fs.createWriteStream;
syncBuiltinESMExports();
