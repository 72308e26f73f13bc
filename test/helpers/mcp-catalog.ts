import { once } from '#shared/platform/runtime/once.ts';

/** What the build puts next to the function of the MCP server, made of the API document of the checkout. */
export const catalogOfTests = once(async () => {
  const { readCatalogSource } = await import('#bin/build.ts');
  return readCatalogSource();
});
