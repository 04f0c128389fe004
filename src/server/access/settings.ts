import { DAY_MS, InputFault } from '../../domain/index.ts';
import { CENT } from '../../protocol/index.ts';
import { LOCAL_CHAIN_ID, LOGIN_STATEMENT } from '../../signing/index.ts';

/** A token bucket that holds up to `capacity` tokens and gains `perSecond` tokens per second. Whole numbers from 1. */
export interface BucketSize {
  readonly capacity: number;
  readonly perSecond: number;
}

/** `parse` tokens pay for large bodies and uncached documents. Clients see only the other buckets. */
const BUCKET_NAMES = ['read', 'order', 'cancel', 'parse'] as const;
export type BucketName = (typeof BUCKET_NAMES)[number];

/** Acts that a venue can refuse by country, or to accounts without a verified e-mail address. */
export type RestrictedAct = 'ORDER' | 'CREATE_MARKET' | 'WITHDRAWAL';

/** Two characters in upper case, such as `US`. */
export const COUNTRY_CODE = /^[A-Z][A-Z0-9]$/;

export type GeoRule = 'ALLOWED' | 'CLOSE_ONLY' | 'BLOCKED';

export interface GeoSettings {
  /** Lower-case name of the header in which a trusted proxy sends the country, two letters or digits. */
  readonly countryHeader: string;
  /** Rules by upper-case country code. A country without a rule is ALLOWED. `unknown` applies without a country. */
  readonly rules: Readonly<Record<string, GeoRule>>;
  readonly unknown: GeoRule;
}

const MINUTE_MS = 60_000;
/** Bucket levels count thousandths of a token, so this limit keeps each level a safe integer. */
const MAX_TOKENS = 1_000_000_000;

/** Defaults. Each setting is a whole number from 1; `creditCents` from 0 (docs/spec/venue.md#login). */
const NUMERIC_SETTINGS = {
  /** Play money that an account gets at its first login; 0 for none. */
  creditCents: 1_000_000,
  minWithdrawalCents: 100,
  /** Lifetime of a login nonce. */
  challengeMs: 5 * MINUTE_MS,
  accessTokenMs: 15 * MINUTE_MS,
  /** Lifetime of a session without a refresh. */
  refreshTokenMs: 30 * DAY_MS,
  /** Limit per account. A further login ends the least recently refreshed session. */
  maxSessions: 100,
  /** Limit per account. A revoked key counts for another day. */
  maxKeys: 100,
  /** Maximum number of unauthenticated callers whose buckets are stored. */
  maxAnonymousCallers: 100_000,
  emailCodeMs: 15 * MINUTE_MS,
  /** Guesses per code. */
  emailTries: 5,
  /** Limit per account. */
  emailsPerHour: 5,
  /** Lifetime of a prepared withdrawal. */
  withdrawalMs: 10 * MINUTE_MS,
};

export interface AccessSettings extends Readonly<typeof NUMERIC_SETTINGS> {
  /** The venue's public base URL without trailing slash, which login messages contain. */
  readonly audience: string;
  /** Text of the login message for people. */
  readonly statement: string;
  readonly buckets: Readonly<Record<BucketName, BucketSize>>;
  readonly geo: GeoSettings | undefined;
  readonly emailNeededFor: readonly RestrictedAct[];
  readonly walletChainIds: readonly number[];
}

export const ACCESS_DEFAULTS: Omit<AccessSettings, 'audience'> = {
  ...NUMERIC_SETTINGS,
  statement: LOGIN_STATEMENT,
  buckets: {
    read: { capacity: 500, perSecond: 250 },
    order: { capacity: 1_000, perSecond: 500 },
    cancel: { capacity: 2_000, perSecond: 1_000 },
    parse: { capacity: 1_000, perSecond: 500 },
  },
  geo: undefined,
  emailNeededFor: [],
  walletChainIds: [LOCAL_CHAIN_ID],
};

export interface GivenAccessSettings extends Partial<Omit<AccessSettings, 'audience' | 'buckets'>> {
  /** Default: the server's URL. */
  readonly audience?: string | undefined;
  readonly buckets?: Partial<AccessSettings['buckets']>;
}

/** Completes settings with defaults. @throws InputFault that names the invalid setting */
export function completeAccessSettings(given: GivenAccessSettings & { readonly audience: string }): AccessSettings {
  const buckets = { ...ACCESS_DEFAULTS.buckets, ...given.buckets };
  const settings = { ...ACCESS_DEFAULTS, ...given, buckets };
  if (!/^https?:\/\/[^/\s]+(?:\/[^/\s]+)*$/.test(settings.audience)) {
    const expected = 'a base URL without trailing slash, such as http://localhost:4000';
    throw new InputFault('audience', settings.audience, expected);
  }
  for (const name of Object.keys(NUMERIC_SETTINGS).filter(isNumericSetting))
    assertWhole(name, settings[name], name === 'creditCents' ? 0 : 1);
  for (const name of BUCKET_NAMES) {
    assertWhole(`buckets.${name}.capacity`, settings.buckets[name].capacity, 1);
    assertWhole(`buckets.${name}.perSecond`, settings.buckets[name].perSecond, 1);
  }
  const { geo } = settings;
  if (geo !== undefined && !/^[a-z0-9-]+$/.test(geo.countryHeader))
    throw new InputFault('geo.countryHeader', geo.countryHeader, 'the name of a header in lower case');
  for (const country of Object.keys(geo?.rules ?? {})) {
    if (!COUNTRY_CODE.test(country)) throw new InputFault('geo.rules', country, 'a country such as US');
  }
  return settings;
}

function isNumericSetting(name: string): name is keyof typeof NUMERIC_SETTINGS {
  return Object.hasOwn(NUMERIC_SETTINGS, name);
}

function assertWhole(field: string, value: number, min: number): void {
  const max = field.startsWith('buckets.') ? MAX_TOKENS : Number.MAX_SAFE_INTEGER / CENT;
  if (!Number.isInteger(value) || value < min || value > max)
    throw new InputFault(field, value, `a whole number from ${min} to ${Math.floor(max)}`);
}
