import path from 'node:path';
import { Eta } from 'eta';
import type { RawHandler } from '../http/route';
import { readPageAssets } from './page-assets';
import { type PageHeaderOptions, pageHeaders } from './page-headers';
import { serveAssets } from './serve-assets';

const eta = new Eta({ autoEscape: true });

const template = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title><%= it.title %> · <%= it.brand %></title>
<link rel="icon" href="<%= it.asset('pages/browser/icon.svg') %>" type="image/svg+xml">
<link rel="stylesheet" href="<%= it.asset('pages/browser/style.css') %>">
<link rel="stylesheet" href="<%= it.asset('pages/browser/views.css') %>">
<% for (const style of it.styles) { %>
<link rel="stylesheet" href="<%= it.asset(style) %>">
<% } %>
<script type="module" src="<%= it.asset(it.script) %>"></script>
</head>
<body data-brand="<%= it.brand %>"<% for (const [name, value] of it.data) { %> data-<%= name %>="<%= value %>"<% } %>>
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

export interface PageWithSignIn {
  /** The folder of the page in `api/`, and the first part of its path. */
  folder: 'flows';
  title: string;
  /** File names in the folder `browser` of the page. */
  script: string;
  styles: readonly string[];
  /** The heading and the first sentence of the sign-in form. */
  signIn: string;
  lead: string;
  sources?: PageHeaderOptions['sources'];
}

/**
 * A page on which clients sign in with their own credentials: its HTML and its files. The page needs no access token, because it
 * contains no personal data. Everything in it is escaped.
 */
export function createPageWithSignIn({ folder, script, styles, signIn, lead, title, sources = {} }: PageWithSignIn) {
  const folders = [`${folder}/browser`, 'pages/browser'];
  const assets = readPageAssets(path.join(__dirname, '..'), `/${folder}/assets`, folders);
  const fixed = {
    title,
    script: `${folder}/browser/${script}`,
    styles: styles.map((style) => `${folder}/browser/${style}`),
    asset: assets.pathOf,
  };
  const headers = pageHeaders({ language: 'en', sources });
  return {
    /** Sends the page. `data`: further `data-` attributes of the body, for its script. */
    send: (response: Parameters<RawHandler>[2], brand: string, data: Readonly<Record<string, string>> = {}): void => {
      const attributes = Object.entries({ 'sign-in': signIn, lead, ...data });
      const html = eta.renderString(template, { ...fixed, brand, data: attributes });
      response.status(200).set(headers).type('html').send(html);
    },
    /** GET /{folder}/assets/{version}/{folder}/browser/{file}. */
    showAsset: serveAssets(assets),
  };
}
