/** Calls as text, for comparing the events of two exchanges and for reading where they differ. */
import { canonicalJson } from './market.ts';
import type { Call } from './world.ts';

/** One line of a call. Of a refusal the reason counts: the numbers compared are tested by the engine's own scenarios. */
export function callText(call: Call): string {
  if (call[0] === 'accepted') return call.slice(0, 4).join(' ');
  if (call[0] === 'refused') return `refused ${call[1]} ${call[2].reason}`;
  if (call[0] === 'happened') return `happened ${call[1]} ${canonicalJson(call[2])}`;
  return call.join(' ');
}
