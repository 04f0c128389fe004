/** Fuzzes decoders of both directions: `npm run soak:decoders -- <seconds> <first seed>`. Exits with 1 on failure. */
import process from 'node:process';
import { fuzzClientMessages } from '../../server/streams/client-messages-fuzz.ts';
import { fuzzAnswers, fuzzBooks, fuzzMessages } from './decoders-fuzz.ts';
import { fuzzOwnEvents } from './own-events-fuzz.ts';

const RUNS = 2_000;
/** Connections to a venue. */
const CONNECTIONS = 100;
const [seconds = 60, first = 1] = process.argv.slice(2).map(Number);
const end = Date.now() + 1_000 * seconds;
let [seed, cases, messages, failed] = [first, 0, 0, 0];
while (Date.now() < end) {
  const books = fuzzBooks(seed, RUNS);
  const clients = await fuzzClientMessages(seed, CONNECTIONS);
  const problems = [
    ...fuzzMessages(seed, RUNS).thrown,
    ...(await fuzzAnswers(seed, RUNS)).thrown,
    ...[...books.thrown, ...books.wrong],
    ...(await fuzzOwnEvents(seed, RUNS)).thrown,
    ...(clients.failure === undefined ? [] : [clients.failure]),
  ];
  for (const problem of problems) process.stdout.write(`seed ${seed}: ${problem}\n`);
  failed += problems.length;
  cases += 4 * RUNS + clients.messages;
  messages += clients.messages;
  seed += 1;
}
process.stdout.write(
  `${cases} cases, ${messages} of them messages of clients, seeds ${first} to ${seed - 1}, ${failed} failed\n`,
);
process.exitCode = failed > 0 ? 1 : 0;
