import { eventTypes } from '../../domain/events/event';
import { transactionStatuses } from '../../domain/transactions/status';
import { openGuide } from '../support/guide';

const { firstCells, table } = openGuide('status-and-events.md');

test('the guide lists every status', () => {
  expect(firstCells('statuses').toSorted()).toEqual(transactionStatuses.toSorted());
});

test('the guide lists every event with its description', () => {
  const described = Object.entries(eventTypes).map(([type, { description }]) => [
    type,
    description.replace(' `reason` says why.', ''),
  ]);
  expect(new Map(table('events').map(([type, text]) => [type, text]))).toEqual(
    new Map(described as [string, string][]),
  );
});
