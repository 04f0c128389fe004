import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { createServer } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import { TcpControl } from '../../src/ops/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { controlledBot } from '../ops/controlled-bot.ts';
import { ended, halfspread, newFolder, start } from './halfspread.ts';
import { endAll, openVenue, setSecret, TestBot } from './trading.ts';

const TOKEN = 'operator-token-0123456789abcdef0123';

afterAll(endAll);

describe('a running bot with `control.tcp`', () => {
  it('prints its port, and a `kill` over it leaves no open order at the venue', { timeout: 60_000 }, async () => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    const venue = await openVenue();
    const bot = new TestBot(
      venue.url,
      'control: { socket: bot.sock, tcp: { port: 0, token: { env: TEST_BOT_TOKEN } } }',
    );
    const { child, end, output } = await bot.run();
    const [, port] = /commands on port (\d+)/.exec(output()) ?? [];
    const client = await bot.client();
    await expect.poll(() => client.countOpenOrders(), { timeout: 20_000 }).toBeGreaterThan(0);
    const place = ['--bot', `tcp://127.0.0.1:${port}`, '--token-env', 'TEST_BOT_TOKEN'];
    const kill = await halfspread(['kill', ...place, '--json'], bot.folder);
    expect(kill).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(kill.stdout)).toMatchObject({ mode: 'KILLED' });
    expect(await client.countOpenOrders()).toBe(0);
    child.kill('SIGTERM');
    const { stderr } = await end;
    expect(stderr).toContain('"from":"127.0.0.1"');
    expect(stderr).not.toContain(TOKEN);
    await venue.close();
  });
});

describe('a proxy that terminates TLS in front of a bot', () => {
  it('is trusted only with a valid certificate', { timeout: 30_000 }, async () => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    const folder = newFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const self = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2', '-nodes'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync('openssl', ['req', '-x509', ...curve, ...self, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
      timeout: 120_000,
    });
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const { bot, received } = controlledBot();
    const port = { host: '127.0.0.1', port: 0, token: TOKEN, bot, clock: wallClock(), log };
    const server = await TcpControl.listen(port);
    const proxy = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      const inner = connect(server.port, '127.0.0.1');
      socket.on('error', () => inner.destroy()).pipe(inner);
      inner.on('error', () => socket.destroy()).pipe(socket);
    });
    proxy.on('tlsClientError', () => {});
    afterThisTest.add(async () => {
      proxy.close();
      await server.close();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const bound = proxy.address();
    const address = `tls://localhost:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
    const args = ['kill', '--bot', address, '--token-env', 'TEST_BOT_TOKEN'];
    const stranger = await halfspread(args, folder);
    expect(stranger).toMatchObject({ code: 5, stderr: expect.stringContaining('self-signed certificate') });
    expect(received).toEqual([]);
    const trusting = start(args, folder, [], { ...process.env, NODE_EXTRA_CA_CERTS: cert });
    expect(await ended(trusting)).toMatchObject({ code: 0, stderr: '' });
    expect(received).toEqual([['kill', undefined]]);
  });
});
