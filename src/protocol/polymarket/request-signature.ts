/**
 * Headers of authenticated requests (docs/spec/polymarket.md#authentication). L1 requests create or derive an API key;
 * the account's key signs them. All other private requests are L2 requests, whose HMAC uses the API key's secret.
 */
import { z } from 'zod';
import { readFields } from '../wire/fields.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @throws InputFault that names the header */
export function readL1Headers(headers: Headers): PolymarketL1Headers {
  return readFields(L1, pickHeaders(headers));
}

/** @throws InputFault that names the header */
export function readL2Headers(headers: Headers): PolymarketL2Headers {
  return readFields(L2, pickHeaders(headers));
}

/**
 * Computes the signature of a request: URL-safe base64 with padding.
 * @param request `path` excludes the base URL (with any prefix) and the query; `body` is the text that is sent
 * @param hmacSha256 returns the HMAC of a text in base64, with the key `l2SecretBytes`
 */
export function l2Signature(
  { timestamp, method, path, body = '' }: L2Request,
  hmacSha256: (text: string) => string,
): string {
  return hmacSha256(`${timestamp}${method}${path}${body}`).replaceAll('+', '-').replaceAll('/', '_');
}

/** Decodes the HMAC key of `l2Signature`. @param secret base64, URL-safe or not */
export function l2SecretBytes(secret: string): Uint8Array {
  return Buffer.from(secret.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
}

export interface L2Request {
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** Picks the L1 and L2 headers. Node converts header names to lower case. */
function pickHeaders(headers: Headers): object {
  return {
    address: headers['poly_address'],
    signature: headers['poly_signature'],
    timestamp: headers['poly_timestamp'],
    nonce: headers['poly_nonce'],
    apiKey: headers['poly_api_key'],
    passphrase: headers['poly_passphrase'],
  };
}

const ADDRESS = z
  .custom<string>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value), 'an address')
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`);
const TIMESTAMP = z.string('seconds since 1970').regex(/^\d{1,11}$/, 'seconds since 1970');
const NONCE = z
  .string('a whole number')
  .regex(/^\d{1,20}$/, 'a whole number')
  .transform(BigInt);
const TEXT = z.string('a text').min(1).max(200);

/** Headers of `POST /auth/api-key` and `GET /auth/derive-api-key`. */
const L1 = z.object({ address: ADDRESS, signature: TEXT, timestamp: TIMESTAMP, nonce: NONCE.default(0n) });
export type PolymarketL1Headers = Readonly<z.output<typeof L1>>;

/** Headers of private requests. `address` is the signing key's address, even if the account is a wallet. */
const L2 = z.object({ address: ADDRESS, signature: TEXT, timestamp: TIMESTAMP, apiKey: TEXT, passphrase: TEXT });
export type PolymarketL2Headers = Readonly<z.output<typeof L2>>;
