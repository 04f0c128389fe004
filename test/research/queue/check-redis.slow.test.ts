/** Checks of Redis with servers that only imitate it. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../../src/research/queue/index.ts';
import { checkRedis } from '../../../src/research/queue/redis.ts';

function optionsOf(server: Server) {
  const { port } = server.address() as AddressInfo;
  return parseRedisUrl('--workers', `redis://127.0.0.1:${port}`, undefined);
}

describe('the check of Redis', () => {
  it('refuses a Redis of an old version', async () => {
    const old = createServer((socket) => {
      const info = '# Server\r\nredis_version:6.0.16\r\n';
      socket.on('data', (commands) => {
        for (const command of String(commands)
          .split(/^\*\d+\r\n/m)
          .slice(1))
          socket.write(/\ninfo\r/i.test(command) ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(old, 'listening');
    const options = optionsOf(old);
    const expected = /this is version 6\.0\. Use Redis 6\.2 or newer/;
    await expect(checkRedis(options)).rejects.toThrow(expected);
    old.close();
  });

  it('reports that Redis may be in protected mode when it closes the connection', async () => {
    const closing = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const options = optionsOf(closing);
    await expect(checkRedis(options)).rejects.toThrow(/it closed the connection \(.*protected mode/);
    closing.close();
  });
});
