import { need } from '../runtime/need.ts';

/** Where browsers exchange files with the bucket. */
export const bucketOrigin = /* @__PURE__ */ need<string>({ bucketOrigin: true }, ({ env }) =>
  env.bucketOrigin(),
);
