import { afterEach, describe, expect, it } from 'vitest';
import {
  completeAccessSettings,
  type GeoSettings,
  type GivenAccessSettings,
} from '../../../src/server/access/settings.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { AUDIENCE, type Caller, logIn, openVenue, unwrap, type Venue } from './harness.ts';

const geo: GeoSettings = {
  countryHeader: 'cf-ipcountry',
  rules: { US: 'BLOCKED', FR: 'CLOSE_ONLY' },
  unknown: 'ALLOWED',
};
let venue: Venue;
afterEach(() => venue.close());

const callerFrom = (country: string): Caller => ({ headers: { 'cf-ipcountry': country } });
const open = async (settings: GivenAccessSettings) => {
  venue = await openVenue({ settings });
};

describe('geoCheck', () => {
  it.each([
    ['US', { allowed: false, closeOnly: false, countryCode: 'US', reason: 'no trading from US' }],
    ['fr', { allowed: true, closeOnly: true, countryCode: 'FR', reason: 'from FR positions can only be closed' }],
    ['DE', { allowed: true, closeOnly: false, countryCode: 'DE', reason: null }],
    ['T1', { allowed: true, closeOnly: false, countryCode: 'T1', reason: null }],
    ['', { allowed: true, closeOnly: false, countryCode: null, reason: null }],
    ['constructor', { allowed: true, closeOnly: false, countryCode: null, reason: null }],
  ])('returns the rule for %j', async (country, expected) => {
    await open({ geo });
    expect((await venue.request(ALL_OPERATIONS.geoCheck, {}, callerFrom(country))).data?.geoCheck).toEqual(expected);
  });

  it('applies the rule for unknown countries to a request without the header', async () => {
    await open({ geo: { ...geo, unknown: 'BLOCKED' } });
    const { data } = await venue.request(ALL_OPERATIONS.geoCheck, {});
    expect(data?.geoCheck).toEqual({
      allowed: false,
      closeOnly: false,
      countryCode: null,
      reason: 'no trading where the country is not known',
    });
  });

  it('allows trading from every country when no rules are configured', async () => {
    await open({});
    const { data } = await venue.request(ALL_OPERATIONS.geoCheck, {}, callerFrom('US'));
    expect(data?.geoCheck).toEqual({ allowed: true, closeOnly: false, countryCode: null, reason: null });
  });
});

describe('restrictions', () => {
  const restrictionsOf = (caller: Caller) => {
    const context = venue.context(caller);
    return [
      venue.access.getRestriction(context),
      venue.access.getRestriction(context, 'CREATE_MARKET'),
      venue.access.getRestriction(context, 'WITHDRAWAL'),
    ];
  };

  it.each([
    ['US', ['GEO_BLOCKED', 'GEO_BLOCKED', 'GEO_BLOCKED']],
    ['FR', ['CLOSE_ONLY', 'GEO_BLOCKED', undefined]],
    ['DE', [undefined, undefined, undefined]],
  ])('apply to orders, new markets and withdrawals from %s', async (country, expected) => {
    await open({ geo });
    const { caller } = await logIn(venue);
    expect(restrictionsOf({ ...caller, ...callerFrom(country) })).toEqual(expected);
  });

  it('refuse actions that need a verified email address until it is verified', async () => {
    await open({ geo, emailNeededFor: ['ORDER', 'WITHDRAWAL'] });
    const { caller } = await logIn(venue);
    expect(restrictionsOf(caller)).toEqual(['EMAIL_NOT_VERIFIED', undefined, 'EMAIL_NOT_VERIFIED']);
    expect(restrictionsOf({ ...caller, ...callerFrom('FR') })).toEqual([
      'EMAIL_NOT_VERIFIED',
      'GEO_BLOCKED',
      'EMAIL_NOT_VERIFIED',
    ]);
    expect(restrictionsOf({ ...caller, ...callerFrom('US') })).toEqual(['GEO_BLOCKED', 'GEO_BLOCKED', 'GEO_BLOCKED']);
    await venue.request(ALL_OPERATIONS.requestEmailVerification, { email: 'a@b.example' }, caller);
    await venue.request(
      ALL_OPERATIONS.verifyEmail,
      { email: 'a@b.example', code: unwrap(venue.mails[0]).code },
      caller,
    );
    expect(restrictionsOf(caller)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the access settings', () => {
  it.each<[string, Partial<Parameters<typeof completeAccessSettings>[0]>]>([
    ['audience', { audience: 'https://venue.example/' }],
    ['audience', { audience: 'venue.example' }],
    ['creditCents', { creditCents: -1 }],
    ['creditCents', { creditCents: 0.5 }],
    ['minWithdrawalCents', { minWithdrawalCents: 0 }],
    ['maxSessions', { maxSessions: 0 }],
    [
      'buckets.order.capacity',
      {
        buckets: {
          read: { capacity: 1, perSecond: 1 },
          order: { capacity: 0, perSecond: 1 },
          cancel: { capacity: 1, perSecond: 1 },
        },
      },
    ],
    ['geo.countryHeader', { geo: { ...geo, countryHeader: 'CF-IPCountry' } }],
    ['geo.rules', { geo: { ...geo, rules: { usa: 'BLOCKED' } } }],
  ])('are refused with an invalid %s', async (field, invalid) => {
    venue = await openVenue();
    expect(() => completeAccessSettings({ audience: AUDIENCE, ...invalid })).toThrow(`${field}: expected`);
  });
});
