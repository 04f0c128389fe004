/**
 * Histograms of order times: from input to decision, from decision to the socket, and to the venue's answer. An
 * observation takes a microsecond, so observations are made after the order has been sent.
 */
import { Histogram, type Registry } from 'prom-client';

const LOCAL_BUCKET_SECONDS = [0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5];
const ANSWER_BUCKET_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** With this number of unobserved writes, writes are observed without waiting for an order. */
const MAX_UNOBSERVED_WRITES = 64;

export class OrderTimes {
  readonly #decide = histogram(
    'order_decide_seconds',
    'From the input of the runtime, such as a decoded book frame, until its commands are decided.',
    LOCAL_BUCKET_SECONDS,
  );
  readonly #send = histogram(
    'order_send_seconds',
    'From the decision until the commands are signed, in the journal and handed to the socket.',
    LOCAL_BUCKET_SECONDS,
  );
  readonly #answer = histogram(
    'order_answer_seconds',
    "From the step that placed an order until the venue's first answer. Whole milliseconds.",
    ANSWER_BUCKET_SECONDS,
  );
  readonly #journal = histogram(
    'journal_write_seconds',
    'Time to write a step and its signed orders to the journal. No observations on paper.',
    LOCAL_BUCKET_SECONDS,
    () => this.#observeWrites(),
  );
  #unobservedSeconds: number[] = [];

  /** Observes the commands of one step. Times are readings of `monotonic`, ms. */
  recordSent(begunAt: number, decidedAt: number, sentAt: number): void {
    this.#decide.observe((decidedAt - begunAt) / 1000);
    this.#send.observe((sentAt - decidedAt) / 1000);
    this.#observeWrites();
  }

  /** Records a journal write, which is observed later because it is often on the order path. */
  recordWrite(ms: number): void {
    this.#unobservedSeconds.push(ms / 1000);
    if (this.#unobservedSeconds.length >= MAX_UNOBSERVED_WRITES) this.#observeWrites();
  }

  recordAnswer(ms: number): void {
    this.#answer.observe(ms / 1000);
  }

  register(registry: Registry): void {
    for (const each of [this.#decide, this.#send, this.#answer, this.#journal]) registry.registerMetric(each);
  }

  #observeWrites(): void {
    for (const seconds of this.#unobservedSeconds) this.#journal.observe(seconds);
    this.#unobservedSeconds.length = 0;
  }
}

function histogram(name: string, help: string, buckets: readonly number[], collect = () => {}): Histogram {
  return new Histogram({ name: `halfspread_bot_${name}`, help, buckets: [...buckets], registers: [], collect });
}
