import { canonicalJson } from './market.ts';
import type { Call } from './world.ts';

/** Returns a call as one line. A refusal shows only its reason, because the twin does not compute limits and values. */
export function callText(call: Call): string {
  if (call[0] === 'accepted') return call.slice(0, 4).join(' ');
  if (call[0] === 'refused') return `refused ${call[1]} ${call[2].reason}`;
  if (call[0] === 'rareEvent') return `rareEvent ${call[1]} ${canonicalJson(call[2])}`;
  return call.join(' ');
}
