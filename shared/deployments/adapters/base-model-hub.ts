import * as z from 'zod';
import type { FetchedUrl, FetchUrl } from '#shared/platform/egress/fetch-url.ts';
import { type BaseModelHub, DeploymentRefused } from '../decide/ports.ts';

const ModelInfo = z.looseObject({ sha: z.string().min(1) });
const Tree = z.array(z.looseObject({ type: z.string(), path: z.string(), size: z.int().min(0) }));

/** An answer about a repository has some hundred entries. */
const LISTING_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The hub of Hugging Face, as far as base models are read from it: the commit of a branch, the files of a folder, and parts of
 * a file (https://huggingface.co/docs/hub/api).
 */
export function createBaseModelHub(hubUrl: string, fetchUrl: FetchUrl): BaseModelHub {
  async function ask(url: string, model: string, token: string | null, range?: string): Promise<FetchedUrl> {
    const answer = await fetchUrl(url, {
      headers: range === undefined ? {} : { range },
      authorization: token === null ? null : `Bearer ${token}`,
    });
    const { status } = answer;
    if (status === 200 || status === 206) return answer;
    answer.close();
    if (status === 401 || status === 403) {
      throw new DeploymentRefused(
        `Hugging Face gives out ${model} only to those who have accepted its terms. Accept them there, and have your operator store a connection of your team to Hugging Face.`,
      );
    }
    if (status === 404)
      throw new DeploymentRefused(`Hugging Face has no ${model} any more. Train another base model.`);
    throw new Error(`The hub answered ${status}.`);
  }

  async function json<T>(url: string, schema: z.ZodType<T>, model: string, token: string | null): Promise<T> {
    const body = await readAll(await ask(url, model, token), LISTING_BYTES_MAX);
    return schema.parse(JSON.parse(body.toString()));
  }

  return {
    async find(model, token) {
      const { sha } = await json(`${hubUrl}/api/models/${model}/revision/main`, ModelInfo, model, token);
      const tree = await json(`${hubUrl}/api/models/${model}/tree/${sha}`, Tree, model, token);
      const files = tree.flatMap(({ type, path, size }) =>
        type === 'file' ? [{ name: path, bytes: size }] : [],
      );
      return { revision: sha, files };
    },

    async read({ model, revision, token }, name, from, to) {
      if (to <= from) return Buffer.alloc(0);
      const url = `${hubUrl}/${model}/resolve/${revision}/${encodeURIComponent(name)}`;
      const answer = await ask(url, model, token, `bytes=${from}-${to - 1}`);
      // A server that ignores ranges begins at the beginning.
      const skipped = answer.status === 206 ? 0 : from;
      const body = await readAll(answer, skipped + to - from);
      const part = body.subarray(skipped, skipped + to - from);
      if (part.length !== to - from) throw new Error(`The hub sent ${part.length} bytes of ${to - from}.`);
      // Not a view of a shared pool, since it is changed in place.
      return Buffer.from(part);
    },
  };
}

/** What is beyond `bytesMax` is left. */
async function readAll(answer: FetchedUrl, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer.body) {
    parts.push(Buffer.from(part));
    bytes += part.length;
    if (bytes >= bytesMax) break;
  }
  answer.close();
  return Buffer.concat(parts);
}
