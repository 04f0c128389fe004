import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/domain/index.ts';
import { type Challenge, LoginChallenges } from '../../../src/server/access/login-challenges.ts';

const ADDRESS = `0x${'a1'.repeat(20)}` as const;
const LIFETIME_MS = 300_000;

describe('login challenges', () => {
  it('use no memory for unused challenges', () => {
    const challenges = new LoginChallenges(LIFETIME_MS);
    for (let count = 0; count < 10_000; count += 1)
      challenges.isValid(challenges.issue(ADDRESS, epochMs(count)), epochMs(count));
    expect(challenges.usedCount).toBe(0);
  });

  it('store used nonces until they expire', () => {
    const challenges = new LoginChallenges(LIFETIME_MS);
    for (let now = 0; now < 4 * LIFETIME_MS; now += 1_000) {
      const challenge = challenges.issue(ADDRESS, epochMs(now));
      challenges.markUsed(challenge, epochMs(now));
      expect(challenges.isValid(challenge, epochMs(now))).toBe(false);
      expect(challenges.usedCount).toBeLessThanOrEqual(LIFETIME_MS / 1_000);
    }
    expect(challenges.usedCount).toBe(LIFETIME_MS / 1_000);
  });

  it('are valid only unchanged', () => {
    const challenges = new LoginChallenges(LIFETIME_MS);
    const hexDigit = fc.constantFrom(...'0123456789abcdef');
    fc.assert(
      fc.property(
        fc.record({
          index: fc.nat(65),
          digit: hexDigit,
          issuedShift: fc.integer({ min: -2, max: 2 }),
          expiryShift: fc.integer({ min: -2, max: 2 }),
        }),
        ({ index, digit, issuedShift, expiryShift }) => {
          const issued = challenges.issue(ADDRESS, epochMs(1_000_000));
          const position = Math.max(index, 2);
          const changed: Challenge = {
            address: issued.address,
            nonce: `0x${issued.nonce.slice(2, position)}${digit}${issued.nonce.slice(position + 1)}`,
            issuedAt: epochMs(issued.issuedAt + issuedShift),
            expiresAt: epochMs(issued.expiresAt + expiryShift),
          };
          const isSame = changed.nonce === issued.nonce && issuedShift === 0 && expiryShift === 0;
          expect(challenges.isValid(changed, epochMs(1_000_001))).toBe(isSame);
        },
      ),
    );
  });

  it('are invalid in another run of the server', () => {
    const issued = new LoginChallenges(LIFETIME_MS).issue(ADDRESS, epochMs(0));
    expect(new LoginChallenges(LIFETIME_MS).isValid(issued, epochMs(1))).toBe(false);
  });
});
