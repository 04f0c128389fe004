/** Schema of `alerts`: receivers, levels and times. */
import { z } from 'zod';
import type { AlertLevel } from '../ops/index.ts';
import { whole } from '../strategy/index.ts';
import { headers, secret } from './shared-parts.ts';

const LEVELS = ['info', 'warning', 'critical'] as const satisfies readonly AlertLevel[];
const HOUR_MS = 3_600_000;

const level = z.enum(LEVELS).default('info').describe('The least urgent level that is sent. Default info.');
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day in quotes, such as "07:30"');
const chatId = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/, 'the id of a chat, such as 42')]);

const urlTarget = (type: 'slack' | 'discord', name: string) =>
  z.strictObject({
    type: z.literal(type).describe('Kind of the receiver.'),
    url: secret.describe(`Where the secret URL of a ${name} incoming webhook is stored.`),
    level,
  });

const target = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('telegram').describe('Kind of the receiver.'),
    token: secret.describe("Where the bot token from Telegram's BotFather is stored."),
    chat: chatId.describe('Chat that receives the alerts.'),
    commands_from: z
      .array(chatId)
      .max(20)
      .default([])
      .describe('Chats whose commands are executed. In a group, these are the commands of all members. Default none.'),
    base_url: z
      .string()
      .regex(/^https?:\/\/[^\s?#]+$/, 'a URL with https:// or http://')
      .default('https://api.telegram.org')
      .describe('Server of the Bot API. Default https://api.telegram.org.'),
    level,
  }),
  urlTarget('slack', 'Slack'),
  urlTarget('discord', 'Discord'),
  z.strictObject({
    type: z.literal('webhook').describe('Kind of the receiver.'),
    url: secret.describe('Where the secret URL that receives alerts as JSON is stored.'),
    headers,
    level,
  }),
]);

const quietHours = z
  .strictObject({
    from: timeOfDay.describe('Start of the period.'),
    to: timeOfDay.describe('End of the period. An end before the start is on the next day.'),
  })
  .refine(({ from, to }) => from !== to, 'a start that differs from the end')
  .optional()
  .describe('Period with only critical alerts. One message at the end contains the other alerts. Default none.');

export const alerts = z
  .strictObject({
    targets: z.array(target).max(10).default([]).describe('Receivers of alerts. Default none.'),
    name: z.string().min(1).max(50).optional().describe('Name of the bot in each text. Default none.'),
    repeat_ms: whole(
      0,
      24 * HOUR_MS,
      300_000,
      'Time in which an alert with the same kind and text is sent once; ms. At its end, the alert is sent again with the number of its repeats, if it was repeated. 0 sends every alert.',
    ),
    time_zone: z
      .string()
      .refine(isTimeZone, 'a time zone such as Europe/Berlin')
      .default('UTC')
      .describe('Time zone of `quiet_hours` and `daily_summary`. Default UTC.'),
    quiet_hours: quietHours,
    daily_summary: timeOfDay.optional().describe('Time of day at which the daily summary is sent. Default none.'),
  })
  .prefault({})
  .describe('Alerts to people and programs.');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
