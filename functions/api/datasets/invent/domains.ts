import { listInventDomains } from '#shared/contracts/invent.ts';
import { DOMAINS } from '#shared/domain/invent/taxonomy.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(listInventDomains, {}, async () => ({
  domains: DOMAINS.map(({ code, title, subdomains }) => ({
    code,
    title,
    subdomains: subdomains.map((subdomain) => ({ ...subdomain })),
  })),
}));
