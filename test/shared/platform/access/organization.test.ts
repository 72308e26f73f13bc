import { expect, test } from 'vitest';
import { requireScope } from '#shared/platform/access/caller.ts';
import { requireOrganization } from '#shared/platform/access/organization.ts';

const own = { organization_id: 'Aa-1' };

test.each(['Aa-1', 'aa-1', 'AA-1'])('a key is for its organization, named %s', (named) => {
  expect(() => requireOrganization(own, named)).not.toThrow();
});

test.each(['Aa-2', 'Aa-', '', ' Aa-1'])('a key is for no other organization, such as %j', (named) => {
  expect(() => requireOrganization(own, named)).toThrow(
    expect.objectContaining({ code: 'organization_forbidden' }),
  );
});

test('a key does what its scopes allow, and no more', () => {
  const caller = { scopes: ['datasets:read' as const] };

  expect(() => requireScope(caller, 'datasets:read')).not.toThrow();
  for (const scopes of [caller.scopes, []]) {
    expect(() => requireScope({ scopes }, 'datasets:write')).toThrow(
      expect.objectContaining({ code: 'scope_missing' }),
    );
  }
});
