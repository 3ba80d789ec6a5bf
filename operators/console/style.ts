/** Inline styles would need a weaker policy. A test compares the tokens with `client/theme/tokens.css`. */
export const STYLE = `
@font-face { font-family: "Inter Variable"; src: url(/fonts/inter) format("woff2"); font-weight: 100 900; font-display: swap }
@font-face { font-family: "Inter Variable"; src: url(/fonts/inter-vietnamese) format("woff2"); font-weight: 100 900; font-display: swap; unicode-range: U+0102-0103, U+0110-0111, U+0128-0129, U+0168-0169, U+01A0-01A1, U+01AF-01B0, U+0300-0301, U+0303-0304, U+0308-0309, U+0323, U+0329, U+1EA0-1EF9, U+20AB }
@font-face { font-family: "Space Grotesk Variable"; src: url(/fonts/space-grotesk) format("woff2"); font-weight: 300 700; font-display: swap }
@font-face { font-family: "JetBrains Mono Variable"; src: url(/fonts/jetbrains-mono) format("woff2"); font-weight: 100 800; font-display: swap }
:root {
  --color-ground: #070b0c;
  --color-sheet: #0f1617;
  --color-panel: rgb(255 255 255 / 0.03);
  --color-raised: rgb(255 255 255 / 0.05);
  --color-pressed: rgb(255 255 255 / 0.09);
  --color-line: rgb(255 255 255 / 0.08);
  --color-line-strong: rgb(255 255 255 / 0.2);
  --color-ink: #e8f0ee;
  --color-muted: rgb(232 240 238 / 0.64);
  --color-mint: #5bf0b5;
  --color-mint-soft: rgb(91 240 181 / 0.1);
  --color-mint-line: rgb(91 240 181 / 0.32);
  --color-on-mint: #04140d;
  --color-amber: #f6c453;
  --color-amber-soft: rgb(246 196 83 / 0.1);
  --color-amber-line: rgb(246 196 83 / 0.32);
  --color-coral: #ff6f6f;
  --color-coral-soft: rgb(255 111 111 / 0.1);
  --color-coral-line: rgb(255 111 111 / 0.36);
  --radius-panel: 1.25rem;
  --radius-control: 0.75rem;
  --radius-chip: 0.5rem;
  --font-sans: "Inter Variable", "Inter Fallback", ui-sans-serif, system-ui, sans-serif;
  --font-mono: "JetBrains Mono Variable", ui-monospace, monospace;
  --display: "Space Grotesk Variable", var(--font-sans);
}
* { box-sizing: border-box }
html { color-scheme: dark; background: var(--color-ground); scrollbar-color: var(--color-line-strong) transparent }
body { margin: 0; color: var(--color-ink); font: 0.9375rem/1.5 var(--font-sans); overflow-wrap: anywhere; -webkit-font-smoothing: antialiased }
td, dd, time, input { font-variant-numeric: tabular-nums }
a { color: var(--color-mint); text-decoration-color: var(--color-mint-line); text-underline-offset: 0.2em }
:focus-visible { outline: 2px solid var(--color-mint); outline-offset: 2px }
h1, h2, .brand { font-family: var(--display); font-weight: 600; letter-spacing: -0.01em; text-wrap: balance }
h1 { font-size: 1.75rem; line-height: 2.125rem; margin: 0 0 1.25rem }
h2 { font-size: 1.125rem; line-height: 1.75rem; margin: 0 }
p { margin: 0 0 1rem; max-width: 68ch }
ul { list-style: none; margin: 0; padding: 0 }
.skip { position: absolute; left: -100rem }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--color-sheet); padding: 0.5rem; z-index: 1 }
header { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0.25rem 1rem; padding: 0.75rem max(1rem, calc((100% - 76rem) / 2)) 0; border-bottom: 1px solid var(--color-line); background: var(--color-sheet) }
.brand { margin: 0; font-size: 1.125rem }
.brand a { color: inherit; text-decoration: none }
.brand span { color: var(--color-mint) }
.who { display: flex; align-items: center; gap: 0.75rem; color: var(--color-muted) }
.who a { color: inherit; text-decoration: none; min-height: 2.75rem; display: inline-flex; align-items: center; gap: 0.4rem }
.who a:hover { text-decoration: underline }
.who i { font-style: normal }
.who b { color: var(--color-ink) }
nav { grid-column: 1 / -1; overflow-x: auto; scrollbar-width: none; margin: 0 -0.75rem }
nav ul { display: flex }
nav a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 0.75rem; color: var(--color-muted); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; outline-offset: -2px }
nav a:hover { color: var(--color-ink) }
nav a[aria-current] { color: var(--color-ink); border-color: var(--color-mint) }
main { max-width: 78rem; margin: 0 auto; padding: 1.75rem 1rem 4rem }
.alone main { max-width: 28rem; padding-top: 12vh }
section, .panel { background: var(--color-panel); border: 1px solid var(--color-line); border-radius: var(--radius-panel); padding: 1.25rem; margin: 0 0 1rem }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.5rem 1rem; margin: 0 0 0.75rem }
.head:last-child { margin: 0 }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1rem; align-items: start }
table { border-collapse: collapse; width: 100% }
th { color: var(--color-muted); font-weight: 500; font-size: 0.8125rem; text-align: left; white-space: nowrap }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--color-line); vertical-align: top }
tr > :last-child { padding-right: 0 }
tbody tr:last-child td { border-bottom: 0 }
tbody tr:hover { background: var(--color-panel) }
.figure { text-align: right; white-space: nowrap }
time { white-space: nowrap }
td a { display: inline-block; min-width: 1.5rem; min-height: 1.5rem }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 0.9rem 1.25rem; margin: 0 }
dt { color: var(--color-muted); font-size: 0.8125rem }
dd { margin: 0 }
dl + * { margin-top: 1.25rem }
.none, .hint { color: var(--color-muted); margin: 0 }
label, fieldset { display: block; margin: 0 0 1rem; border: 0; padding: 0; max-width: 34rem }
label span { display: block; margin: 0 0 0.35rem }
label .hint { font-size: 0.8125rem; display: block; margin: 0.25rem 0 0 }
input, textarea, select { display: block; width: 100%; min-height: 2.75rem; font: inherit; color: inherit; background: var(--color-raised); border: 1px solid var(--color-line-strong); border-radius: var(--radius-control); padding: 0.55rem 0.8rem }
select option { background: var(--color-sheet) }
textarea { min-height: 5.5rem; resize: vertical }
input[readonly] { color: var(--color-muted) }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; font: inherit; font-weight: 500; cursor: pointer; text-decoration: none; color: var(--color-on-mint); background: var(--color-mint); border: 1px solid var(--color-mint); border-radius: var(--radius-control); padding: 0.4rem 1.1rem }
.button, button.quiet { color: var(--color-ink); background: var(--color-raised); border-color: var(--color-line-strong) }
.button:hover, button.quiet:hover { background: var(--color-pressed) }
.grave { color: var(--color-coral); border-color: var(--color-coral-line); background: var(--color-coral-soft) }
td button, td .button, .who button { min-height: 2.25rem; padding: 0.2rem 0.8rem }
form.inline { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin: 0 0 1rem }
form.inline label { margin: 0; flex: 1 1 12rem; max-width: 22rem }
.row { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center }
.notice { border: 1px solid var(--color-coral-line); background: var(--color-coral-soft); border-radius: var(--radius-control); padding: 0.75rem 1rem; white-space: pre-line; max-width: none }
.notice.done { border-color: var(--color-mint-line); background: var(--color-mint-soft) }
.notice.ask { border-color: var(--color-amber-line); background: var(--color-amber-soft) }
.tag { display: inline-block; border: 1px solid var(--color-line-strong); border-radius: var(--radius-chip); padding: 0 0.5rem; font-size: 0.8125rem; white-space: nowrap }
.tag.bad { color: var(--color-coral); border-color: var(--color-coral-line) }
.tag.good { color: var(--color-mint); border-color: var(--color-mint-line) }
.tag.warn { color: var(--color-amber); border-color: var(--color-amber-line) }
code, .mono { font-family: var(--font-mono); font-size: 0.875em }
.text { white-space: pre-line }
main > .hint { margin: 0 0 1rem }
.lines { list-style: disc; margin: 1rem 0 0; padding: 0 0 0 1.25rem }
td .lines { margin: 0 }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: 1rem; margin: 0 0 1rem }
.tile { display: flex; flex-direction: column; background: var(--color-panel); border: 1px solid var(--color-line); border-radius: var(--radius-panel); padding: 1.25rem }
.tile h2 { font: 500 0.8125rem/1.25rem var(--font-sans); letter-spacing: 0; color: var(--color-muted) }
.tile .now { font: 600 1.75rem/2.25rem var(--display); margin: 0 }
.tile .hint { font-size: 0.8125rem; margin: auto 0 0; padding-top: 0.5rem }
.bad { color: var(--color-coral) }
.spark { display: block; width: 100%; height: 3rem; margin: 0.5rem 0 0; fill: none; stroke: var(--color-mint); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; overflow: visible }
.spark path { vector-effect: non-scaling-stroke }
.spark .last { stroke-width: 5 }
summary { cursor: pointer; min-height: 2.75rem; display: list-item; align-content: center }
.preview { margin: 0 0 1rem; border: 1px solid var(--color-line-strong); border-radius: var(--radius-control); padding: 0.75rem 1rem }
.preview figcaption { color: var(--color-muted); font-size: 0.8125rem; margin: 0 0 0.5rem }
.preview p:last-child { margin: 0 }
.pager { margin: 1rem 0 0 }
.qr { background: #fff; border-radius: var(--radius-control); width: 13rem; height: 13rem; padding: 0.25rem; margin: 0 0 1rem }
.picture { overflow: auto; aspect-ratio: 1; max-width: 44rem; margin: 1rem 0 0; border: 1px solid var(--color-line-strong); border-radius: var(--radius-control) }
.picture img { display: block; width: 100%; height: 100%; object-fit: contain }
.picture.zoom-200 img { width: 200%; height: 200% }
.picture.zoom-400 img { width: 400%; height: 400% }
.turn-90 { rotate: 90deg }
.turn-180 { rotate: 180deg }
.turn-270 { rotate: 270deg }
.button[aria-current] { border-color: var(--color-mint-line); background: var(--color-mint-soft) }
.ready li { margin: 0 0 0.35rem }
.qr svg { display: block; width: 100%; height: 100% }
@media (width < 44rem) {
  body { font-size: 1rem }
  header { padding-top: 0.5rem }
  .brand { font-size: 1rem; white-space: nowrap }
  .who { gap: 0.6rem }
  .who i { display: none }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table, tbody, tr, td { display: block }
  tr { padding: 0.6rem 0; border-bottom: 1px solid var(--color-line) }
  tbody tr:last-child { border-bottom: 0 }
  td, td.figure, tr > :last-child { display: grid; grid-template-columns: minmax(0, 7.5rem) minmax(0, 1fr); gap: 0.75rem; padding: 0.15rem 0; border: 0; text-align: left; white-space: normal }
  time { white-space: normal }
  td::before { content: attr(data-head); color: var(--color-muted); font-size: 0.875rem }
  td .button, td form { justify-self: start }
  dl { grid-template-columns: 1fr 1fr }
}
@media print {
  :root { --color-ink: #000; --color-muted: #444; --color-line: #ccc; --color-line-strong: #888; --color-mint: #000; --color-coral: #000; --color-amber: #000; --color-panel: transparent; --color-ground: #fff }
  html { color-scheme: light }
  nav, .skip, form, .actions, .pager, .button { display: none }
  header { background: none }
  section { break-inside: avoid; border-radius: 0; padding: 0.5rem 0; border-width: 1px 0 0 }
}
`
