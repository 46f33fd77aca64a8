import path from 'node:path';
import { Eta } from 'eta';
import { fillText } from '../../../domain/confirmation-settings';
import type { Language } from '../../../domain/language';
import { readPageAssets } from '../../pages/page-assets';
import type { BiometricsTexts, ClosedReason } from './biometrics-texts';
import { texts } from './texts';

/** Scripts, styles and the icon of the hosted page. */
export const biometricsAssets = readPageAssets(path.join(__dirname, '..', '..'), '/biometrics/assets', [
  'biometrics/browser',
  'pages/browser',
]);

const eta = new Eta({ autoEscape: true });

const headTemplate = `<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title><%= it.title %> · <%= it.brand %></title>
<link rel="icon" href="<%= it.asset('biometrics/browser/icon.svg') %>" type="image/svg+xml">
<link rel="stylesheet" href="<%= it.asset('biometrics/browser/style.css') %>">
<link rel="stylesheet" href="<%= it.asset('biometrics/browser/steps.css') %>">
<link rel="stylesheet" href="<%= it.asset('biometrics/browser/camera.css') %>">`;

const shellTemplate = `${headTemplate}
<script type="module" src="<%= it.asset('biometrics/browser/main.mjs') %>"></script>
</head>
<body>
<header class="brand"><img src="<%= it.asset('biometrics/browser/icon.svg') %>" alt="" width="24" height="24"><%= it.brand %></header>
<main id="page" data-base="<%= it.base %>" data-brand="<%= it.brand %>" data-days="<%= it.keptDays %>" data-texts="<%= it.texts %>">
<p class="loading"><%= it.loading %></p>
<noscript><p class="hint"><%= it.noScript %></p></noscript>
</main>
<p id="notice" class="notice" role="status"></p>
<p id="live" class="unseen" role="status"></p>
</body>
</html>
`;

const closedTemplate = `${headTemplate}
</head>
<body>
<header class="brand"><img src="<%= it.asset('biometrics/browser/icon.svg') %>" alt="" width="24" height="24"><%= it.brand %></header>
<main id="page" data-screen="closed">
<div class="seal"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2"/></svg></div>
<h1><%= it.heading %></h1>
<p class="lead"><%= it.text %></p>
</main>
</body>
</html>
`;

export interface ShellContent {
  language: Language;
  brand: string;
  /** The token in the URL of the page. */
  token: string;
  /** Days until the images are erased, for the consent. */
  keptDays: number;
  /** Whether a face verifier compares the faces, for the consent. */
  verifiesFaces: boolean;
  /** Whether the person gets a message after the decision, for the last screen. */
  promisesMessage: boolean;
}

/** Returns the texts of the page. The consent and the last screen depend on the link. */
function textsOf({ language, verifiesFaces, promisesMessage }: ShellContent): Omit<BiometricsTexts, 'doneWithMessage'> {
  const { consent, doneWithMessage, ...otherTexts } = texts[language];
  const seen = verifiesFaces ? consent.seenByVerifier : consent.points.seen;
  const done = promisesMessage ? doneWithMessage : otherTexts.done;
  return { ...otherTexts, done, consent: { ...consent, points: { ...consent.points, seen } } };
}

/** The HTML of the page, before its script runs. It contains no personal data, and all content is escaped. */
export function renderShell(content: ShellContent): string {
  const { language, brand, token, keptDays } = content;
  const base = `/biometrics/${encodeURIComponent(token)}`;
  const { title, loading, noScript } = texts[language];
  const textsJson = JSON.stringify(textsOf(content));
  return eta.renderString(shellTemplate, {
    ...{ language, brand, keptDays, base, title, loading, noScript },
    ...{ texts: textsJson, asset: biometricsAssets.pathOf },
  });
}

export interface ClosedContent {
  language: Language;
  brand: string;
  reason: ClosedReason;
}

/** The HTML of the page for a closed link, without scripts. */
export function renderClosed({ language, brand, reason }: ClosedContent): string {
  const { title, closed: passages } = texts[language];
  const { heading, text } = passages[reason];
  const filledTexts = { heading: fillText(heading, { brand }), text: fillText(text, { brand }) };
  return eta.renderString(closedTemplate, { language, brand, title, ...filledTexts, asset: biometricsAssets.pathOf });
}
