import type { RunView } from '../../../domain/flows/view-run';
import { biometricsPath, biometricsToken } from '../../../platform/links';
import type { Call } from '../../http/route';

type BodyCall = Pick<Call, 'dependencies' | 'tenant' | 'id' | 'hasScope'>;

/**
 * Returns the body of a run. If it waits for images and the caller may request links, the body has the URL of the biometrics link:
 * everyone who has this URL can act as the person.
 */
export function runBody({ dependencies, tenant, id, hasScope }: BodyCall, run: RunView) {
  const { awaited } = run;
  if (awaited?.kind !== 'images' || !hasScope('biometrics:link')) return run;
  const { biometricsId, ...otherFields } = awaited;
  const path = biometricsPath(biometricsToken(dependencies.keys, { tenant, transactionId: id, biometricsId }));
  return { ...run, awaited: { ...otherFields, biometricsId, url: new URL(path, dependencies.config.PUBLIC_URL).href } };
}

/** Like runBody, and adds the run to the log line of the request. */
export function logRunAndBuildBody(call: BodyCall & Pick<Call, 'logRun'>, run: RunView) {
  call.logRun(run);
  return runBody(call, run);
}
