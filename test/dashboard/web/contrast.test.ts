/** Text of the page has a contrast of at least 4.5 to 1 on every background, in both themes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CSS = readFileSync(join(import.meta.dirname, '../../../src/dashboard/web/tokens.css'), 'utf8');
const LIGHT = tokensOf(/:root \{([^}]*)\}/);
const DARK = { ...LIGHT, ...tokensOf(/:root\[data-theme="dark"\] \{([^}]*)\}/) };

function tokensOf(block: RegExp): Readonly<Record<string, string>> {
  const [, text = ''] = block.exec(CSS) ?? [];
  return Object.fromEntries(
    [...text.matchAll(/--([\w-]+): (#[0-9a-f]{6})\b/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXTS = ['ink', 'ink-2', 'ink-3', 'accent', 'bid', 'ask', 'gain', 'loss', 'ok', 'warn', 'danger'];
const BACKGROUNDS = ['surface', 'raised'];
const PAIRS = [
  ...TEXTS.flatMap((text) => BACKGROUNDS.map((background) => [text, background])),
  ['on-accent', 'accent'],
  ['warn', 'warn-bg'],
  ['danger', 'danger-bg'],
  ['accent', 'accent-bg'],
  ['ink', 'warn-bg'],
  ['ink', 'danger-bg'],
];

it.each([
  ['light', LIGHT],
  ['dark', DARK],
] as const)('every text of the %s theme has a contrast of 4.5 or more', (_, tokens) => {
  const low = PAIRS.map(([text = '', background = '']) => {
    const [a, b] = [tokens[text], tokens[background]];
    if (a === undefined || b === undefined) throw new Error(`there is no token ${text} or ${background}`);
    return { text, background, contrast: contrast(a, b) };
  }).filter((pair) => pair.contrast < 4.5);
  expect(low).toEqual([]);
});
