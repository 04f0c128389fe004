import { secureBytes } from '../clock/index.ts';
import { uuidText } from '../protocol/index.ts';

/** Makes a random UUID (RFC 9562, version 4). @param random source of bytes; default: the operating system */
export function newUuid(random: (count: number) => Uint8Array = secureBytes): string {
  const bytes = Uint8Array.from(random(16));
  // Set the version to 4 and the variant to binary 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(bytes);
}
