import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { receiver, SECRET, statuses } from '../ops/alerts/receiver.ts';
import { newFolder } from './halfspread.ts';
import { expectAllDocumented } from './json-page.ts';
import { runInProcess, setSecret } from './trading.ts';

const TOKEN = '123456789:AAtestTokenOfABot';

function folderWith(alerts: string): string {
  const folder = newFolder();
  const text = `venue: { url: "http://127.0.0.1:1" }\nmarkets: { slugs: [a] }\nstrategy: ladder\nalerts: ${alerts}\n`;
  writeFileSync(join(folder, 'bot.yaml'), text);
  return folder;
}

describe('halfspread alerts test', () => {
  it('sends one alert to each target regardless of its level, and prints the answers', async () => {
    const [telegram, slack, webhook] = [await receiver(), await receiver(), await receiver()];
    setSecret('ALERT_TOKEN', TOKEN);
    setSecret('ALERT_SLACK', `${slack.url}/${SECRET}`);
    setSecret('ALERT_HOOK', `${webhook.url}/${SECRET}`);
    const folder = folderWith(`
  name: cup
  targets:
    - { type: telegram, token: { env: ALERT_TOKEN }, chat: -42, base_url: "${telegram.url}/" }
    - { type: slack, url: { env: ALERT_SLACK }, level: critical }
    - { type: webhook, url: { env: ALERT_HOOK }, headers: { authorization: { env: ALERT_TOKEN } } }`);
    const { code, stdout, stderr } = await runInProcess(['alerts', 'test', 'bot.yaml'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'ok   alerts.targets[0] (telegram): sent, it answered 200',
      'ok   alerts.targets[1] (slack): sent, it answered 200',
      'ok   alerts.targets[2] (webhook): sent, it answered 200',
      '',
    ]);
    const text = '[cup] halfspread: this is a test. Alerts of bot.yaml arrive here';
    expect(telegram.got).toMatchObject([{ path: `/bot${TOKEN}/sendMessage`, body: { chat_id: '-42', text } }]);
    expect(slack.got).toMatchObject([{ body: { text } }]);
    expect(webhook.got).toMatchObject([{ body: { kind: 'test', text }, headers: { authorization: TOKEN } }]);
  });

  it('exits with code 2 when an alert fails, and prints the cause and the remedy but no secret', async () => {
    const unauthorized = await receiver(
      (response, _, { path }) =>
        // A server that repeats what it received.
        void response.writeHead(401).end(JSON.stringify({ ok: false, description: `Unauthorized: ${path}` })),
    );
    const slack = await receiver(statuses(404));
    setSecret('ALERT_TOKEN', TOKEN);
    setSecret('ALERT_SLACK', `${slack.url}/${SECRET}`);
    const folder = folderWith(`
  targets:
    - { type: telegram, token: { env: ALERT_TOKEN }, chat: 42, base_url: "${unauthorized.url}" }
    - { type: slack, url: { env: ALERT_SLACK } }`);
    const plain = await runInProcess(['alerts', 'test', 'bot.yaml'], folder);
    expect(plain.code).toBe(2);
    expect(plain.stdout).toMatch(
      /^fail alerts\.targets\[0\].*401 \(Unauthorized: \/bot\[redacted\]\/sendMessage\)\. Check the token/,
    );
    expect(plain.stdout).toMatch(/^fail alerts\.targets\[1\] \(slack\): it answered 404\. Check the URL/m);
    const json = await runInProcess(['alerts', 'test', 'bot.yaml', '--json'], folder);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject([{ type: 'telegram', isSent: false }, { type: 'slack' }]);
    expectAllDocumented('alerts test', JSON.parse(json.stdout));
    expect(JSON.stringify([plain, json])).not.toMatch(new RegExp(`${TOKEN}|${SECRET}`));
  });

  it.each([
    ['{}', /alerts\.targets: expected at least one target/],
    ['{ targets: [{ type: slack, url: { env: NOT_SET } }] }', /alerts\.targets\[0\]\.url: .*NOT_SET/],
    ['{ targets: [{ type: slack, url: { env: ALERT_TOKEN } }] }', /begins with https:\/\//],
    ['{ targets: [{ type: telegram, token: { env: ALERT_WORD }, chat: 1 }] }', /the token of BotFather's message/],
    [
      '{ targets: [{ type: telegram, token: "123456789:AAtestTokenOfABotWithManyCharacters", chat: 1 }] }',
      /Telegram bot/,
    ],
    ['{ targets: [{ type: telegram, token: { env: ALERT_TOKEN }, chat: me }] }', /chat/],
    ['{ targets: [{ type: pager, url: { env: ALERT_TOKEN } }] }', /alerts\.targets\[0\]\.type/],
    [
      '{ targets: [{ type: telegram, token: { env: ALERT_TOKEN }, chat: 1, base_url: "https://[" }] }',
      /targets\[0\]\.base_url: expected a URL/,
    ],
    [
      '{ targets: [{ type: telegram, token: { env: ALERT_TOKEN }, chat: 1, commands_from: [1] }, { type: telegram, token: { env: ALERT_TOKEN }, chat: 2, commands_from: [2] }] }',
      /targets\[1\]\.commands_from: expected no chats: another target already receives commands/,
    ],
    ['{ quiet_hours: { from: "25:00", to: "07:00" } }', /quiet_hours\.from: .*a time of day/],
    ['{ quiet_hours: { from: "07:00", to: "07:00" } }', /a start that differs from the end/],
    ['{ time_zone: Europe/Nowhere }', /a time zone such as Europe\/Berlin/],
  ])('refuses %s', async (alerts, message) => {
    setSecret('ALERT_TOKEN', TOKEN);
    setSecret('ALERT_WORD', 'some words');
    const { code, stderr } = await runInProcess(['alerts', 'test', 'bot.yaml'], folderWith(alerts));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/AAtest/);
  });
});

describe('a configuration with `webhooks`', () => {
  it('is refused, and the error names the key that replaces it', async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, 'bot.yaml'),
      'venue: { url: "http://127.0.0.1:1" }\nmarkets: { slugs: [a] }\nstrategy: ladder\nwebhooks: []\n',
    );
    const { code, stderr } = await runInProcess(['config', 'check', 'bot.yaml'], folder);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('now in `alerts.targets`') });
  });
});
