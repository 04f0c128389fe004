/** Checks client addresses against lists, and groups addresses of one owner. */
import { BlockList, isIP } from 'node:net';
import { badArgument } from '../../protocol/index.ts';

const MAX_ENTRIES = 64;
const FIELD = 'ipAllowList';

/** Allowed client addresses. An empty list allows all addresses. */
export class IpList {
  readonly entries: readonly string[];
  readonly #includes: (ip: string) => boolean;

  /** @param entries IPv4 and IPv6 addresses and CIDR ranges @throws WireFault for invalid or too many entries */
  constructor(entries: readonly string[]) {
    if (entries.length > MAX_ENTRIES) throw badArgument(FIELD, entries, `at most ${MAX_ENTRIES} entries`);
    this.entries = [...entries];
    this.#includes = createAddressTest(entries, (entry) =>
      badArgument(FIELD, entry, 'an IPv4 or IPv6 address, or a range such as 10.0.0.0/8 or 2001:db8::/32'),
    );
  }

  allows(ip: string): boolean {
    return this.entries.length === 0 || this.#includes(ip);
  }
}

/**
 * Returns a function that checks whether an address is in a list.
 * @param entries IPv4 and IPv6 addresses and CIDR ranges
 * @param createFault creates the error to throw for an invalid entry
 */
export function createAddressTest(
  entries: readonly string[],
  createFault: (entry: string) => Error,
): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const version = isIP(entry.split('/', 1)[0] ?? '');
    const addressBits = version === 6 ? 128 : 32;
    const [address = '', prefix = String(addressBits), ...rest] = entry.split('/');
    const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.POSITIVE_INFINITY;
    if (version === 0 || address.includes('%') || rest.length > 0 || bits > addressBits) throw createFault(entry);
    list.addSubnet(address, bits, toIpFamily(version));
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, toIpFamily(version));
  };
}

function toIpFamily(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4';
}

/** Returns an IPv4 address unchanged, and an IPv6 address as its /64, because one owner has the whole /64. */
export function toNetwork(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? [];
  const front = parseGroups(head);
  const back = tail === undefined ? [] : parseGroups(tail);
  const missing = Math.max(0, 8 - front.length - back.length);
  const network = [...front, ...Array.from({ length: missing }, () => 0), ...back].slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Parses groups of 16 bits. An IPv4 suffix, which no /64 contains, becomes two zeros. */
function parseGroups(part: string): readonly number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}
