import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the public internet. Everything that has a use of its own is not: private, loopback,
 * link-local, shared (CGNAT), documentation, multicast and reserved addresses, and those of IPv6 that carry one of
 * IPv4 (mapped, compatible, NAT64, 6to4, Teredo), whose gateway would lead wherever that one says.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
