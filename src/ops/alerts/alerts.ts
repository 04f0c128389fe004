/** Sends alerts to all webhooks in the background. Failures are logged. */
import type { Clock } from '../../clock/index.ts';
import type { KeptAlert } from '../feed/report-types.ts';
import type { Log } from '../log/log.ts';
import type { Redactor } from '../log/redactor.ts';
import { RecentAlerts } from './recent-alerts.ts';
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
  readonly #recent = new RecentAlerts();

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  /** Also without a webhook. The newest first. */
  recent(): readonly KeptAlert[] {
    return this.#recent.list;
  }

  send(kind: string, text: string, fields: Readonly<Record<string, string | number>>): void {
    const { webhooks, clock, log, redactor } = this.#options;
    this.#recent.add(kind, redactor.text(text), clock.now());
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
