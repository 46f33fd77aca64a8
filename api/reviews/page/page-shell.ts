import path from 'node:path';
import { Eta } from 'eta';
import { readPageAssets } from '../../http/assets/page-assets';

/** The files of the page, served below /reviews/assets. */
export const reviewAssets = readPageAssets(path.join(__dirname, '..', '..'), '/reviews/assets', [
  'reviews/browser',
  'pages/browser',
]);

const eta = new Eta({ autoEscape: true });

const shell = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>Reviews · <%= it.brand %></title>
<link rel="icon" href="<%= it.asset('pages/browser/icon.svg') %>" type="image/svg+xml">
<link rel="stylesheet" href="<%= it.asset('pages/browser/style.css') %>">
<link rel="stylesheet" href="<%= it.asset('pages/browser/views.css') %>">
<link rel="stylesheet" href="<%= it.asset('reviews/browser/list.css') %>">
<link rel="stylesheet" href="<%= it.asset('reviews/browser/review.css') %>">
<link rel="stylesheet" href="<%= it.asset('reviews/browser/enlarged.css') %>">
<script type="module" src="<%= it.asset('reviews/browser/reviews.mjs') %>"></script>
</head>
<body data-brand="<%= it.brand %>" data-sign-in="Sign in to review" data-lead="Use your own client, because its id is recorded with each of your decisions.">
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

/** The HTML of the page. It contains no personal data, and the brand is escaped. */
export function renderReviews(brand: string): string {
  return eta.renderString(shell, { brand, asset: reviewAssets.pathOf });
}
