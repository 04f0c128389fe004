import { expect, it } from 'vitest';
import { nextStep, venueModeReason } from '../../src/ops/live/mode-text.ts';

const RESUME = 'npx halfspread resume --db a.db';

it.each(['KILLED', 'PAUSED', 'REDUCING'] as const)(
  'the next step for %s ends with the command that resumes',
  (mode) => {
    expect(nextStep(mode, 'HALTED', RESUME)).toBe(RESUME);
  },
);

it('the next step for a venue that is not NORMAL is to wait, with the reason', () => {
  expect(nextStep('ACTIVE', 'CANCEL_ONLY', RESUME)).toBe('wait: the bot quotes again when the venue is NORMAL');
  expect(venueModeReason('CANCEL_ONLY', undefined)).toBe('the venue reports CANCEL_ONLY');
  expect(venueModeReason('HALTED', 'its limits cannot be read')).toBe('its limits cannot be read');
});

it('a bot that trades has no next step', () => {
  expect([nextStep('ACTIVE', 'NORMAL', RESUME), venueModeReason('NORMAL', undefined)]).toEqual([null, null]);
});
