import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';

for (const [name, language] of Object.entries({ bash, http, json, sql, typescript, yaml }))
  hljs.registerLanguage(name, language);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** HTML of code, with classes and without styles, because the content security policy allows no inline style. */
export const highlight = (code: string, language: string): string =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
