/** External texts cannot control or colour the terminal, and the program's own colours are kept. */
import { createServer } from 'node:http';
import process from 'node:process';
import pc from 'picocolors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { paintLine } from '../../src/app/demo/demo-view.ts';
import { findingLine } from '../../src/cli/actions/doctor.ts';
import { botText, venueText } from '../../src/cli/output/control-text.ts';
import { LiveLine } from '../../src/cli/output/live-line.ts';
import { showFault } from '../../src/cli/output/show-fault.ts';
import { processTerminal, type TextOutput } from '../../src/cli/output/terminal.ts';
import { Fault } from '../../src/domain/index.ts';
import { escapeControls, escapeLine } from '../../src/network/index.ts';
import { runInProcess } from './trading.ts';

/** Red text, cursor up, a window title, a bell, the one-byte form of ESC [, and a right-to-left override. */
const STRANGE = 'a\u001b[31mred\u001b[1A\u001b]0;owned\u0007\u009b31mx\u202e';
const SHOWN = 'a\\u001b[31mred\\u001b[1A\\u001b]0;owned\\u0007\\u009b31mx\\u202e';
const WIDE = { columns: 1_000, isTty: true };

afterEach(() => void vi.restoreAllMocks());

/** Created once, as it listens for errors of both streams. */
const { out } = processTerminal();

/** Returns what is written to a terminal. */
function written(write: (out: TextOutput) => void): string {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((more) => {
    text += String(more);
    return true;
  });
  try {
    write(out);
    return text;
  } finally {
    vi.restoreAllMocks();
  }
}

describe('a terminal', () => {
  it('shows every control character of a text escaped, including colours', () => {
    expect(written((out) => out.write(`${STRANGE}\tb\n`))).toBe(`${SHOWN}\tb\n`);
    for (let code = 0; code < 0xa0; code += 1) {
      const character = String.fromCharCode(code);
      const isControl = code < 0x20 || code >= 0x7f;
      expect(escapeLine(character)).toBe(isControl ? `\\u${code.toString(16).padStart(4, '0')}` : character);
      expect(escapeControls(character)).toBe(
        isControl && code !== 9 && code !== 10 ? escapeLine(character) : character,
      );
    }
  });

  it('shows the program’s own colours', () => {
    expect(written((out) => out.writeColored(pc.createColors(true).red('kill')))).toBe('\u001b[31mkill\u001b[39m');
  });

  it('colours external texts without their own colours', () => {
    const colors = pc.createColors(true);
    expect(paintLine([STRANGE, 'bad'], 200, colors)).toBe(colors.bold(colors.red(SHOWN)));
    const finding = { name: 'reach', status: 'fail', message: STRANGE, remedy: STRANGE } as const;
    expect(findingLine(finding, true).startsWith(`${colors.red('fail')} reach`)).toBe(true);
    expect(findingLine(finding, true).split(SHOWN)).toHaveLength(3);
  });
});

describe('a text from a venue', () => {
  it('is one line of a status, of orders and positions', () => {
    const status = {
      mode: 'PAUSED',
      modeReason: `${STRANGE}\nmode ACTIVE`,
      markets: [{ slug: `${STRANGE}\n`, bidBps: 1 }],
    };
    const lines = botText('status', status, WIDE).split('\n');
    expect(lines.filter((line) => line.includes(SHOWN))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('mode ACTIVE'))).toEqual([]);
    const order = { orderId: '\u001b[31m12', market: { slug: `${STRANGE}\n` }, status: '\u001b[31mOPEN' };
    const [, row, end] = venueText('orders', { orders: [order] }, WIDE).split('\n');
    expect(row).toContain(`${SHOWN}\\u000a`);
    expect(row).toContain('\\u001b[31mOPEN');
    expect(end).toBe('');
  });

  it('is one line of the log on a terminal', () => {
    const line = `${JSON.stringify({ level: 40, time: 0, msg: `${STRANGE}\n00:00:01 ERROR forged`, problem: STRANGE })}\n`;
    const shown = written((out) => new LiveLine({ ...out, isTty: true, write: (text) => out.write(text) }).write(line));
    expect(shown.split('\n')).toHaveLength(2);
    expect(shown).toContain(SHOWN);
    expect(shown).toMatch(/^[^\p{Cc}\p{Cf}]+\n$/u);
  });

  it('is an error message without controls', () => {
    const { text } = showFault(new Fault('VENUE', STRANGE));
    expect(written((out) => out.write(text))).toBe(`error: ${SHOWN}\n`);
  });

  it('is one line of a list of markets', async () => {
    const node = {
      ...{ id: '1', slug: '\u001b[31mslug', question: `${STRANGE}\nnext`, status: 'OPEN' },
      ...{ bestBidBps: 1, bestAskBps: 2, volumeCents: 3, resolutionDate: '\u001b[2J' },
    };
    const markets = { totalCount: 1, pageInfo: { hasNextPage: false, endCursor: null }, edges: [{ node }] };
    const server = createServer((_, response) => response.end(JSON.stringify({ data: { markets } })));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const port = Reflect.get(Object(server.address()), 'port');
    const { stdout } = await runInProcess(['markets', '--url', `http://127.0.0.1:${port}`], process.cwd());
    server.close();
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout).toContain(`${SHOWN} next`);
    expect(stdout).toMatch(/^([^\p{Cc}\p{Cf}]+\n){2}$/u);
  });
});
