import { need, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import type { FetchImage } from './decide/images/load-image.ts';

/** What fetches linked images. Loaded with the first link: most rows and requests have none. */
export const theImages = /* @__PURE__ */ resource<FetchImage>('images', ({ env }) => {
  const loaded = once(async () => {
    const { createGuardedFetch } = await import('#shared/platform/adapters/egress/guarded-fetch.ts');
    const { createImageFetcher } = await import('./fetch-image.ts');
    return createImageFetcher(createGuardedFetch(env.egressGuard()));
  });
  return async (url) => (await loaded())(url);
});

export const fetchImage = /* @__PURE__ */ need({ egress: true }, (use) => use(theImages));
