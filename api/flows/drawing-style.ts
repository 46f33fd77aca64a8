/**
 * Colours and letters of a drawing. Everything is named under .flow-drawing, so that a drawing inside a page changes
 * nothing of the page; a page that allows styles by their hash takes the hash of this text.
 */
export const drawingStyle = `
.flow-drawing {
  --ground: #ffffff; --ink: #1f2430; --soft: #5b6372; --line: #8a93a3; --box: #f7f8fa; --edge: #cfd5de;
  --confirm: #1f6fb2; --biometrics: #7a4fc0; --decide: #a86a00; --wait: #5b6372; --notify: #0f7f78; --outcome: #3a4252;
  --good: #23753b; --missing: #b3261e; --taken: #d1560f; --on-dark: #ffffff;
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
}
@media (prefers-color-scheme: dark) {
  .flow-drawing {
    --ground: #14171d; --ink: #e8ebf0; --soft: #a4acba; --line: #778296; --box: #1c2129; --edge: #39414e;
    --confirm: #62aef0; --biometrics: #b795f5; --decide: #e8ad4c; --wait: #a4acba; --notify: #4fc7bd; --outcome: #c3cad6;
    --good: #6fcf8a; --missing: #ff8a80; --taken: #ff9a52; --on-dark: #14171d;
  }
}
.flow-drawing .ground { fill: var(--ground); }
.flow-drawing text { fill: var(--soft); font-size: 12px; }
.flow-drawing .name { fill: var(--ink); font-size: 18px; font-weight: 600; }
.flow-drawing .heading { fill: var(--ink); font-size: 14px; font-weight: 600; }
.flow-drawing .confirm { --kind: var(--confirm); }
.flow-drawing .biometrics { --kind: var(--biometrics); }
.flow-drawing .decide { --kind: var(--decide); }
.flow-drawing .wait { --kind: var(--wait); }
.flow-drawing .notify { --kind: var(--notify); }
.flow-drawing .outcome { --kind: var(--outcome); }
.flow-drawing .outcome.good { --kind: var(--good); }
.flow-drawing .missing { --kind: var(--missing); }
.flow-drawing .box { fill: var(--box); stroke: var(--edge); }
.flow-drawing .symbol { fill: none; stroke: var(--kind); stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.flow-drawing .sort { fill: var(--kind); font-weight: 600; }
.flow-drawing .missing .box { stroke: var(--kind); stroke-dasharray: 4 3; }
.flow-drawing .end { fill: var(--kind); }
.flow-drawing .outcome .heading { fill: var(--on-dark); }
.flow-drawing .way { fill: none; stroke: var(--line); stroke-width: 1.3; }
.flow-drawing .tip, .flow-drawing .start { fill: var(--line); }
.flow-drawing .label { paint-order: stroke; stroke: var(--ground); stroke-width: 4px; stroke-linejoin: round; }
.flow-drawing .badge rect { fill: var(--ink); }
.flow-drawing .badge text { fill: var(--ground); font-size: 11px; font-weight: 600; }
.flow-drawing .aside { opacity: 0.42; }
.flow-drawing .taken .way { stroke: var(--taken); stroke-width: 2.6; }
.flow-drawing .taken .tip, .flow-drawing .taken.start { fill: var(--taken); }
.flow-drawing .taken .label { fill: var(--ink); font-weight: 600; }
.flow-drawing .taken .frame { fill: none; stroke: var(--taken); stroke-width: 2.4; }
.flow-drawing .current .frame { fill: none; stroke: var(--taken); stroke-width: 2.4; stroke-dasharray: 6 4; }
`;
