import { secureBytes } from '../clock/index.ts';
import { uuidText } from '../protocol/index.ts';

/** A random UUID (RFC 9562, version 4). */
export function newUuid(): string {
  const bytes = secureBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(bytes);
}
