/**
 * The text form of tokens. The prefix identifies the kind of token to people and secret scanners; the rest is random.
 *
 *     pma_<64 hex>                access token
 *     pmr_<32 hex>_<64 hex>       refresh token: the session's family, then the secret of the token
 *     pmk_<UUID>_<64 hex>         API key
 */
import { secureBytes } from '../../clock/index.ts';

export interface RefreshParts {
  readonly family: string;
  readonly secret: string;
}

const SECRET_BYTES = 32;
const FAMILY_BYTES = 16;
/** RFC 9110: the scheme in any case, then spaces, then the token. */
const BEARER = /^bearer +(pm[ak]_[0-9a-f_-]{64,101})$/i;
const REFRESH = /^pmr_([0-9a-f]{32})_([0-9a-f]{64})$/;

/** The token in an `Authorization` header; undefined if it is not a token of this venue. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

export function isAccessToken(token: string): boolean {
  return token.startsWith('pma_');
}

export function newAccessToken(): string {
  return `pma_${randomHex(SECRET_BYTES)}`;
}

export function newFamily(): string {
  return randomHex(FAMILY_BYTES);
}

export function newRefreshToken(family: string): string {
  return `pmr_${family}_${randomHex(SECRET_BYTES)}`;
}

/** Splits a refresh token; undefined for any other text. */
export function refreshParts(token: string): RefreshParts | undefined {
  const [, family, secret] = REFRESH.exec(token) ?? [];
  return family === undefined || secret === undefined ? undefined : { family, secret };
}

export function newKeyText(id: string): string {
  return `pmk_${id}_${randomHex(SECRET_BYTES)}`;
}

function randomHex(bytes: number): string {
  return Buffer.from(secureBytes(bytes)).toString('hex');
}
