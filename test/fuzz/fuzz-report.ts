import { routes } from '../../api/routes';
import { formatTable } from '../../bench/report/table';
import type { FuzzFailure, RoundResult } from './run-schemathesis';

/** The results of all rounds. A round is one run of schemathesis. */
export class FuzzReport {
  /** Requests by operation and status. */
  readonly statuses: Record<string, Record<string, number>> = {};
  /** Failures that do not count, by reason: see exclusions.py. */
  readonly excluded: Record<string, number> = {};
  readonly failures = new Map<string, FuzzFailure>();

  add({ statuses, excluded, failures }: RoundResult): void {
    for (const [operation, counts] of Object.entries(statuses)) addCounts((this.statuses[operation] ??= {}), counts);
    addCounts(this.excluded, excluded);
    for (const failure of failures) {
      const key = `${failure.operation} ${failure.title} ${failure.message}`;
      const known = this.failures.get(key);
      this.failures.set(key, { ...failure, count: failure.count + (known?.count ?? 0) });
    }
  }

  get requests(): number {
    return countRequests(this);
  }

  /** Operations that never answered 2xx. */
  get withoutSuccess(): string[] {
    return operationIds.filter((id) => !this.withSuccess.includes(id));
  }

  get withSuccess(): string[] {
    return operationIds.filter((id) => Object.keys(this.statuses[id] ?? {}).some((status) => status.startsWith('2')));
  }

  /** Answers that show a bug of the service: 5xx except 503. */
  get serverErrors(): number {
    return Object.values(this.statuses)
      .flatMap((counts) => Object.entries(counts))
      .filter(([status]) => status.startsWith('5') && status !== '503')
      .reduce((sum, [, count]) => sum + count, 0);
  }

  get table(): string {
    const columns = [...new Set(Object.values(this.statuses).flatMap((counts) => Object.keys(counts)))].toSorted();
    const rows = operationIds.map((id) => [id, ...columns.map((status) => String(this.statuses[id]?.[status] ?? '-'))]);
    return formatTable(['operation', ...columns], rows);
  }
}

const operationIds = routes.map(({ operationId }) => operationId).filter((id) => id !== undefined);

function addCounts(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

export const countRequests = ({ statuses }: Pick<RoundResult, 'statuses'>): number =>
  Object.values(statuses)
    .flatMap((counts) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);

export const formatFailure = ({ operation, title, message, request, response, count }: FuzzFailure): string =>
  `${operation}: ${title} (${count})\n  ${message.trim().replaceAll('\n', '\n  ')}\n  ${request}\n  ${response}\n`;
