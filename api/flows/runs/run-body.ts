import type { RunView } from '../../../domain/flows/view-run';
import { biometricsPath, biometricsToken } from '../../../messages/links';
import type { Call } from '../../http/route';

type BodyCall = Pick<Call, 'dependencies' | 'tenant' | 'id' | 'hasScope'>;

/**
 * Returns a flow run as the body of a response. If the flow run waits for images, the body has the URL of the biometrics link. Only
 * callers with the scope to create links get this URL, because with the URL anybody can act as the person.
 */
export function runBody({ dependencies, tenant, id, hasScope }: BodyCall, run: RunView) {
  const { awaited } = run;
  if (awaited?.kind !== 'images' || !hasScope('biometrics:link')) return run;
  const { biometricsId, ...otherFields } = awaited;
  const path = biometricsPath(biometricsToken(dependencies.keys, { tenant, transactionId: id, biometricsId }));
  return { ...run, awaited: { ...otherFields, biometricsId, url: new URL(path, dependencies.config.PUBLIC_URL).href } };
}

/** Does the same as runBody, and adds the flow run to the log line of the request. */
export function logRunAndBuildBody(call: BodyCall & Pick<Call, 'logRun'>, run: RunView) {
  call.logRun(run);
  return runBody(call, run);
}
