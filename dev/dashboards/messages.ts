import { buildDashboard } from './panels';
import { panel, quantile, share, sumRate } from './queries';

const events = 'countersign_events_total';
const attempts = 'countersign_delivery_attempt_duration_seconds';
const of = (type: string) => `${events}{type="confirmation.${type}"}`;

export const messages = () =>
  buildDashboard('countersign-messages', 'Countersign: messages', 'What the providers and persons do with messages.', [
    {
      title: 'Providers',
      panels: [
        panel('Attempts to send, by outcome', 'ops', [
          [sumRate(`${attempts}_count`, 'channel', 'outcome'), '{{channel}} {{outcome}}'],
        ]),
        panel('Duration of an attempt, p95', 's', [[quantile(0.95, attempts, '', 'channel'), '{{channel}}']]),
        panel(
          'Time until a message is accepted',
          's',
          [
            [
              quantile(0.5, 'temporal_activity_succeed_endtoend_latency_seconds', 'activity_type="deliverMessage"'),
              'p50',
            ],
            [
              quantile(0.99, 'temporal_activity_succeed_endtoend_latency_seconds', 'activity_type="deliverMessage"'),
              'p99',
            ],
          ],
          { help: 'From the first attempt, with all retries.' },
        ),
        panel('Rejected messages, by reason', 'ops', [
          [sumRate(of('rejected'), 'channel', 'reason'), '{{channel}} {{reason}}'],
        ]),
        panel('Share of messages that were not delivered', 'percentunit', [
          [share(of('undelivered'), of('sent'), 'channel', 'country'), '{{channel}} {{country}}'],
        ]),
        panel(
          'Providers that fail, by number of dial codes',
          'short',
          [
            [
              'sum by (channel, provider) (max by (channel, provider, country) (countersign_provider_failing))',
              '{{channel}} {{provider}}',
            ],
          ],
          { help: 'Messages go to the other providers of the channel first.' },
        ),
        panel(
          'Providers that are slow, by number of dial codes',
          'short',
          [
            [
              'sum by (channel, provider) (max by (channel, provider, country) (countersign_provider_slow))',
              '{{channel}} {{provider}}',
            ],
          ],
          { help: 'Their messages arrive late.' },
        ),
        panel('Blocked prefixes', 'short', [
          ['sum(increase(countersign_prefix_blocks_total[$__range]))', 'in the time range'],
        ]),
      ],
    },
    {
      title: 'Persons, by channel and dial code',
      panels: [
        panel('Messages sent', 'ops', [[sumRate(of('sent'), 'channel', 'country'), '{{channel}} {{country}}']]),
        panel('Conversion', 'percentunit', [
          [share(of('succeeded'), of('sent'), 'channel', 'kind', 'country'), '{{channel}} {{kind}} {{country}}'],
        ]),
        panel('Conversion, compared with a day before', 'percentunit', [
          ['countersign:conversion:ratio1h', '{{channel}} {{kind}} {{country}}'],
          ['countersign:conversion:ratio1h offset 1d', '{{channel}} {{kind}} {{country}} a day before'],
        ]),
        panel('Share of messages whose code or question expired', 'percentunit', [
          [share(of('expired'), of('sent'), 'channel'), '{{channel}}'],
        ]),
        panel('Wrong codes, per message', 'percentunit', [
          [share(of('attempted'), of('sent'), 'channel'), '{{channel}}'],
        ]),
        panel('Denials', 'ops', [[sumRate(of('denied'), 'channel'), '{{channel}}']], {
          help: 'Persons who said that they did not make the request.',
        }),
      ],
    },
  ]);
