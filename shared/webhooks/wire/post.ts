import { resource } from '#shared/platform/runtime/need.ts';
import { createPost } from '../adapters/post.ts';
import type { Post } from '../decide/ports.ts';

/** Requests to receivers of webhooks. */
export const thePost = /* @__PURE__ */ resource<Post>('requests to receivers of webhooks', ({ env }) => {
  return createPost(env.egressGuard());
});
