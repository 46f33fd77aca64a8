import path from 'node:path';
import { Eta } from 'eta';
import { readPageAssets } from '../../http/assets/page-assets';

/** The files of the page, served below /codec/assets. */
export const signInAssets = readPageAssets(path.join(__dirname, '..', '..'), '/codec/assets', [
  'codec/browser',
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
<title>Temporal UI · <%= it.brand %></title>
<link rel="icon" href="<%= it.asset('pages/browser/icon.svg') %>" type="image/svg+xml">
<link rel="stylesheet" href="<%= it.asset('pages/browser/style.css') %>">
<link rel="stylesheet" href="<%= it.asset('pages/browser/views.css') %>">
<script type="module" src="<%= it.asset('codec/browser/sign-in-codec.mjs') %>"></script>
</head>
<body data-brand="<%= it.brand %>" data-ui-url="<%= it.uiUrl %>" data-end="You stay signed in for an hour, or until you open this page again." data-sign-in="Sign in to read transactions in the Temporal UI" data-lead="Use your own client with the scope operator:decode, because the audit log records its id for each transaction that you read.">
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

/** The HTML of the page. The brand and the address are escaped. */
export function renderSignIn(brand: string, uiUrl: string): string {
  return eta.renderString(shellTemplate, { brand, uiUrl, asset: signInAssets.pathOf });
}
