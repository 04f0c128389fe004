/** Sends alerts to all webhooks in the background. Failures are logged. */
import type { Clock } from '../../clock/index.ts';
import type { Log } from '../log/log.ts';
import type { Redactor } from '../log/redactor.ts';
import { sendAlert, type Webhook } from './webhook.ts';

export interface AlertsOptions {
  readonly webhooks: readonly Webhook[];
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
}

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  send(kind: string, text: string, fields: Readonly<Record<string, string | number>>): void {
    const { webhooks, clock, log, redactor } = this.#options;
    for (const webhook of webhooks) {
      const sent = sendAlert(webhook, { kind, text: redactor.text(text), fields }, { clock })
        .catch((error: unknown) => log.error({ err: error }, 'an alert could not be sent'))
        .finally(() => this.#running.delete(sent));
      this.#running.add(sent);
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
