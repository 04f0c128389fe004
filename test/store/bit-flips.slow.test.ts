/** The short form of `npm run soak:damage`. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { runs } from '../runs.ts';
import { flipBits } from './bit-flips.ts';
import { botSubject, venueSubject } from './flip-subjects.ts';
import { databaseFiles } from './sqlite/files.ts';

const file = databaseFiles();

it.each([
  ['bot', botSubject, runs(120)],
  ['venue', venueSubject, runs(80)],
] as const)('a flipped bit of a %s’s database is harmless, refused or reported', async (_name, subjectOf, maxFlips) => {
  const subject = await subjectOf(file);
  const tally = await flipBits(subject, { random: seededRandom(5), every: 64, copy: file, maxFlips });
  expect(tally.others).toEqual([]);
  expect(tally.flips).toBeGreaterThanOrEqual(maxFlips);
  // Each outcome has occurred.
  for (const kind of ['harmless', 'refused', 'reported'] as const) expect(tally[kind], kind).toBeGreaterThan(0);
});
