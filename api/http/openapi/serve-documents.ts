import path from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { serveFixedText } from '../serve-fixed-text';
import { problems } from '../problems';

const swaggerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, displayRequestDuration: true });\n`;

const problemsStyle = `:root { color-scheme: light dark; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
dt { margin-top: 1.25rem; font-weight: 600; }
dt:target { outline: 2px solid; outline-offset: 4px; }
dd { margin: 0.25rem 0 0 1.5rem; }
code { padding: 0 0.25em; border-radius: 3px; background: rgb(128 128 128 / 20%); overflow-wrap: anywhere; }
`;

/** HTML of a text in which code is between backticks. */
const htmlOf = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

function problemsPage(): string {
  const rows = Object.entries(problems)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { status, title, detail }]) =>
        `<dt id="${code}"><code>${code}</code> (${status}): ${htmlOf(title)}</dt>\n<dd>${htmlOf(detail)}</dd>`,
    );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/problems.css"><title>Countersign problems</title></head>
<body>
<h1>Problems</h1>
<p>Every error response of the API, except those of <code>/oauth2/token</code>, is <code>application/problem+json</code> with one of these codes.</p>
<dl>
${rows.join('\n')}
</dl>
</body>
</html>
`;
}

/** The documentation pages. They load nothing from other hosts. */
export function serveDocuments(): RequestHandler {
  const router = Router({ caseSensitive: true });
  router.get('/', serveFixedText('html', swaggerPage));
  router.get('/problems', serveFixedText('html', problemsPage()));
  router.get('/problems.css', serveFixedText('css', problemsStyle));
  router.get('/start.js', serveFixedText('js', startScript));
  const folder = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const files = express.static(folder, {
    index: false,
    setHeaders: (response) => response.setHeader('Cache-Control', 'public, max-age=3600'),
  });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) router.get(`/${file}`, files);
  return router;
}
