/** Obtains the API key of a signing key: created once, derived at each later start (docs/spec/polymarket.md#authentication). */
import { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import type { PolymarketSignIns, SigningKey } from '../../signing/index.ts';
import { faultOf, type PolymarketCredentials, type RestClient, type RestOutcome } from './rest-client.ts';

/** The same nonce derives the same API key. */
const NONCE = 0;
/** Text that is valid in an HTTP header. */
const TEXT = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const BASE64 = z.string().regex(/^[\w+/-]{1,198}={0,2}$/);
const CREDENTIALS = z.object({ apiKey: TEXT, secret: BASE64, passphrase: TEXT });

/**
 * Derives the API key of a signing key, or creates one.
 * @throws Fault LINK without an answer, LOGIN when the venue refuses both, BLOCKED for a blocked address
 */
export async function openApiKey(
  rest: RestClient,
  signIns: PolymarketSignIns,
  key: SigningKey,
): Promise<PolymarketCredentials> {
  const headers = (): Readonly<Record<string, string>> => {
    const timestamp = String(rest.venueSeconds);
    return {
      POLY_ADDRESS: key.address,
      POLY_SIGNATURE: signIns.sign({ address: key.address, timestamp, nonce: NONCE }, key),
      POLY_TIMESTAMP: timestamp,
      POLY_NONCE: String(NONCE),
    };
  };
  const derived = await rest.sendPublic({ path: '/auth/derive-api-key' }, headers());
  const isNew = derived.type === 'refused' && derived.error.kind === 'REFUSED';
  const answer = isNew ? await rest.sendPublic({ method: 'POST', path: '/auth/api-key' }, headers()) : derived;
  const found = answer.type === 'done' ? CREDENTIALS.safeParse(answer.json).data : undefined;
  if (found !== undefined) return { address: key.address, ...found };
  throw answer.type === 'done' ? unreadable() : refused(answer);
}

function refused(outcome: Exclude<RestOutcome, { type: 'done' }>): Fault {
  const fault = faultOf('the sign-in', outcome);
  return fault.code === 'VENUE' ? new Fault('LOGIN', `${fault.message}. Check account.key and venue.url`) : fault;
}

function unreadable(): Fault {
  return new Fault('LOGIN', 'Polymarket answered the sign-in without a valid API key. Try again later');
}
