import { isOutage } from '../../platform/outage';
import { Problem } from '../http/problem';
import type { Call } from '../http/route';

/** How `eachRow` reports a transaction of a person that fails. During an outage, the whole request fails: the caller repeats it. */
export const reportOf = ({ tenant, dependencies: { logger } }: Pick<Call, 'tenant' | 'dependencies'>) => ({
  idsOf: ({ id }: { id: string }) => ({ tenant, transactionId: id }),
  logger,
  isOutage: (error: unknown) => (error instanceof Problem ? error.code === 'service_unavailable' : isOutage(error)),
});
