import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/domain/index.ts';
import { type Challenge, LoginChallenges } from '../../../src/server/access/login-challenges.ts';

const ADDRESS = `0x${'a1'.repeat(20)}` as const;
const LIFE = 300_000;

describe('login challenges', () => {
  it('use no memory for challenges that are not used', () => {
    const challenges = new LoginChallenges(LIFE);
    for (let count = 0; count < 10_000; count += 1)
      challenges.isValid(challenges.issue(ADDRESS, epochMs(count)), epochMs(count));
    expect(challenges.usedCount).toBe(0);
  });

  it('remember used nonces until they expire', () => {
    const challenges = new LoginChallenges(LIFE);
    for (let now = 0; now < 4 * LIFE; now += 1_000) {
      const challenge = challenges.issue(ADDRESS, epochMs(now));
      challenges.use(challenge, epochMs(now));
      expect(challenges.isValid(challenge, epochMs(now))).toBe(false);
      expect(challenges.usedCount).toBeLessThanOrEqual(LIFE / 1_000);
    }
    expect(challenges.usedCount).toBe(LIFE / 1_000);
  });

  it('are valid only unchanged', () => {
    const challenges = new LoginChallenges(LIFE);
    const hexDigit = fc.constantFrom(...'0123456789abcdef');
    fc.assert(
      fc.property(
        fc.record({
          at: fc.nat(65),
          digit: hexDigit,
          issued: fc.integer({ min: -2, max: 2 }),
          ends: fc.integer({ min: -2, max: 2 }),
        }),
        ({ at, digit, issued, ends }) => {
          const given = challenges.issue(ADDRESS, epochMs(1_000_000));
          const place = Math.max(at, 2);
          const changed: Challenge = {
            address: given.address,
            nonce: `0x${given.nonce.slice(2, place)}${digit}${given.nonce.slice(place + 1)}`,
            issuedAt: epochMs(given.issuedAt + issued),
            expiresAt: epochMs(given.expiresAt + ends),
          };
          const isSame = changed.nonce === given.nonce && issued === 0 && ends === 0;
          expect(challenges.isValid(changed, epochMs(1_000_001))).toBe(isSame);
        },
      ),
    );
  });

  it('are invalid in another run of the server', () => {
    const given = new LoginChallenges(LIFE).issue(ADDRESS, epochMs(0));
    expect(new LoginChallenges(LIFE).isValid(given, epochMs(1))).toBe(false);
  });
});
