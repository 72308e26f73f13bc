import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/invent/domains.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

test('it lists some forty domains whose subdomains have qualified codes of their own', async () => {
  const { body } = await world.call(handler, { as: await seedTeam(world.store, 0) });

  const { domains } = body;
  const codes = domains.map(({ code }) => code);
  const subdomains = domains.flatMap((domain) => domain.subdomains.map(({ code }) => code));
  expect(domains.length).toBeGreaterThanOrEqual(40);
  expect(new Set([...codes, ...subdomains]).size).toBe(codes.length + subdomains.length);
  for (const { code, title, subdomains: parts } of domains) {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(title).not.toBe('');
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const part of parts) expect(part.code).toMatch(new RegExp(`^${code}\\.[a-z_]+$`));
  }
});

test('it has the codes that clients know', async () => {
  const { body } = await world.call(handler, { as: await seedTeam(world.store, 0) });

  const codes = new Set(
    body.domains.flatMap(({ code, subdomains }) => [code, ...subdomains.map((part) => part.code)]),
  );
  for (const known of [
    ...['medical', 'personal_finance', 'legal', 'code', 'technology', 'corporate_business', 'art'],
    ...['medical.symptoms_diagnosis', 'medical.preventive_care', 'technology.software_applications'],
    ...['corporate_business.customer_service', 'academic_education.stem', 'art.painting_drawing'],
    ...['art.illustration', 'art.digital_art', 'agriculture.wildlife', 'animals_nature.wildlife'],
  ]) {
    expect(codes).toContain(known);
  }
});
