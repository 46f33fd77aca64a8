import { Eta } from 'eta';

const style = `
:root { color-scheme: light dark; --ink: #1c2330; --paper: #f5f6f8; --card: #fff; --line: #8b94a3; --strong: #155e4b; --onStrong: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf0; --paper: #12161d; --card: #1c222c; --line: #7b8595; --strong: #7fd6bc; --onStrong: #0c1f19; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1.125rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 28rem; padding: 1.5rem; background: var(--card); border-radius: .75rem; overflow-wrap: break-word; }
.brand { margin: 0; font-size: 1rem; font-weight: 600; }
h1 { margin: .5rem 0; font-size: 1.5rem; line-height: 1.25; }
form { display: grid; gap: .75rem; margin-top: 1.25rem; }
button { min-height: 3rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  border: 2px solid var(--line); background: transparent; color: inherit; }
button.strong { border-color: var(--strong); background: var(--strong); color: var(--onStrong); }
button:focus-visible { outline: 3px solid var(--strong); outline-offset: 3px; }
`;

/** Served as a file, because the content security policy allows no inline style. */
export const pageStyle = style.trimStart();

const template = `<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title><%= it.title %> · <%= it.brand %></title>
<link rel="stylesheet" href="/confirm/style.css">
</head>
<body>
<main>
<p class="brand"><%= it.brand %></p>
<h1><%= it.heading %></h1>
<p><%= it.text %></p>
<% if (it.buttons) { %>
<form method="post">
<% for (const { value, label, strong } of it.buttons) { %>
<button name="action" value="<%= value %>"<% if (strong) { %> class="strong"<% } %>><%= label %></button>
<% } %>
</form>
<% } %>
</main>
</body>
</html>
`;

export interface PageContent {
  language: string;
  title: string;
  brand: string;
  heading: string;
  text: string;
  /** Present while the person may answer. `strong`: the main action. */
  buttons?: readonly { value: string; label: string; strong?: boolean }[];
}

const eta = new Eta({ autoEscape: true });

/** The page as HTML. All content is escaped. */
export function renderPage(content: PageContent): string {
  return eta.renderString(template, content);
}
