import type { Dashboard, Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardFiles } from '../../../dev/dashboards/main';
import { readRules, shortRules } from '../../monitoring/alert-rules';
import { type RunningPrometheus, startPrometheus } from '../../monitoring/prometheus';
import { selectorsOf } from '../../monitoring/selectors';
import { Traffic } from '../../monitoring/traffic';
import { newPerson } from '../support/new-person';
import type { GetTestStack } from '../support/test-stack';

/** Long enough for several scrapes in the windows of the short rules. */
const trafficMs = 25_000;
const withinMs = 120_000;

/** Selectors that have series only after a failure or a denial, or when workflows end. test/faults/long/alerts.test.ts causes most of them. */
const onlyAfterFailures =
  /ALERTS|confirmation.denied|countersign_history_events|temporal_workflow_task_execution_failed|temporal_workflow_failed|temporal_request_failure|temporal_sticky_cache_miss|AccountRefused|OutcomeUnknown|service_unavailable|http_response_status_code=~"5/;
/** Selectors that have series after a day. */
const onlyAfterADay = /offset 1d/;

const panelsOf = (text: string) => (JSON.parse(text) as Dashboard).panels ?? [];
const queriesOf = ({ targets = [] }: Panel) => targets.map((target) => String((target as { expr?: string }).expr));
const inWindow = (expression: string) => expression.replaceAll('$__rate_interval', '20s').replaceAll('$__range', '60s');

/** The alert rules and the dashboards use only metrics, labels and values that a real stack has. */
export function describeMonitoring(getTestStack: GetTestStack): void {
  describe('monitoring', () => {
    let prometheus: RunningPrometheus;

    beforeAll(async () => {
      const { stack, api, inbox } = getTestStack();
      const port = Number(stack.settings.environment['OTEL_EXPORTER_PROMETHEUS_PORT']);
      const targets = { 'countersign-api': `127.0.0.1:${port}`, 'countersign-worker': `127.0.0.1:${port + 1}` };
      prometheus = await startPrometheus(targets, shortRules());
      const traffic = await Traffic.start(getTestStack());
      const end = Date.now() + trafficMs;
      while (Date.now() < end) {
        const { body } = newPerson();
        const path = await api.createTransaction(body);
        await inbox.planFailures(
          { channel: 'sms', kind: 'undelivered' },
          { channel: 'whatsapp', kind: 'status', status: 400, code: 63_024 },
        );
        await api.post(`${path}/sms/2fa`);
        await api.post(`${path}/whatsapps/2fa`);
        await api.post(`${path}/emails/tokens`);
        await api.post(`${path}/emails/tokens/validate`, { body: { value: '000001' } });
        await sleep(500);
      }
      await inbox.clearFailures();
      await traffic.stop();
    }, withinMs);
    afterAll(() => prometheus.stop());

    it('every metric, label and value of the rules exists', async () => {
      const selectors = readRules().flatMap(({ expr }) => selectorsOf(expr));
      const texts = Array.from(new Set(selectors.map(({ metric, matchers }) => `${metric}${matchers}`)));
      expect(texts.length).toBeGreaterThan(40);
      const usual = texts.filter((text) => !onlyAfterFailures.test(text));
      expect(await withoutData(usual)).toEqual([]);
    });

    it.each(Object.entries(dashboardFiles()))('every panel of %s has data', async (_name, text) => {
      const queries = panelsOf(text).flatMap((panel) => queriesOf(panel as Panel));
      expect(queries.length).toBeGreaterThan(5);
      const usual = queries.filter((query) => !onlyAfterADay.test(query) && !isOnlyAboutFailures(query));
      expect(await withoutData(usual.map(inWindow))).toEqual([]);
      // Prometheus parses the others.
      for (const query of queries) await prometheus.query(inWindow(query));
    });

    /** The expressions that have no series. */
    async function withoutData(expressions: readonly string[]): Promise<string[]> {
      const results = await Promise.all(
        expressions.map(async (expression) => ((await prometheus.query(expression)).length === 0 ? [expression] : [])),
      );
      return results.flat();
    }

    /** A share of failures is 0 without failures, so it must have data. */
    function isOnlyAboutFailures(query: string): boolean {
      return selectorsOf(query).every(({ metric, matchers }) => onlyAfterFailures.test(`${metric}${matchers}`));
    }
  });
}
