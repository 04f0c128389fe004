import { expect, it } from 'vitest';
import { placeOptions } from '../../src/cli/live-paths.ts';

it.each([
  ['/bots/a.db', '/bots/a.sock', '--db /bots/a.db'],
  ["/my bot's/a.db", "/my bot's/a.sock", `--db '/my bot'\\''s/a.db'`],
  ['/bots/a.db', '/run/other.sock', '--config /bots/a.yaml'],
])('a bot with the database %s and the socket %s is found by %s', (db, socket, options) => {
  expect(placeOptions({ db, socket }, '/bots/a.yaml')).toBe(options);
});
