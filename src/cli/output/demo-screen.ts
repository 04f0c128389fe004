/** Shows a demo. A terminal is redrawn in place; any other output gets one line every 5 s. */
import pc from 'picocolors';
import { clockText, type DemoSnapshot, demoLines } from '../../app/demo/demo-view.ts';
import type { DemoDisplay } from '../../app/demo/run-demo.ts';
import { formatStatusLine } from './live-line.ts';
import type { TextOutput } from './terminal.ts';

const LINE_INTERVAL_MS = 5_000;
const DEFAULT_ROWS = 24;

export class DemoScreen implements DemoDisplay {
  readonly #out: TextOutput | undefined;
  readonly #colors: ReturnType<typeof pc.createColors>;
  #drawnLines = 0;
  #nextLineMs = 0;

  /** @param out undefined to show nothing */
  constructor(out: TextOutput | undefined) {
    this.#out = out;
    this.#colors = pc.createColors(out?.colors ?? false);
  }

  /** Prints a line above the redrawn part. */
  print(text: string): void {
    this.clear();
    this.#out?.write(`${text}\n`);
  }

  show(snapshot: DemoSnapshot): void {
    const out = this.#out;
    if (out === undefined) return;
    if (!out.isTty) {
      if (snapshot.elapsedMs < this.#nextLineMs) return;
      this.#nextLineMs = snapshot.elapsedMs + LINE_INTERVAL_MS;
      out.write(`${clockText(snapshot.elapsedMs)} ${formatStatusLine(snapshot.status)}\n`);
      return;
    }
    const lines = demoLines(
      snapshot,
      { columns: currentSize(out, 'columns', out.columns), rows: currentSize(out, 'rows', DEFAULT_ROWS) },
      this.#colors,
    );
    this.#moveToTop();
    // Control codes go directly to the stream, as `write` would escape them.
    for (const line of lines) {
      out.writeColored(line);
      out.stream.write('\u001b[K\n');
    }
    out.stream.write('\u001b[J');
    this.#drawnLines = lines.length;
  }

  clear(): void {
    this.#moveToTop();
    if (this.#drawnLines > 0) this.#out?.stream.write('\u001b[J');
    this.#drawnLines = 0;
  }

  #moveToTop(): void {
    if (this.#drawnLines > 0) this.#out?.stream.write(`\r\u001b[${this.#drawnLines}A`);
  }
}

/** Returns the terminal's current size: users may resize it during the demo. */
function currentSize({ stream }: TextOutput, name: 'columns' | 'rows', fallback: number): number {
  const size: unknown = Reflect.get(stream, name);
  return typeof size === 'number' && size > 0 ? size : fallback;
}
