import { invalidField } from '../../errors/from-zod.ts';
import { AddressRefused, createTargetRules, type TargetRuleOptions } from './target-rules.ts';

/**
 * Checks links of callers that a model's server fetches: that server may reach internal addresses.
 * @throws {ServiceError} `invalid_request` by the result, if a link is not HTTPS to a public address
 */
export function createLinkCheck(options: TargetRuleOptions): (address: string) => Promise<void> {
  const check = createLinkRules(options);
  return async (address) => {
    try {
      await check(address);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField(
        'input',
        `contains a link that is not opened: ${error.message}. Links have to be https to public addresses; send an image as a data: URL`,
      );
    }
  };
}

/** Rejects an address that another parser could read as another host: it must begin with exactly the checked origin. */
function requirePlain(address: string, { origin, host }: URL): void {
  const rest = address.slice(origin.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what some parsers leave out
  const isPlain = /^([/?#]|$)/.test(rest) && !/[\\\s\u0000-\u001f\u007f]/.test(address);
  if (address.slice(0, origin.length).toLowerCase() !== origin || !isPlain) {
    throw new AddressRefused(`the address at ${host} is not written plainly (scheme, host, path)`);
  }
}

/**
 * Checks links that a model's server fetches.
 * @throws {AddressRefused} by the result, if one is not HTTPS to a public address, or is ambiguous
 */
export function createLinkRules(options: TargetRuleOptions): (address: string) => Promise<void> {
  const rules = createTargetRules(options);
  return async (address) => {
    if (!URL.canParse(address)) throw new AddressRefused('it is not a valid URL');
    const url = new URL(address);
    requirePlain(address, url);
    await rules.requirePublic(url);
  };
}
