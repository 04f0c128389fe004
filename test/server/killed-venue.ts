/** A venue process that tests kill or stop with a full disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { assertSame, assertTrue } from '../exchange/properties/asserts.ts';
import { programPath } from '../program.ts';
import type { SmallDisk } from '../small-disk.ts';
import { queryVenue, Refusal, type SignedOrder } from './trader.ts';

const DISK_FULL = /Free disk space and try again\. All acknowledged data is stored/;

export const FIELDS =
  'id orderHash marketId outcome side priceBps shares filledShares timeInForce postOnly expiresAt createdAt';
const PLACE = `mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) {
  accepted duplicate order { ${FIELDS} } fills { id shares priceBps feeMicros } rejection { reason message } } }`;

const CANCEL = 'mutation ($id: ID!) { cancelOrder(id: $id) { results { cancelled rejection { reason } } } }';

export interface Placed {
  readonly accepted: boolean;
  readonly duplicate: boolean;
  readonly order: { readonly id: string; readonly filledShares: number };
  readonly fills: readonly { readonly id: string }[];
}

/** `halfspread serve` as a process. */
export class Venue {
  static readonly #running = new Set<ChildProcess>();
  readonly url: string;
  readonly token: string;
  readonly ended: Promise<unknown>;
  readonly end: () => void;
  readonly logged: (message: string, field: string) => unknown;
  readonly #child: ChildProcess;
  readonly #text: () => string;
  #mayRefuse = false;

  private constructor(child: ChildProcess, address: { url: string; token: string }, text: () => string) {
    this.url = address.url;
    this.token = address.token;
    this.#child = child;
    this.#text = text;
    this.ended = once(child, 'close');
    this.end = () => void child.kill('SIGTERM');
    this.logged = (message, field) => {
      const lines = text().split('\n');
      const line = lines.find((each) => each.startsWith('{') && JSON.parse(each).msg === message);
      return line === undefined ? undefined : JSON.parse(line)[field];
    };
  }

  /** Kills the venue. With a disk, fills the disk until the venue ends and explains why. */
  async stop(disk: SmallDisk | undefined): Promise<void> {
    if (disk === undefined) {
      this.#child.kill('SIGKILL');
      return;
    }
    this.#mayRefuse = true;
    await disk.keepFull(this.ended);
    assertSame(this.#child.exitCode, 3, `exit code on a full disk: ${this.#text()}`);
    assertTrue(DISK_FULL.test(this.#text()), `advice in the log on a full disk: ${this.#text()}`);
  }

  static killAll(): void {
    for (const child of Venue.#running) child.kill('SIGKILL');
  }

  static async start(folder: string, knownToken = ''): Promise<Venue> {
    const args = ['serve', '--port', '0', '--db', 'venue.db', '--config', 'venue.yaml'];
    const child = spawn(process.execPath, [programPath(), ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    Venue.#running.add(child);
    child.once('close', () => Venue.#running.delete(child));
    let [out, log] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
        const ready = /^listening on (\S+)\n/.exec(out)?.[1];
        if (ready !== undefined) resolve(ready);
      });
      child.once('close', () => reject(new Error(`the venue ended before it listened: ${log}`)));
    });
    const token = /shown only once: (\S+)/.exec(log)?.[1] ?? knownToken;
    return new Venue(child, { url, token }, () => log);
  }

  /** @returns undefined without a reply @throws Refusal when the order was not accepted */
  async place(token: string, { input }: SignedOrder): Promise<Placed | undefined> {
    try {
      const { placeOrder } = await queryVenue(this.url, token, PLACE, { i: input });
      if (!placeOrder.accepted) throw new Refusal(JSON.stringify(placeOrder));
      return placeOrder;
    } catch (error) {
      if (error instanceof Refusal && !this.#mayRefuse) throw error;
      return undefined;
    }
  }

  /** @returns whether the order was cancelled, false if it was filled before; undefined without a reply */
  async cancel(token: string, id: string): Promise<boolean | undefined> {
    try {
      const { cancelOrder } = await queryVenue(this.url, token, CANCEL, { id });
      return cancelOrder.results[0].cancelled;
    } catch (error) {
      if (error instanceof Refusal && !this.#mayRefuse) throw error;
      return undefined;
    }
  }

  /** Takes snapshots until the venue ends. */
  async takeSnapshots(): Promise<void> {
    let isRunning = true;
    void this.ended.then(() => {
      isRunning = false;
    });
    while (isRunning) await this.operate('snapshot', {}).catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }

  async operate(command: string, args: object) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/operator`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ command, ...args }),
    });
    const { ok, result } = Object(await answer.json());
    assertTrue(ok, `${command} was refused`);
    return result;
  }
}
