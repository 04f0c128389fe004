/**
 * A disk in memory that can lose power between any two steps, and then has only what it must have: of what was not made
 * durable any part may be there or not, a block of a file, a name, a removal. Its waiting is in the test's hands.
 */
import { FileFault } from '../../src/domain/index.ts';
import type { Disk, DiskFile } from '../../src/store/disk.ts';

const BLOCK = 16;

interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  /** How many of the first bytes are there after a crash. */
  durable: number;
}

type NameChange = { readonly name: string; readonly to: Content | undefined };

/** What the disk is asked to do, in the order of asking. */
interface Step {
  readonly act: () => void;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

export class CrashDisk implements Disk {
  readonly folder = 'disk';
  /** Without waiting everything is done as soon as it is asked for. */
  isWaiting = false;
  /** What the next write, sync or rename comes to, instead. */
  failure: { readonly at: 'write' | 'sync'; readonly code: string } | undefined;
  readonly #names = new Map<string, Content>();
  readonly #durableNames = new Map<string, Content>();
  #changes: NameChange[] = [];
  #steps: Step[] = [];

  /** A disk with these files on it, all durable. */
  constructor(files: Readonly<Record<string, Uint8Array>> = {}) {
    for (const [name, bytes] of Object.entries(files)) {
      const content = { bytes: Uint8Array.from(bytes), durable: bytes.length };
      this.#names.set(name, content);
      this.#durableNames.set(name, content);
    }
  }

  /** All files as they are now. */
  files(): Record<string, Uint8Array<ArrayBuffer>> {
    return Object.fromEntries([...this.#names].map(([name, { bytes }]) => [name, bytes.slice()]));
  }

  /** How many steps wait. */
  get waiting(): number {
    return this.#steps.length;
  }

  /** Does the next step that waits; what follows from it has happened when the promise is kept. */
  async step(): Promise<void> {
    const step = this.#steps.shift();
    if (step !== undefined) this.#do(step);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The disk after a loss of power; this one is not to be used any more. */
  crash(draw: () => number): CrashDisk {
    this.#steps = [];
    for (const { name, to } of this.#changes) {
      if (draw() < 0.5) continue;
      if (to === undefined) this.#durableNames.delete(name);
      else this.#durableNames.set(name, to);
    }
    const files = [...this.#durableNames].map(([name, content]) => [name, survivor(content, draw)] as const);
    return new CrashDisk(Object.fromEntries(files));
  }

  /** The process that uses it dies: what it still waits for never happens, what it wrote is in the system's memory. */
  async kill(): Promise<void> {
    // What it is about to ask is asked first, so that it waits and is gone with it.
    await new Promise((resolve) => setImmediate(resolve));
    this.#steps = [];
    this.isWaiting = false;
  }

  list(): readonly string[] {
    return [...this.#names.keys()];
  }

  read(name: string, bytes?: number): Uint8Array<ArrayBuffer> {
    return this.#content(name).bytes.slice(0, bytes);
  }

  async create(name: string): Promise<DiskFile> {
    const content: Content = { bytes: new Uint8Array(0), durable: 0 };
    await this.#ask(() => {
      if (this.#names.has(name)) throw new FileFault(name, undefined, 'is there already', '');
      this.#change(name, content);
    });
    return {
      write: (parts) => this.#ask(() => this.#write(content, parts)),
      sync: () =>
        this.#ask(() => {
          this.#failOn('sync', name);
          content.durable = content.bytes.length;
        }),
      close: () => this.#ask(() => {}),
    };
  }

  cut(name: string, bytes: number): void {
    const content = this.#content(name);
    content.bytes = content.bytes.slice(0, bytes);
    content.durable = content.bytes.length;
  }

  rename(from: string, to: string): void {
    const content = this.#content(from);
    this.#change(from, undefined);
    this.#change(to, content);
  }

  remove(name: string): void {
    this.#content(name);
    this.#change(name, undefined);
  }

  syncFolder(): Promise<void> {
    return this.#ask(() => {
      this.#durableNames.clear();
      for (const [name, content] of this.#names) this.#durableNames.set(name, content);
      this.#changes = [];
    });
  }

  close(): void {}

  #write(content: Content, parts: readonly Uint8Array[]): void {
    const bytes = Buffer.concat(parts);
    // A disk that is full takes some of it.
    const taken = this.failure?.at === 'write' ? bytes.subarray(0, bytes.length >> 1) : bytes;
    content.bytes = Uint8Array.from(Buffer.concat([content.bytes, taken]));
    this.#failOn('write', 'file');
  }

  #failOn(at: 'write' | 'sync', name: string): void {
    if (this.failure?.at !== at) return;
    throw new FileFault(`${this.folder}/${name}`, undefined, `failed (${this.failure.code})`, 'Make room');
  }

  #content(name: string): Content {
    const content = this.#names.get(name);
    if (content === undefined) throw new FileFault(`${this.folder}/${name}`, undefined, 'there is no such file', '');
    return content;
  }

  #change(name: string, to: Content | undefined): void {
    this.#changes.push({ name, to });
    if (to === undefined) this.#names.delete(name);
    else this.#names.set(name, to);
  }

  #ask(act: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = { act, resolve, reject };
      if (this.isWaiting) this.#steps.push(step);
      else this.#do(step);
    });
  }

  #do({ act, resolve, reject }: Step): void {
    try {
      act();
      resolve();
    } catch (cause) {
      reject(cause);
    }
  }
}

/** What is durable, then any number of the blocks that follow, each of them written or not. */
function survivor({ bytes, durable }: Content, draw: () => number): Uint8Array<ArrayBuffer> {
  const all = bytes.slice(0, durable + Math.floor(draw() * (bytes.length - durable + 1)));
  for (let from = durable; from < all.length; from = Math.floor(from / BLOCK + 1) * BLOCK) {
    if (draw() < 0.3) all.fill(0, from, Math.min(Math.floor(from / BLOCK + 1) * BLOCK, all.length));
  }
  return all;
}
