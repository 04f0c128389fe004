import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, facts, html, numberColumns, table, trusted } from '../../../src/backtest/report/html.ts';
import {
  bps,
  count,
  duration,
  exactUsd,
  moment,
  percent,
  shares,
  signedUsd,
  usd,
} from '../../../src/backtest/report/number-text.ts';

describe('html', () => {
  it('escapes every inserted text but no markup', () => {
    const hostile = `<img src=x onerror="alert('1')">&\``;
    expect(
      html`<p title="${hostile}">${html`<b>${hostile}</b>`}${[html`<i>`, html`</i>`]}${undefined}${7}</p>`.markup,
    ).toBe(`<p title="${escapeHtml(hostile)}"><b>${escapeHtml(hostile)}</b><i></i>7</p>`);
    expect(trusted('<hr>').markup).toBe('<hr>');
  });

  it('escapes every character that could end a text or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>"\'`&#;39aé', '😀', '\n') }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"'`]/);
        expect(escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(text);
      }),
    );
  });
});

describe('numbers in the report', () => {
  it('show money to the cent or to the last micro-dollar', () => {
    expect([signedUsd(1_234_567_000), signedUsd(-500_000), signedUsd(0), signedUsd(-4_000)]).toEqual([
      '+$1,234.57',
      '−$0.50',
      '$0.00',
      '$0.00',
    ]);
    expect([usd(1_500_000), usd(-1_500_000)]).toEqual(['$1.50', '−$1.50']);
    expect([exactUsd(-1_234_567_891_234), exactUsd(7), exactUsd(0)]).toEqual([
      '−1,234,567.891234',
      '0.000007',
      '0.000000',
    ]);
  });

  it('show shares, counts, percentages, basis points, durations and times', () => {
    expect([shares(12_345_670_000), shares(-500_000)]).toEqual(['12,345.67', '−0.5']);
    expect([count(0), count(999), count(1_234_567)]).toEqual(['0', '999', '1,234,567']);
    expect([percent(0.1374), percent(-1.5), percent(0.00012, 2)]).toEqual(['13.7 %', '−150.0 %', '0.01 %']);
    expect([bps(61.49), bps(-3.85)]).toEqual(['61.5', '−3.9']);
    expect([duration(6_200), duration(394_700), duration(13_560_000), duration(200_000_000)]).toEqual([
      '6.2 s',
      '7 min',
      '3 h 46 min',
      '2 d 7 h',
    ]);
    expect([duration(59_940), duration(59_960), duration(60_000)]).toEqual(['59.9 s', '1 min', '1 min']);
    expect(moment(Date.parse('2022-07-11T11:00:20.540Z'))).toBe('2022-07-11 11:00:20 UTC');
  });

  it('show a negative number that is rounded to 0 without a sign', () => {
    expect([usd(-4_000), percent(-0.0004), bps(-0.04)]).toEqual(['$0.00', '0.0 %', '0.0']);
  });
});

describe('tables of the report', () => {
  it('have a caption, column headers and row headers, and scroll by themselves', () => {
    const { markup } = table(
      'Fills <all>',
      ['Tag', ...numberColumns('P&L')],
      [['queue', '1'], { kind: 'sum', cells: ['all', html`<b>1</b>`] }],
    );
    expect(markup).toContain('<caption>Fills &#60;all&#62;</caption>');
    expect(markup).toContain('<th scope="col" class="num">P&#38;L</th>');
    expect(markup).toContain('<th scope="row" class="">queue</th><td class="num">1</td>');
    expect(markup).toContain('<tr class="sum"><th scope="row" class="">all</th><td class="num"><b>1</b></td></tr>');
    expect(markup).toMatch(/^<div class="scroll" role="region" tabindex="0" aria-label="Fills &#60;all&#62;">/);
  });

  it('are description lists when they have only names and values', () => {
    expect(facts([{ name: 'a<', value: 'b' }]).markup).toContain('<dt>a&#60;</dt><dd>b</dd>');
  });
});
