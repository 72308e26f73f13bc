import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { removeDescriptions } from './without-descriptions.ts';

/** The files of the packages of the Model Context Protocol that make schemas of its messages. */
const MESSAGES =
  /@modelcontextprotocol[\\/](?:client|server|core)[\\/]dist[\\/](?:src|schemas|auth)-[^\\/]+\.mjs$/;
/** Those of them that list every schema for the packages' users, as `specTypeSchemas` and `isSpecType`. */
const LISTING = /[\\/](?:client|server)[\\/]dist[\\/]src-/;
const LISTINGS =
  /^for \(const (?:key of SPEC_SCHEMA_KEYS|\[key, schema\] of Object\.entries\(authSchemas\))\) register\(.*\);$/gm;

/**
 * The source without the lists of every schema, which are empty from then on: nothing of the service reads them, and they
 * keep each schema in a bundle.
 * @throws {Error} if it has other lists than before
 */
export function removeListings(source: string): string {
  const found = source.match(LISTINGS)?.length ?? 0;
  if (found !== 2) throw new Error(`There are ${found} lists of schemas instead of 2: look at LISTINGS.`);
  return source.replaceAll(LISTINGS, '');
}

/** Spares functions of the API the schemas of messages that they neither send nor take. */
export const withoutUnusedMessages: Plugin = {
  name: 'without-unused-messages',
  setup({ onLoad }) {
    onLoad({ filter: MESSAGES }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      try {
        return {
          contents: removeDescriptions(LISTING.test(path) ? removeListings(source) : source),
          loader: 'js',
        };
      } catch (error) {
        return { errors: [{ text: `Not read: ${(error as Error).message}`, location: { file: path } }] };
      }
    });
  },
};
