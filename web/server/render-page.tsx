import { type ComponentType, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RenderedPages, RenderPage } from '../api-types';
import { Shell } from './shell';

const pages: { [Name in keyof RenderedPages]: ComponentType<RenderedPages[Name]> } = { shell: Shell };

/** The API calls it for each request. The build bundles it with Preact, so the API needs no package of it. */
export const render: RenderPage = (name, props) => `<!doctype html>\n${renderToString(h(pages[name], props))}\n`;
