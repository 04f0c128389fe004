/** Lists of allowed client addresses, and the networks that count as one caller. */
import { BlockList, isIP } from 'node:net';
import { badArgument } from '../../protocol/index.ts';

const MAX_ENTRIES = 64;
const FIELD = 'ipAllowList';

/** Allowed addresses; an empty list allows all. */
export class IpList {
  readonly entries: readonly string[];
  readonly #list: BlockList | undefined;

  /** @param entries IPv4 and IPv6 addresses and CIDR ranges @throws WireFault for an invalid entry or too many */
  constructor(entries: readonly string[]) {
    if (entries.length > MAX_ENTRIES) throw badArgument(FIELD, entries, `at most ${MAX_ENTRIES} entries`);
    this.entries = [...entries];
    if (entries.length === 0) return;
    this.#list = new BlockList();
    for (const entry of entries) add(this.#list, entry);
  }

  allows(ip: string): boolean {
    if (this.#list === undefined) return true;
    const version = isIP(ip);
    return version !== 0 && this.#list.check(ip, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/** An IPv4 address, or the /64 of an IPv6 address, because one owner has the whole /64. */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? [];
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const missing = Math.max(0, 8 - front.length - back.length);
  const all = [...front, ...Array.from({ length: missing }, () => 0), ...back];
  return `${all
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Groups of 16 bits. An IPv4 suffix counts as two. */
function groups(part: string): readonly number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}

function add(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  const addressBits = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? addressBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || address.includes('%') || rest.length > 0 || !(bits <= addressBits)) {
    throw badArgument(FIELD, entry, 'an IPv4 or IPv6 address, or a range such as 10.0.0.0/8 or 2001:db8::/32');
  }
  list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
}
