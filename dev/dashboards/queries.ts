import type { Panel, Unit } from './panels';

/** The rate of a counter over the window that Grafana chooses for the resolution of a panel. */
const rate = (selector: string) => `rate(${selector}[$__rate_interval])`;

/** The sum of rates, by labels. */
export const sumRate = (selector: string, ...labels: readonly string[]) =>
  `sum${labels.length > 0 ? ` by (${labels.join(', ')})` : ''} (${rate(selector)})`;

/** A quantile of a histogram, by labels. `name`: without `_bucket`. */
export const quantile = (share: number, name: string, matchers = '', ...labels: readonly string[]) =>
  `histogram_quantile(${share}, sum by (${['le', ...labels].join(', ')}) (${rate(`${name}_bucket${matchers && `{${matchers}}`}`)}))`;

/** The part of the sum of rates, in all of it. Zero if there is no part. */
export const share = (part: string, all: string, ...labels: readonly string[]) =>
  labels.length === 0
    ? `(${sumRate(part)} or vector(0)) / ${sumRate(all)}`
    : `(${sumRate(part, ...labels)} or 0 * ${sumRate(all, ...labels)}) / ${sumRate(all, ...labels)}`;

export const panel = (
  title: string,
  unit: Unit,
  queries: Panel['queries'],
  options: Pick<Panel, 'help' | 'isStacked' | 'objective'> = {},
): Panel => ({ title, unit, queries, ...options });
