import { type ComponentType, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RenderedPages, RenderPage } from '../api-types';
import { BiometricsShell } from '../biometrics/shell';
import { ClosedLink } from '../biometrics/closed-link';
import { HostedPage } from '../hosted/hosted-page';
import { NotFoundPage } from '../not-found/not-found-page';
import { Shell } from './shell';

const pages: { [Name in keyof RenderedPages]: ComponentType<RenderedPages[Name]> } = {
  shell: Shell,
  hosted: HostedPage,
  biometrics: BiometricsShell,
  closedLink: ClosedLink,
  notFound: NotFoundPage,
};

/** Renders a page. The API calls this function for each request. The built file contains Preact, so the API does not install Preact. */
export const render: RenderPage = (name, props) => `<!doctype html>\n${renderToString(h(pages[name], props))}\n`;
