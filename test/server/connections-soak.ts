/**
 * Measures the venue's memory for many idle WebSockets: `node test/server/connections-soak.ts [count]`.
 *
 * The venue runs in a child process. Both processes need a limit of open files (`ulimit -n`) above the count.
 */
import { tmpdir } from 'node:os';
import process from 'node:process';
import { WebSocket } from 'ws';
import { ServeProcess } from './serve-process.ts';

const [count = '10000'] = process.argv.slice(2);
const MAX_MB = 1_024;
const CONCURRENCY = 200;
/** Two rounds of pings. */
const QUIET_MS = 31_000;

const venue = await ServeProcess.start([], tmpdir());
const before = await venue.memory();
const sockets: WebSocket[] = [];
let lost = 0;
for (let from = 0; from < Number(count); from += CONCURRENCY) {
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, Number(count) - from) }, () => connect()));
}
const open = await venue.memory();
await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
const quiet = await venue.memory();
const value = await venue.metrics();
const connections = value('halfspread_stream_connections');
const lostBeforeEnd = lost;
for (const socket of sockets) socket.terminate();
while ((await venue.metrics())('halfspread_stream_connections') > 0)
  await new Promise((resolve) => setTimeout(resolve, 100));
const after = await venue.memory();
await venue.end();

const row = (label: string, { rss, heap, external }: typeof before): void =>
  console.log(`${label.padEnd(28)}${[rss, heap, external].map((mb) => mb.toFixed(1).padStart(10)).join('')}`);
console.log(`${''.padEnd(28)}    RSS MB   heap MB  buffers MB`);
row('before', before);
row(`${count} opened`, open);
row('after two rounds of pings', quiet);
row('all closed', after);
console.log(
  `${connections} open at the end, ${lostBeforeEnd} lost; ${((1_024 * (quiet.rss - before.rss)) / connections).toFixed(1)} kB each`,
);
const isGood = quiet.rss < MAX_MB && connections === Number(count) && lostBeforeEnd === 0;
console.log(isGood ? `under ${MAX_MB} MB` : 'FAILED: too much memory, or connections were lost');
process.exitCode = isGood ? 0 : 1;

function connect(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      perMessageDeflate: false,
    });
    sockets.push(socket);
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    socket.once('message', () => resolve());
    socket.once('error', (cause) =>
      reject(new Error(`after ${sockets.length} connections (is \`ulimit -n\` high enough?)`, { cause })),
    );
    socket.once('close', () => {
      lost += 1;
    });
  });
}
