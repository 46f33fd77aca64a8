import type { Person } from './persons';
import { formatTable } from './report';
import type { FaultRecord } from './schedule';
import type { Finding } from './verify';

const recordOf = (kind: string, second: number, recoveryMs: number | undefined): FaultRecord => ({
  kind,
  from: new Date(second * 1_000),
  until: new Date((second + 10) * 1_000),
  recoveryMs,
  repeats: 2,
});

test('a finding counts for the faults during which its person was active', () => {
  const person = { startedAt: 5_000, endedAt: 25_000 } as Person;
  const findings: Finding[] = [
    { kind: 'lost', text: 'a code', person },
    { kind: 'doubled', text: 'a message to a probe' },
  ];
  const records = [recordOf('kill', 0, 1_000), recordOf('kill', 100, 3_000), recordOf('freeze', 50, undefined)];
  expect(formatTable(records, findings).split('\n')).toEqual([
    'fault   times    p50    p99    max  repeats  lost  doubled',
    'freeze      1      -      -      -        2     0        0',
    'kill        2  1.0 s  3.0 s  3.0 s        4     1        0',
    'all         3  1.0 s  3.0 s  3.0 s        6     1        1',
  ]);
});
