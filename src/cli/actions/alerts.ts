import { openTargets } from '../../app/live/messaging.ts';
import { wallClock } from '../../clock/index.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { InputFault } from '../../domain/index.ts';
import { HttpClient } from '../../network/index.ts';
import { type Alert, type AlertTarget, attemptDelivery, Redactor } from '../../ops/index.ts';
import { action, assignments, flag } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../output/terminal.ts';

const OPTIONS = { json: flag, set: assignments };
const TIMEOUT_MS = 10_000;

/** Sends one alert to each target, regardless of the target's level. Exits with `EXIT.usage` if a target fails. */
export const testAlerts = action(OPTIONS, async ({ terminal, setExitCode }, [config = ''], { json, set }) => {
  const live = readLiveFile(config, terminal.cwd, set);
  const redactor = new Redactor();
  const { targets } = openTargets(live, redactor);
  if (targets.length === 0) throw new InputFault('alerts.targets', undefined, 'at least one target to send a test to');
  const clock = wallClock();
  const client = new HttpClient({ clock });
  const { name } = live.file.alerts;
  const text = `${name === undefined ? '' : `[${name}] `}halfspread: this is a test. Alerts of ${config} arrive here`;
  const alert: Alert = { kind: 'test', level: 'info', text, fields: {}, time: clock.now() };
  const results = await Promise.all(targets.map((target) => testTarget(client, target, alert, redactor)));
  client.close();
  const lines = results.map(({ isSent, target, result }) => `${isSent ? 'ok  ' : 'fail'} ${target}: ${result}\n`);
  writeResult(terminal, json, results, () => lines.join(''));
  if (results.some(({ isSent }) => !isSent)) setExitCode(EXIT.usage);
});

/** Sends the alert. `result` is the outcome or the problem, without secrets. */
async function testTarget(client: HttpClient, target: AlertTarget, alert: Alert, redactor: Redactor) {
  const { name, type, level } = target;
  const outcome = await attemptDelivery(client, target, alert, TIMEOUT_MS);
  if (outcome.type === 'sent')
    return { target: name, type, level, isSent: true, result: `sent, it answered ${outcome.status}` };
  const remedy = `${outcome.type === 'later' ? 'Try again later. ' : ''}${REMEDY[type]}`;
  return { target: name, type, level, isSent: false, result: `${redactor.text(outcome.problem)}. ${remedy}` };
}

const REMEDY: Readonly<Record<AlertTarget['type'], string>> = {
  telegram: 'Check the token and the chat id, and send /start to the bot once',
  slack: 'Check the URL of the incoming webhook, and that its channel still exists',
  discord: 'Check the URL of the webhook, and that its channel still exists',
  webhook: 'Check the URL, its headers and its permission to post',
};
