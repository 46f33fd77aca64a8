import { buildDashboard } from './panels';
import { panel, quantile, sumRate } from './queries';

export const operations = () =>
  buildDashboard('countersign-operations', 'Countersign: operations', 'Processes, Temporal and Postgres.', [
    {
      title: 'Processes',
      panels: [
        panel('Processes that run', 'short', [['sum by (job) (up{job=~"countersign-(api|worker)"})', '{{job}}']]),
        panel('Delay of the event loop, p99', 's', [
          ['max by (job, instance) (nodejs_eventloop_delay_seconds{quantile="0.99"})', '{{instance}}'],
        ]),
        panel('Warnings and errors in the log', 'ops', [
          [sumRate('countersign_log_lines_total', 'job', 'level'), '{{job}} {{level}}'],
        ]),
      ],
    },
    {
      title: 'Workers',
      panels: [
        panel('Slots in use', 'short', [
          ['sum by (task_queue, worker_type) (temporal_worker_task_slots_used)', '{{task_queue}} {{worker_type}}'],
        ]),
        panel('Free slots', 'short', [
          ['sum by (task_queue, worker_type) (temporal_worker_task_slots_available)', '{{task_queue}} {{worker_type}}'],
        ]),
        panel('Pollers', 'short', [
          ['sum by (task_queue, poller_type) (temporal_num_pollers)', '{{task_queue}} {{poller_type}}'],
        ]),
        panel(
          'Time until a workflow task starts',
          's',
          [
            [
              quantile(0.95, 'temporal_workflow_task_schedule_to_start_latency_seconds', '', 'task_queue'),
              '{{task_queue}} p95',
            ],
          ],
          { help: 'More than 0.1 s: workers are busy.' },
        ),
        panel('Time until an activity starts', 's', [
          [
            quantile(0.95, 'temporal_activity_schedule_to_start_latency_seconds', '', 'task_queue'),
            '{{task_queue}} p95',
          ],
        ]),
        panel('Failed workflow tasks', 'ops', [
          [
            sumRate('temporal_workflow_task_execution_failed', 'workflow_type', 'failure_reason'),
            '{{workflow_type}} {{failure_reason}}',
          ],
        ]),
        panel('Cached workflows', 'short', [['sum by (instance) (temporal_sticky_cache_size)', '{{instance}}']]),
        panel('Found in the cache', 'ops', [
          [sumRate('temporal_sticky_cache_hit'), 'hit'],
          [sumRate('temporal_sticky_cache_miss'), 'miss'],
        ]),
        panel('Duration of a replay', 's', [[quantile(0.95, 'temporal_workflow_task_replay_latency_seconds'), 'p95']]),
      ],
    },
    {
      title: 'Workflows and records',
      panels: [
        panel('Saved records', 'ops', [[sumRate('countersign_record_saves_total', 'result'), '{{result}}']], {
          help: 'ahead: another worker had saved a newer one.',
        }),
        panel('Transactions that had lost their workflow', 'ops', [
          [sumRate('countersign_due_transactions_resumed_total'), 'resumed'],
        ]),
        panel('Length of ended histories', 'short', [
          [quantile(0.5, 'countersign_history_events', '', 'workflow_type'), '{{workflow_type}} p50'],
          [quantile(0.99, 'countersign_history_events', '', 'workflow_type'), '{{workflow_type}} p99'],
        ]),
        panel('Reads, by source', 'ops', [[sumRate('countersign_reads_total', 'source'), '{{source}}']]),
        panel('API processes whose workflows do not answer', 'short', [
          ['sum(countersign_query_breaker_open)', 'processes'],
        ]),
        panel('Runs of the retention', 'short', [
          ['sum(increase(temporal_workflow_completed{workflow_type="retention"}[3h]))', 'succeeded in 3 hours'],
          ['sum(increase(temporal_workflow_failed{workflow_type="retention"}[3h]))', 'failed in 3 hours'],
        ]),
      ],
    },
    {
      title: 'Postgres and Temporal',
      panels: [
        panel('Connections to Postgres', 'short', [
          ['sum by (job, state) (db_client_connections)', '{{job}} {{state}}'],
        ]),
        panel('Requests to Temporal', 'reqps', [[sumRate('temporal_request', 'operation'), '{{operation}}']]),
        panel('Failed requests to Temporal', 'reqps', [
          [sumRate('temporal_request_failure', 'operation', 'status_code'), '{{operation}} {{status_code}}'],
        ]),
      ],
    },
  ]);
