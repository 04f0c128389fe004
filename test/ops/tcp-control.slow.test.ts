/** Bots on machines that disappear: the connection stays open, and nothing arrives. */
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { listenOn } from '../../src/network/index.ts';
import { requestBot, watchBot } from '../../src/ops/index.ts';
import { afterThisTest } from '../cleanup.ts';

/** Opens a server that answers the login or nothing at all. */
async function silentBot({ answersLogin }: { readonly answersLogin: boolean }) {
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', () => {
        if (answersLogin) socket.write('{"v":1,"id":0,"ok":true,"result":{"role":"operator"}}\n');
      });
  });
  afterThisTest.add(() => void server.close());
  const port = await listenOn(server, 0, '127.0.0.1', 'port');
  return { host: '127.0.0.1', port, isTls: false, token: 'operator-token-0123456789abcdef0123' };
}

describe('a client of another machine', () => {
  it('ends a login that is not answered within ten seconds', async () => {
    const request = requestBot(await silentBot({ answersLogin: false }), { command: 'status' }, wallClock());
    await expect(request).rejects.toThrow(/did not answer within 10000 ms/);
  });

  it('ends a watch that is silent for ten seconds', async () => {
    const ended = Promise.withResolvers<string>();
    const watch = { onReport: () => {}, onEnded: ({ message }: Error) => ended.resolve(message) };
    await watchBot(await silentBot({ answersLogin: true }), { command: 'watch' }, watch);
    expect(await ended.promise).toMatch(/^tcp:.*: no report arrived for 10000 ms$/);
  });
});
