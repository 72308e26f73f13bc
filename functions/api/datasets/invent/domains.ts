import { listInventDomains } from '#shared/growth/contracts/invent.ts';
import { DOMAINS } from '#shared/growth/decide/invent/taxonomy.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(listInventDomains, {}, async () => ({
  domains: DOMAINS.map(({ code, title, subdomains }) => ({
    code,
    title,
    subdomains: subdomains.map((subdomain) => ({ ...subdomain })),
  })),
}));
