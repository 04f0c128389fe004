import { createHash } from 'node:crypto';
import type { RiskMode } from '../risk/index.ts';
import { type AccountState, encodeState } from '../state/index.ts';

/** sha256, lower-case hex, of the account's world and the risk mode: equal after equal runs, on every machine. */
export function stateHash(state: AccountState, mode: RiskMode): string {
  const numbers = encodeState(state);
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  for (const [place, value] of numbers.entries()) bytes.setFloat64(8 * place, value, true);
  return createHash('sha256').update(mode).update(new Uint8Array(bytes.buffer)).digest('hex');
}
