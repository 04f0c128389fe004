/** `npm run soak:damage -- <rounds> <seed> <bytes>`: flips a bit per `bytes` bytes of a venue's and bot's database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { seededRandom } from '../../src/clock/index.ts';
import { type FlipTally, flipBits } from './bit-flips.ts';
import { botSubject, venueSubject } from './flip-subjects.ts';

const [rounds = 1, seed = 1, every = 64] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'damage-'));
let files = 0;
const file = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};
const subjects = { bot: await botSubject(file), venue: await venueSubject(file) };
const all = Object.keys(subjects).map((name) => ({ name, flips: 0, harmless: 0, refused: 0, reported: 0, others: 0 }));
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, subject] of Object.values(subjects).entries()) {
      let received = 0;
      const onFlip = ({ others }: FlipTally): void => {
        for (; received < others.length; received += 1) console.log(`${all[index]?.name}: ${others[received]}`);
      };
      const random = seededRandom(seed + round);
      const tally = await flipBits(subject, { random, every, copy: file, onFlip });
      const sum = all[index];
      if (sum === undefined) throw new Error('no sum of this database');
      for (const kind of ['flips', 'harmless', 'refused', 'reported'] as const) sum[kind] += tally[kind];
      sum.others += tally.others.length;
    }
    for (const sum of all) console.log(JSON.stringify({ rounds: round + 1, seed, every, ...sum }));
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (all.some(({ others }) => others > 0)) process.exitCode = 1;
