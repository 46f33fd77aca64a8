import path from 'node:path';
import { Eta } from 'eta';
import { readPageAssets } from '../../http/assets/page-assets';

/** The files of the page, served below /flows/assets. */
export const flowsAssets = readPageAssets(path.join(__dirname, '..', '..'), '/flows/assets', [
  'flows/browser',
  'pages/browser',
]);

const eta = new Eta({ autoEscape: true });

const shellTemplate = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>Flows · <%= it.brand %></title>
<link rel="icon" href="<%= it.asset('pages/browser/icon.svg') %>" type="image/svg+xml">
<link rel="stylesheet" href="<%= it.asset('pages/browser/style.css') %>">
<link rel="stylesheet" href="<%= it.asset('pages/browser/views.css') %>">
<link rel="stylesheet" href="<%= it.asset('flows/browser/flows.css') %>">
<link rel="stylesheet" href="<%= it.asset('flows/browser/drawing.css') %>">
<script type="module" src="<%= it.asset('flows/browser/flows.mjs') %>"></script>
</head>
<body data-brand="<%= it.brand %>"<% if (it.open) { %> data-open<% } %> data-sign-in="Sign in to see flows" data-lead="Use a client with the scope flows:read. To see runs, the client also needs transaction:read.">
<header class="bar">
<p class="brand"><img src="<%= it.asset('pages/browser/icon.svg') %>" alt="" width="24" height="24"><span><%= it.brand %></span></p>
<div id="who" class="who"></div>
</header>
<main>
<div id="gate" hidden></div>
<div id="view">
<p class="loading">One moment …</p>
<noscript><p class="hint">This page needs JavaScript. Allow it for this address and load the page again.</p></noscript>
</div>
</main>
<p id="notice" class="notice" role="status"></p>
<p id="live" class="unseen" role="status"></p>
</body>
</html>
`;

/** Returns the HTML of the page. `open`: whether it needs no sign-in. The brand is escaped. */
export function renderFlows(brand: string, open: boolean): string {
  return eta.renderString(shellTemplate, { brand, open, asset: flowsAssets.pathOf });
}
