import { buildDashboard } from './panels';
import { panel, quantile, share, sumRate } from './queries';

const requests = 'http_server_request_duration_seconds';
const events = 'countersign_events_total';
const api = 'http_route=~"/v1/.+|/oauth2/token"';
const failed = 'http_response_status_code=~"5..", error_type!~"reads_busy|images_busy|flows_busy"';
const kinds = { reads: 'http_request_method=~"GET|HEAD"', writes: 'http_request_method!~"GET|HEAD"' };

/** The share of successful requests in the time range of the dashboard. */
const available = (kind: string) =>
  `1 - (sum(increase(${requests}_count{${kind}, ${api}, ${failed}}[$__range])) or vector(0)) / sum(increase(${requests}_count{${kind}, ${api}}[$__range]))`;
const fast = (kind: string, seconds: string) =>
  `sum(increase(${requests}_bucket{${kind}, ${api}, http_route!="/v1/transactions/{id}/events", le="${seconds}"}[$__range])) / sum(increase(${requests}_count{${kind}, ${api}, http_route!="/v1/transactions/{id}/events"}[$__range]))`;
const delivered = 'temporal_activity_succeed_endtoend_latency_seconds';
const inTime = `sum(increase(${delivered}_bucket{activity_type="deliverMessage", le="10"}[$__range])) / sum(increase(${delivered}_count{activity_type="deliverMessage"}[$__range]))`;

const atLeast = (value: number) => ({ objective: { value, isMinimum: true } });

export const overview = () =>
  buildDashboard('countersign-overview', 'Countersign: overview', 'Whether callers and persons get what they need.', [
    {
      title: 'Objectives, in the time range of the dashboard',
      panels: [
        panel('Writes that succeed', 'percentunit', [[available(kinds.writes), '']], atLeast(0.999)),
        panel('Reads that succeed', 'percentunit', [[available(kinds.reads), '']], atLeast(0.999)),
        panel('Writes within 5 s', 'percentunit', [[fast(kinds.writes, '5'), '']], atLeast(0.99)),
        panel('Reads within 1 s', 'percentunit', [[fast(kinds.reads, '1'), '']], atLeast(0.99)),
        panel('Messages accepted within 10 s', 'percentunit', [[inTime, '']], atLeast(0.99)),
        panel('Alerts that fire', 'short', [['count(ALERTS{alertstate="firing"}) or vector(0)', '']], {
          objective: { value: 1, isMinimum: false },
        }),
      ],
    },
    {
      title: 'Requests',
      panels: [
        panel('Requests by route', 'reqps', [
          [
            `topk(10, ${sumRate(`${requests}_count`, 'http_request_method', 'http_route')})`,
            '{{http_request_method}} {{http_route}}',
          ],
        ]),
        panel(
          'Requests by status',
          'reqps',
          [[sumRate(`${requests}_count`, 'http_response_status_code'), '{{http_response_status_code}}']],
          {
            isStacked: true,
          },
        ),
        panel(
          'Problems by code',
          'reqps',
          [[sumRate(`${requests}_count{error_type!=""}`, 'error_type'), '{{error_type}}']],
          {
            help: 'docs/api.md lists the codes.',
          },
        ),
        ...Object.entries(kinds).map(([name, kind]) =>
          panel(`Duration of ${name}`, 's', [
            [quantile(0.5, requests, `${kind}, ${api}`), 'p50'],
            [quantile(0.95, requests, `${kind}, ${api}`), 'p95'],
            [quantile(0.99, requests, `${kind}, ${api}`), 'p99'],
          ]),
        ),
        panel('Share of requests that fail', 'percentunit', [
          [
            share(
              `${requests}_count{${kinds.writes}, ${api}, ${failed}}`,
              `${requests}_count{${kinds.writes}, ${api}}`,
            ),
            'writes',
          ],
          [
            share(`${requests}_count{${kinds.reads}, ${api}, ${failed}}`, `${requests}_count{${kinds.reads}, ${api}}`),
            'reads',
          ],
        ]),
      ],
    },
    {
      title: 'Messages and persons',
      panels: [
        panel('Messages sent', 'ops', [[sumRate(`${events}{type="confirmation.sent"}`, 'channel'), '{{channel}}']], {
          isStacked: true,
        }),
        panel('Confirmations by result', 'ops', [
          [sumRate(`${events}{type=~"confirmation.(succeeded|expired|denied|blocked|failed)"}`, 'type'), '{{type}}'],
        ]),
        panel(
          'Conversion in the last hour',
          'percentunit',
          [['countersign:conversion:ratio1h', '{{channel}} {{kind}} {{country}}']],
          { help: 'Confirmations that succeeded, per message. A resent code counts twice.' },
        ),
      ],
    },
    {
      title: 'Transactions',
      panels: [
        panel(
          'Transactions that wait, by time since their last change',
          'short',
          [['max by (age) (countersign_transactions_open)', '{{age}}']],
          { isStacked: true },
        ),
        panel('Work that is due and not done', 'short', [['max by (queue) (countersign_backlog)', '{{queue}}']]),
        panel('Age of the oldest work', 's', [['max by (queue) (countersign_backlog_age_seconds)', '{{queue}}']]),
      ],
    },
  ]);
