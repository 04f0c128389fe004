/** Style sheet of reports: system fonts, light and dark, from phones to wide screens. It loads nothing. */
const DARK = `
  color-scheme: dark; --theme: dark;
  --paper: #12171d; --panel: #1a2129; --ink: #e4e9ef; --muted: #9aa7b5; --rule: #2e3843;
  --line: #86b6e8; --fill: #86b6e82e; --bid: #6fb3f2; --ask: #f2a65a; --loss: #ef8088; --lossfill: #ef808833;
  --other: #93a0ae; --note: #2b2513; --shade: #000000a0; --noterule: #a8842a;
`;

export const STYLE = `
:root {
  color-scheme: light dark; --theme: light;
  --paper: #ffffff; --panel: #f6f7f9; --ink: #16202c; --muted: #5a6675; --rule: #d9dee5;
  --line: #23507f; --fill: #23507f26; --bid: #1d6fb8; --ask: #b4530a; --loss: #a6323a; --lossfill: #a6323a2e;
  --other: #6b7684; --note: #fff6e0; --shade: #0f1a2640; --noterule: #d9a520;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {${DARK}}
}
:root[data-theme="dark"] {${DARK}}
:root[data-theme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main, header, footer { max-width: 1072px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 36px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 44px 0 6px; padding-top: 14px; border-top: 1px solid var(--rule); }
h3 { font-size: 15px; margin: 24px 0 4px; overflow-wrap: anywhere; }
p { margin: 6px 0 12px; max-width: 76ch; overflow-wrap: anywhere; }
.lead { font-size: 16px; }
.muted, figcaption, caption { color: var(--muted); }
.small { font-size: 13px; }
.cards { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 10px; margin: 20px 0 8px; padding: 0; list-style: none; }
.cards li { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; padding: 10px 14px; }
.cards .name { display: block; font-size: 13px; color: var(--muted); }
.cards .value { display: block; font-size: 21px; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.cards .aside { display: block; font-size: 12.5px; color: var(--muted); }
.notes { background: var(--note); border-left: 4px solid var(--noterule); border-radius: 0 6px 6px 0; margin: 18px 0; padding: 10px 16px; }
.notes h2 { border: 0; margin: 0 0 4px; padding: 0; font-size: 15px; }
.notes ul { margin: 0; padding-left: 18px; }
.notes li { margin: 3px 0; max-width: 90ch; }
a { color: var(--line); }
html { scroll-padding-top: 56px; }
.bar {
  position: sticky; top: 0; z-index: 2; display: flex; align-items: center; justify-content: flex-end; gap: 6px;
  max-width: 1072px; margin: 0 auto; padding: 8px 16px; background: var(--paper); border-bottom: 1px solid var(--rule);
}
.bar[hidden] { display: none; }
.bar .range { margin-right: auto; font-size: 12.5px; color: var(--muted); font-variant-numeric: tabular-nums; }
.bar button {
  font: inherit; font-size: 13px; line-height: 20px; min-width: 32px; min-height: 32px; padding: 4px 9px; white-space: nowrap;
  color: var(--ink); background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; cursor: pointer;
}
.bar button:hover { border-color: var(--muted); }
.bar button:focus-visible, .chart:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
.contents ul { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 14px 0; padding: 0; list-style: none; font-size: 14px; }
.chart { position: relative; touch-action: pan-y; }
.chart .u-cursor-x { border-right-color: var(--muted); }
.chart .u-cursor-y { display: none; }
.chart .u-select { background: var(--shade); }
.readout { min-height: 1.55em; margin: 2px 0 0; font-size: 13px; font-variant-numeric: tabular-nums; max-width: none; }
figure { margin: 14px 0 22px; }
figcaption { font-size: 13px; margin-top: 4px; max-width: 90ch; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--muted); margin: 0 0 6px; padding: 0; list-style: none; }
.legend svg { vertical-align: -2px; margin-right: 5px; }
.plot { display: block; max-width: 100%; height: auto; background: none; color: var(--muted); font-size: 11px; }
.plot text { white-space: pre; }
.plot text:not([fill]) { fill: var(--muted); }
.plot [data-part$="label"] { stroke: none; }
.narrow { display: none; }
.scroll {
  overflow-x: auto; margin: 8px 0 18px;
  background: linear-gradient(to right, var(--paper) 40%, transparent) left / 36px 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 36px 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / 9px 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / 9px 100% no-repeat scroll;
}
.scroll:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: 13px; padding-bottom: 6px; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { font-weight: 600; }
thead th { color: var(--muted); font-size: 12.5px; white-space: nowrap; }
tbody th { font-weight: 500; }
.num { text-align: right; white-space: nowrap; }
td.long { min-width: min(15em, 38vw); }
th.long { min-width: min(9em, 30vw); }
td:not(.num):not(.long) { white-space: nowrap; }
tr.sum th, tr.sum td { font-weight: 700; border-top: 2px solid var(--ink); border-bottom: 0; }
tr.part th { padding-left: 14px; color: var(--muted); }
.hash { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12.5px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(130px, 210px) 1fr; gap: 4px 18px; font-size: 14px; margin: 8px 0 18px; }
dt { color: var(--muted); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
footer { margin-top: 48px; padding-top: 14px; padding-bottom: 32px; border-top: 1px solid var(--rule); font-size: 13px; color: var(--muted); }
@media (max-width: 720px) {
  body { font-size: 14.5px; }
  header { padding-top: 22px; }
  h1 { font-size: 22px; }
  .wide { display: none; }
  .narrow { display: block; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 8px; }
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .cards .value { font-size: 18px; }
  .bar { gap: 4px; padding: 6px 16px; flex-wrap: wrap; }
  .bar .range { flex-basis: 100%; }
  .readout { min-height: 3.1em; }
}
@media print { .bar, .contents, .readout { display: none; } .scroll { overflow: visible; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
`;
